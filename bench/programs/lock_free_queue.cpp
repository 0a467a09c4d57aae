// SPDX-License-Identifier: Apache-2.0
//
// A lock-free queue of Michael and Scott in ordinary C++: std::atomic, new,
// std::thread; three threads do two operations each. Nodes are released when
// the queue is destroyed. At the end nothing may be lost, invented or taken
// twice, and the values of one producer must come out in order.
//
// -DBUG=1  a node is linked by a plain store: another one can be lost
// -DBUG=2  the head is moved by a plain store: a value can be taken twice
// -DBUG=3  the value is written after the node is linked: it can be read too early
// -DBUG=4  a node is released as soon as it was taken: another thread may still read it
//
// heddle-check: cflags='-std=c++20' sc=holds tso=holds
// heddle-check: cflags='-std=c++20 -DBUG=1' sc=violated tso=violated finding=assertion
// heddle-check: cflags='-std=c++20 -DBUG=2' sc=violated tso=violated finding=assertion
// heddle-check: cflags='-std=c++20 -DBUG=3' sc=violated tso=violated finding=assertion
// heddle-check: cflags='-std=c++20 -DBUG=4' sc=violated tso=violated finding=use-after-free
#include <atomic>
#include <cassert>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

namespace {

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

class Queue {
 public:
  Queue() {
    Node* first = new Node;  // stands before the first value
    head_.store(first, std::memory_order_relaxed);
    tail_.store(first, std::memory_order_relaxed);
    oldest_ = first;
  }

  ~Queue() {
#if BUG != 4
    for (Node* node = oldest_; node;) {
      Node* next = node->next.load(std::memory_order_relaxed);
      delete node;
      node = next;
    }
#endif
  }

  void put(int value) {
    Node* node = new Node;
#if BUG != 3
    node->value = value;
#endif
    for (;;) {
      Node* last = tail_.load(std::memory_order_acquire);
      Node* next = last->next.load(std::memory_order_acquire);
      if (next) {  // somebody linked a node and has not moved the tail yet
        tail_.compare_exchange_strong(last, next, std::memory_order_acq_rel);
        continue;
      }
#if BUG == 1
      last->next.store(node, std::memory_order_release);
      tail_.compare_exchange_strong(last, node, std::memory_order_acq_rel);
      return;
#else
      if (!last->next.compare_exchange_strong(next, node, std::memory_order_acq_rel)) continue;
#if BUG == 3
      node->value = value;
#endif
      tail_.compare_exchange_strong(last, node, std::memory_order_acq_rel);
      return;
#endif
    }
  }

  // False: there was nothing in it.
  bool take(int& value) {
    for (;;) {
      Node* first = head_.load(std::memory_order_acquire);
      Node* last = tail_.load(std::memory_order_acquire);
      Node* next = first->next.load(std::memory_order_acquire);
      if (!next) return false;
      if (first == last) {
        tail_.compare_exchange_strong(last, next, std::memory_order_acq_rel);
        continue;
      }
      value = next->value;
#if BUG == 2
      if (head_.load(std::memory_order_acquire) != first) continue;
      head_.store(next, std::memory_order_release);
#else
      if (!head_.compare_exchange_strong(first, next, std::memory_order_acq_rel)) continue;
#endif
#if BUG == 4
      delete first;
#endif
      return true;
    }
  }

 private:
  std::atomic<Node*> head_, tail_;
  Node* oldest_;
};

constexpr int kValues = 3;

// What was taken, in order; one per consumer, so that nobody shares it.
struct Taken {
  int values[kValues + 1];
  int count = 0;
  void note(int value) { values[count++] = value; }
};

void take_one(Queue& queue, Taken& taken) {
  int value = 0;
  if (queue.take(value)) taken.note(value);
}

int times_taken(const Taken& taken, int value) {
  int times = 0;
  for (int i = 0; i < taken.count; ++i) times += taken.values[i] == value;
  return times;
}

// 1 was put before 2 by the same thread.
bool in_order(const Taken& taken) {
  bool second_seen = false;
  for (int i = 0; i < taken.count; ++i) {
    if (taken.values[i] == 1 && second_seen) return false;
    second_seen |= taken.values[i] == 2;
  }
  return true;
}

}  // namespace

int main() {
  Queue queue;
  Taken mixed, consumer, rest;
  {
    std::thread one([&] {
      queue.put(1);
      queue.put(2);
    });
    std::thread two([&] {
      queue.put(3);
      take_one(queue, mixed);
    });
    std::thread three([&] {
      take_one(queue, consumer);
      take_one(queue, consumer);
    });
    one.join();
    two.join();
    three.join();
  }
  int value = 0;
  while (rest.count < kValues && queue.take(value)) rest.note(value);
  for (int wanted = 1; wanted <= kValues; ++wanted)
    assert(times_taken(mixed, wanted) + times_taken(consumer, wanted) + times_taken(rest, wanted) == 1);
  assert(mixed.count + consumer.count + rest.count == kValues);
  assert(in_order(mixed) && in_order(consumer) && in_order(rest));
  return 0;
}
