// SPDX-License-Identifier: Apache-2.0
//
// CausalStack for executions in which threads are the only processes (SC): what
// comes before a step is a vector clock, and an index per word of memory finds the
// steps that it may depend on. So a step costs about as much as it has races,
// whatever the length of the execution.
//
// A thread's steps are in order. So of those that a clock does not cover, only the
// latest that touch a word need be looked at: what comes before them is covered
// then.
#pragma once

#include <unordered_map>

#include "check/causal_stack.h"

namespace heddle::check {

class ClockStack final : public CausalStack {
 public:
  size_t size() const override { return steps_.size(); }
  const Footprint& footprint(size_t position) const override { return steps_[position].footprint; }
  void cut(size_t size) override;
  void push(const RunPoint& point, Footprint footprint) override;
  const std::vector<size_t>& races() const override { return races_; }
  std::vector<size_t> races_of(const Footprint& waiting) const override;
  std::vector<size_t> firsts(size_t earlier, size_t later, const Footprint& footprint) const override;

 private:
  using Positions = std::vector<uint32_t>;  // ascending
  using ByThread = std::vector<Positions>;  // of the steps of each thread
  // By thread: so many of its first steps.
  class Clock {
   public:
    uint32_t of(causal::ThreadId thread) const { return thread < counts_.size() ? counts_[thread] : 0; }
    void raise(causal::ThreadId thread, uint32_t count);
    void join(const Clock& other);

   private:
    std::vector<uint32_t> counts_;
  };
  struct Step {
    Footprint footprint;
    std::vector<Process> possible;
    Clock before;         // and the step itself
    uint32_t number = 0;  // in its thread
  };
  struct Past {
    Clock certain;  // before it, whatever is turned round
    Clock all;
  };

  bool covers(const Clock& clock, size_t position) const {
    return clock.of(steps_[position].footprint.process.thread) > steps_[position].number;
  }
  bool allows(size_t position, Process process) const;
  Past past_of(const Footprint& footprint) const;
  std::vector<size_t> races(const Footprint& footprint, const Clock& certain) const;
  // Steps that the clock does not cover and that may be dependent, latest first; the visitor may raise the clock.
  template <typename Visit>
  void visit_uncovered(const Footprint& footprint, const Clock& clock, Visit visit) const;
  std::vector<uint64_t> words_of(const Footprint& footprint) const;
  // The first step of a thread after this position; none: size().
  size_t first_after(causal::ThreadId thread, size_t position) const;

  std::vector<Step> steps_;
  std::vector<size_t> races_;
  ByThread own_;
  std::unordered_map<uint64_t, ByThread> index_;  // by word that a step touches
  ByThread unindexed_;                            // steps that touch too many words, or everything
};

}  // namespace heddle::check
