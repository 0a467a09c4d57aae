// SPDX-License-Identifier: Apache-2.0
//
// A bounded queue for many producers and consumers, without locks. Each cell has a
// sequence number that says whose turn it is: cell i may be filled by the producer
// with ticket i, and emptied by the consumer with ticket i when it is i + 1.
//
// The store that hands a cell over must be a release store: it says "the value is
// there". `handover` is a parameter so that the wrong one can be shown.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>

template <size_t kCells, std::memory_order handover = std::memory_order_release>
class Queue {
 public:
  Queue() {
    for (size_t i = 0; i < kCells; ++i) cells_[i].turn.store(i, std::memory_order_relaxed);
  }

  bool push(int value) {
    size_t ticket = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[ticket % kCells];
      const size_t turn = cell.turn.load(std::memory_order_acquire);
      if (turn == ticket) {
        if (!tail_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_relaxed)) continue;
        cell.value.store(value, std::memory_order_relaxed);
        cell.turn.store(ticket + 1, handover);
        return true;
      }
      if (turn < ticket) return false;  // full
      ticket = tail_.load(std::memory_order_relaxed);
    }
  }

  std::optional<int> pop() {
    size_t ticket = head_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[ticket % kCells];
      const size_t turn = cell.turn.load(std::memory_order_acquire);
      if (turn == ticket + 1) {
        if (!head_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_relaxed)) continue;
        const int value = cell.value.load(std::memory_order_relaxed);
        cell.turn.store(ticket + kCells, handover);
        return value;
      }
      if (turn < ticket + 1) return std::nullopt;  // empty
      ticket = head_.load(std::memory_order_relaxed);
    }
  }

 private:
  struct Cell {
    std::atomic<size_t> turn{0};
    std::atomic<int> value{0};
  };
  std::array<Cell, kCells> cells_;
  std::atomic<size_t> head_{0}, tail_{0};
};
