// SPDX-License-Identifier: Apache-2.0
//
// CausalStack for any execution, also under TSO and PSO, where each store in a
// buffer is a process of its own: what comes before a step is a set of positions.
// Its cost grows with the square of the length of the execution.
#pragma once

#include <cstdint>

#include "check/causal_stack.h"

namespace heddle::check {

// A set of positions.
class Positions {
 public:
  bool has(size_t position) const {
    return position / 64 < words_.size() && (words_[position / 64] >> (position % 64) & 1);
  }
  void add(size_t position);
  void add(const Positions& others);

 private:
  std::vector<uint64_t> words_;
};

class BitsetStack final : public CausalStack {
 public:
  explicit BitsetStack(Races wanted) : wanted_(wanted) {}

  size_t size() const override { return steps_.size(); }
  const Footprint& footprint(size_t position) const override { return steps_[position].footprint; }
  void cut(size_t size) override { steps_.resize(size); }
  void push(const RunPoint& point, Footprint footprint) override;
  const std::vector<size_t>& races() const override { return races_; }
  std::vector<size_t> races_of(const Footprint& waiting) const override;
  std::vector<size_t> firsts(size_t earlier, size_t later, const Footprint& footprint) const override;

 private:
  struct Step {
    Footprint footprint;
    std::vector<Process> possible;
    Positions before;  // and the step itself
  };
  struct Past {
    Positions certain;  // before it, whatever is turned round
    Positions all;
  };
  bool allows(size_t position, Process process) const;
  Past past_of(const Footprint& footprint) const;
  std::vector<size_t> races(const Footprint& footprint, const Positions& certain) const;

  const Races wanted_;
  std::vector<Step> steps_;
  std::vector<size_t> races_;
};

}  // namespace heddle::check
