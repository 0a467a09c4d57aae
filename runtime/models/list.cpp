// SPDX-License-Identifier: Apache-2.0
//
// Models of std::list's links: a ring through the list's own header.
#include <list>

namespace std::__detail {
namespace {

void join(_List_node_base* left, _List_node_base* right) {
  left->_M_next = right;
  right->_M_prev = left;
}

}  // namespace

void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  join(position->_M_prev, this);
  join(this, position);
}

void _List_node_base::_M_unhook() noexcept { join(_M_prev, _M_next); }

// Moves [first, last) before this node.
void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  if (this == last) return;
  _List_node_base* const last_moved = last->_M_prev;
  join(first->_M_prev, last);
  join(_M_prev, first);
  join(last_moved, this);
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base* node = this;
  do {
    _List_node_base* const following = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = following;
    node = following;
  } while (node != this);
}

void _List_node_base::swap(_List_node_base& x, _List_node_base& y) noexcept {
  const bool x_empty = x._M_next == &x, y_empty = y._M_next == &y;
  _List_node_base old = x;
  if (y_empty) {
    join(&x, &x);
  } else {
    join(&x, y._M_next);
    join(y._M_prev, &x);
  }
  if (x_empty) {
    join(&y, &y);
  } else {
    join(&y, old._M_next);
    join(old._M_prev, &y);
  }
}

}  // namespace std::__detail
