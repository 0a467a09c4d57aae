// SPDX-License-Identifier: Apache-2.0
//
// Models of the part of std::map and std::set that lies in libstdc++.so: steps
// through a red-black tree, and keeping it balanced. A header node stands above
// the root: its parent is the root, its left the smallest node, its right the
// largest, its colour red (so that it differs from the root). The textbook's
// algorithm with null leaves.
#include <bits/stl_tree.h>

namespace {

using Node = std::_Rb_tree_node_base;
constexpr auto kRed = std::_S_red;
constexpr auto kBlack = std::_S_black;

bool is_black(const Node* node) { return !node || node->_M_color == kBlack; }

// Puts `to` (or nothing) where `from` hangs.
void replace_child(Node* from, Node* to, Node& header) {
  Node* parent = from->_M_parent;
  if (parent == &header)
    header._M_parent = to;
  else if (parent->_M_left == from)
    parent->_M_left = to;
  else
    parent->_M_right = to;
  if (to) to->_M_parent = parent;
}

// The right child rises above `node`, or the left one with `mirrored`.
Node*& child(Node* node, bool right) { return right ? node->_M_right : node->_M_left; }

void rotate(Node* node, bool mirrored, Node& header) {
  Node* rising = child(node, !mirrored);
  Node* moving = child(rising, mirrored);
  replace_child(node, rising, header);
  child(rising, mirrored) = node;
  node->_M_parent = rising;
  child(node, !mirrored) = moving;
  if (moving) moving->_M_parent = node;
}

Node* node_after(Node* node) {
  if (node->_M_right) {
    node = node->_M_right;
    while (node->_M_left) node = node->_M_left;
    return node;
  }
  Node* above = node->_M_parent;
  while (node == above->_M_right) {
    node = above;
    above = above->_M_parent;
  }
  // From a root without right child the climb goes through the header, whose
  // parent is the root again: then `node` is the header, the end.
  return node->_M_right == above ? node : above;
}

Node* node_before(Node* node) {
  if (node->_M_color == kRed && node->_M_parent->_M_parent == node) return node->_M_right;  // from the end
  if (node->_M_left) {
    node = node->_M_left;
    while (node->_M_right) node = node->_M_right;
    return node;
  }
  Node* above = node->_M_parent;
  while (node == above->_M_left) {
    node = above;
    above = above->_M_parent;
  }
  return above;
}

// One black node too few on the way through `parent`'s child `node` (may be null).
void add_missing_black(Node* node, Node* parent, Node& header) {
  while (parent != &header && is_black(node)) {
    const bool mirrored = node != parent->_M_left;
    Node* sibling = child(parent, !mirrored);
    if (sibling->_M_color == kRed) {
      sibling->_M_color = kBlack;
      parent->_M_color = kRed;
      rotate(parent, mirrored, header);
      sibling = child(parent, !mirrored);
    }
    if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
      sibling->_M_color = kRed;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (is_black(child(sibling, !mirrored))) {
      child(sibling, mirrored)->_M_color = kBlack;
      sibling->_M_color = kRed;
      rotate(sibling, !mirrored, header);
      sibling = child(parent, !mirrored);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = kBlack;
    child(sibling, !mirrored)->_M_color = kBlack;
    rotate(parent, mirrored, header);
    return;
  }
  if (node) node->_M_color = kBlack;
}

}  // namespace

namespace std {

Node* _Rb_tree_increment(Node* node) throw() { return node_after(node); }
const Node* _Rb_tree_increment(const Node* node) throw() { return node_after(const_cast<Node*>(node)); }
Node* _Rb_tree_decrement(Node* node) throw() { return node_before(node); }
const Node* _Rb_tree_decrement(const Node* node) throw() { return node_before(const_cast<Node*>(node)); }

void _Rb_tree_insert_and_rebalance(const bool insert_left, Node* node, Node* parent, Node& header) throw() {
  node->_M_color = kRed;
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  if (parent == &header) {
    header._M_parent = header._M_left = header._M_right = node;
  } else if (insert_left) {
    parent->_M_left = node;
    if (header._M_left == parent) header._M_left = node;
  } else {
    parent->_M_right = node;
    if (header._M_right == parent) header._M_right = node;
  }

  while (node != header._M_parent && node->_M_parent->_M_color == kRed) {
    Node* const above = node->_M_parent;
    Node* const top = above->_M_parent;
    const bool mirrored = above != top->_M_left;
    Node* const uncle = child(top, !mirrored);
    if (!is_black(uncle)) {
      above->_M_color = uncle->_M_color = kBlack;
      top->_M_color = kRed;
      node = top;
      continue;
    }
    Node* middle = above;
    if (node == child(above, !mirrored)) {
      rotate(above, mirrored, header);
      middle = node;
    }
    middle->_M_color = kBlack;
    top->_M_color = kRed;
    rotate(top, !mirrored, header);
    break;
  }
  header._M_parent->_M_color = kBlack;
}

Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) throw() {
  if (header._M_left == node)
    header._M_left = node->_M_right || node->_M_parent != &header ? node_after(node) : &header;
  if (header._M_right == node)
    header._M_right = node->_M_left || node->_M_parent != &header ? node_before(node) : &header;

  Node* risen;   // comes to where a node left, may be null
  Node* parent;  // its new parent
  _Rb_tree_color lost;
  if (node->_M_left && node->_M_right) {
    // The next node takes this one's place and colour.
    Node* const heir = node_after(node);
    risen = heir->_M_right;
    lost = heir->_M_color;
    parent = heir->_M_parent == node ? heir : heir->_M_parent;
    if (parent != heir) {
      replace_child(heir, risen, header);
      heir->_M_right = node->_M_right;
      heir->_M_right->_M_parent = heir;
    }
    replace_child(node, heir, header);
    heir->_M_left = node->_M_left;
    heir->_M_left->_M_parent = heir;
    heir->_M_color = node->_M_color;
  } else {
    risen = node->_M_left ? node->_M_left : node->_M_right;
    lost = node->_M_color;
    parent = node->_M_parent;
    replace_child(node, risen, header);
  }
  if (lost == kBlack) add_missing_black(risen, parent, header);
  return node;
}

}  // namespace std
