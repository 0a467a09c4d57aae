// SPDX-License-Identifier: Apache-2.0
//
// What was explored, for people: executions as a tree. They share their beginnings,
// and part where another thread goes on or a read sees something else:
//
//   step 6   T0.0 reads counter: 0     12 executions, 1 fails
//     step 9   T0.1 reads counter: 0    5
//     step 9   T0.0 writes counter: 1   7
//
// Whatever explorer chose them, the tree is made of the orders that were run. It keeps
// each shared beginning once. Executions beyond the first kMostExecutions, and those
// that would need more than kMostSteps in all, are only counted: so the cost of a long
// check does not grow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "causal/execution.h"

namespace heddle::check {

// One way to go on after what its parent shares.
struct Branch {
  uint32_t parent = 0;    // place in the list, before this one; of the first: itself
  uint32_t step = 0;      // of the execution, from 0: where it parts from its siblings
  uint32_t steps = 0;     // until its executions part again, or end
  std::string thread;     // who goes on, and what it does there
  uint8_t kind = 0;       // HeddleKind; HEDDLE_EVENT_NONE for executions that end here
  uint8_t size = 0;       // of what is read or written, in bytes
  bool is_flush = false;  // a buffered store reaches memory
  uint32_t site = 0;
  uint64_t value = 0;
  uint32_t executions = 0, blocked = 0, failed = 0;
};

struct Exploration {
  std::vector<Branch> branches;  // parents first; children in the order in which they were explored
  uint64_t left_out = 0;         // executions that are not in the tree
};

class ExplorationTree {
 public:
  static constexpr size_t kMostExecutions = 1000, kMostSteps = 200'000;

  void add(const causal::Execution& execution, bool fails);
  Exploration exploration(const causal::ThreadTable& threads) const;

 private:
  struct Step {
    causal::ThreadId thread;
    uint32_t site;
    uint64_t value;
    uint8_t kind, size;
    bool is_flush;
    bool operator==(const Step&) const = default;
  };
  struct Node {
    size_t begin = 0, end = 0;  // in steps_
    std::vector<size_t> children;
    uint32_t executions = 0, blocked = 0, failed = 0;
  };

  static Step step_of(const causal::Execution& execution, const causal::Happening& happening);
  void split(size_t node, size_t length);
  const Step& telling_step(const Node& node) const;

  std::vector<Step> steps_;
  std::vector<Node> nodes_;  // the first is the beginning that all share
  size_t executions_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace heddle::check
