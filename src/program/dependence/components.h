// SPDX-License-Identifier: Apache-2.0
//
// Strongly connected components of a graph (Tarjan's algorithm, without
// recursion: graphs here are as deep as programs are long).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::program {

struct Components {
  std::vector<uint32_t> of;  // by node; all that a component's nodes lead to has lower numbers
  uint32_t count = 0;
};

// `successor(node, i)` gives the i-th successor, `successors(node)` how many there are.
template <typename Successors, typename Successor>
Components strong_components(uint32_t nodes, const Successors& successors, const Successor& successor) {
  constexpr uint32_t kOpen = UINT32_MAX;
  Components result;
  result.of.assign(nodes, kOpen);
  std::vector<uint32_t> number(nodes, 0), low(nodes, 0), stack;
  struct Frame {
    uint32_t node;
    size_t next;
  };
  std::vector<Frame> frames;
  uint32_t next_number = 0;
  const auto enter = [&](uint32_t node) {
    number[node] = low[node] = ++next_number;
    stack.push_back(node);
    frames.push_back({node, 0});
  };
  for (uint32_t root = 0; root < nodes; ++root) {
    if (number[root]) continue;
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const uint32_t node = frame.node;
      if (frame.next < successors(node)) {
        const uint32_t to = successor(node, frame.next++);
        if (!number[to]) {
          enter(to);
        } else if (result.of[to] == kOpen) {
          low[node] = std::min(low[node], number[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != number[node]) continue;
      uint32_t member;
      do {
        member = stack.back();
        stack.pop_back();
        result.of[member] = result.count;
      } while (member != node);
      ++result.count;
    }
  }
  return result;
}

}  // namespace heddle::program
