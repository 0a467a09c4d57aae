// SPDX-License-Identifier: Apache-2.0
//
// A program for models_test.cpp: names of functions mean their models, `native`
// finds libstdc++'s. Hashes and bucket counts must be equal; trees must hold the
// same keys and keep the rules of red-black trees.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <vector>

static unsigned long state = 88172645463325252ul;
static unsigned draw(unsigned limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return static_cast<unsigned>(state >> 20) % limit;
}

static void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s\n", what);
  std::exit(1);
}

template <class Function>
static Function* native(const char* name, Function* model) {
  auto* found = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  expect(found && found != model, name);
  return found;
}

static void hashes() {
  auto* library = native("_ZSt11_Hash_bytesPKvmm", &std::_Hash_bytes);
  unsigned char bytes[80];
  for (int i = 0; i < 20000; i++) {
    for (auto& byte : bytes) byte = static_cast<unsigned char>(draw(256));
    const unsigned at = draw(8), size = draw(72), seed = draw(1000);
    expect(std::_Hash_bytes(bytes + at, size, seed) == library(bytes + at, size, seed), "_Hash_bytes");
  }
}

static void bucket_counts() {
  using Policy = std::__detail::_Prime_rehash_policy;
  using Next = size_t(const Policy*, size_t);
  using Need = std::pair<bool, size_t>(const Policy*, size_t, size_t, size_t);
  auto* next = native<Next>("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", nullptr);
  auto* need = native<Need>("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", nullptr);
  for (int i = 0; i < 20000; i++) {
    Policy a(0.5f + static_cast<float>(draw(4)) / 2), b = a;
    const size_t count = static_cast<size_t>(draw(1u << 20)) << draw(40);
    const bool same_bucket = a._M_next_bkt(count) == next(&b, count) && a._M_next_resize == b._M_next_resize;
    expect(same_bucket, "_M_next_bkt");
    a._M_next_resize = b._M_next_resize = draw(2) ? draw(200) : 0;
    const size_t buckets = 1 + draw(200), elements = draw(300), inserted = draw(50);
    expect(a._M_need_rehash(buckets, elements, inserted) == need(&b, buckets, elements, inserted), "_M_need_rehash");
    expect(a._M_next_resize == b._M_next_resize, "_M_next_resize");
  }
}

using Base = std::_Rb_tree_node_base;
struct Node : Base {
  int key = 0;
};
static int key_of(const Base* node) { return static_cast<const Node*>(node)->key; }

// Black nodes on every way down.
static int black_height(const Base* node, const Base* parent) {
  if (!node) return 0;
  expect(node->_M_parent == parent, "parent");
  const bool red = node->_M_color == std::_S_red;
  for (const Base* below : {node->_M_left, node->_M_right}) expect(!red || !below || below->_M_color, "red below red");
  const int left = black_height(node->_M_left, node);
  expect(left == black_height(node->_M_right, node), "black height");
  return left + !red;
}

static void trees() {
  for (int round = 0; round < 200; round++) {
    Base header;
    header._M_color = std::_S_red;
    header._M_parent = nullptr;
    header._M_left = header._M_right = &header;
    std::vector<Node> nodes(64);
    std::vector<Node*> inside, outside;
    for (Node& node : nodes) outside.push_back(&node);
    for (int step = 0; step < 400; step++) {
      const bool fill = step % 200 < 100;
      if (outside.size() && (inside.empty() || draw(100) < (fill ? 75u : 25u))) {
        Node* node = outside.back();
        outside.pop_back();
        node->key = static_cast<int>(draw(40));
        Base* parent = &header;
        bool left = true;
        for (Base* at = header._M_parent; at; at = left ? at->_M_left : at->_M_right) {
          parent = at;
          left = node->key < key_of(at);
        }
        std::_Rb_tree_insert_and_rebalance(left, node, parent, header);
        inside.push_back(node);
      } else {
        const size_t which = draw(static_cast<unsigned>(inside.size()));
        expect(std::_Rb_tree_rebalance_for_erase(inside[which], header) == inside[which], "erased node");
        outside.push_back(inside[which]);
        inside.erase(inside.begin() + static_cast<long>(which));
      }
      black_height(header._M_parent, &header);
      expect(!header._M_parent || header._M_parent->_M_color == std::_S_black, "black root");
      size_t count = 0;
      const Base* last = &header;
      for (const Base* node = header._M_left; node != &header; node = std::_Rb_tree_increment(node), count++) {
        expect(last == &header || key_of(last) <= key_of(node), "order");
        expect(last == &header || std::_Rb_tree_decrement(node) == last, "decrement");
        last = node;
      }
      expect(count == inside.size() && header._M_right == last, "size and largest");
      if (count) expect(std::_Rb_tree_decrement(&header) == last, "decrement of the end");
    }
  }
}

int main() {
  hashes();
  bucket_counts();
  trees();
  return 0;
}
