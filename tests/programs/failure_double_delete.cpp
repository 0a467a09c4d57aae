// SPDX-License-Identifier: Apache-2.0
// Two unique_ptrs own the same object: the second delete is one too many.
// heddle: expect double-free
// heddle: schedules all
#include <memory>

struct Node {
  int value = 1;
};

int main() {
  Node* node = new Node;
  std::unique_ptr<Node> first(node);
  {
    std::unique_ptr<Node> second(node);
  }
  return 0;
}
