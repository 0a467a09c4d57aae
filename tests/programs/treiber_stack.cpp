// SPDX-License-Identifier: Apache-2.0
// A lock-free stack: two threads push, two pop until they have their share; every value comes out once.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cas >=8
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};

Node nodes[4];
std::atomic<Node*> top{nullptr};
std::atomic<int> popped{0}, sum{0};

void push(int from) {
  for (int i = from; i < from + 2; i++) {
    nodes[i].value = 1 << i;
    nodes[i].next = top.load(std::memory_order_relaxed);
    while (!top.compare_exchange_weak(nodes[i].next, &nodes[i], std::memory_order_release)) {
    }
  }
}

void pop() {
  while (popped.load() < 4) {
    Node* seen = top.load(std::memory_order_acquire);
    while (seen && !top.compare_exchange_weak(seen, seen->next, std::memory_order_acquire)) {
    }
    if (!seen) continue;
    sum += seen->value;
    popped++;
  }
}

int main() {
  std::thread a(push, 0), b(pop), c(push, 2), d(pop);
  a.join();
  b.join();
  c.join();
  d.join();
  assert(popped == 4 && sum == 15 && top == nullptr);
  return 0;
}
