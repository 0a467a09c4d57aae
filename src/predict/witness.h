// SPDX-License-Identifier: Apache-2.0
//
// Is a predicted order possible, as far as a trace can tell? A plain machine
// goes through the events before the window as they were, then through the plan,
// and asks at each step: is it its thread's next operation, is the lock free, has
// the thread ended that is joined, does the read find what it found? Shares
// nothing with the questions that were put to the solver, nor with what they were
// made from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "causal/execution.h"
#include "predict/witness_machine.h"
#include "property/plan.h"
#include "trace/trace.h"

namespace heddle::predict {

class Witness {
 public:
  // The trace must outlive this.
  explicit Witness(const trace::Trace& trace);

  // Events [0, begin) as they were, then the plan. What `last` reads does not
  // matter. Empty, or why it is not possible.
  std::string check(size_t begin, std::span<const property::PlannedStep> plan, std::span<const causal::EventId> last);

  // The plan from the beginning; then nobody can go on. Empty, or why not.
  std::string check_halt(std::span<const property::PlannedStep> plan);

  // Events [0, begin) as they were, then the plan; then each of these threads waits for one of them. Empty, or why not.
  std::string check_circle(size_t begin, std::span<const property::PlannedStep> plan,
                           std::span<const uint32_t> threads);

  // The plan from the beginning; its last step uses memory that is freed. Empty, or why not.
  std::string check_use_after_free(std::span<const property::PlannedStep> plan);

 private:
  // Where the trace stands before event `begin`. Cheap if it is called for places that come later and later.
  WitnessMachine machine_at(size_t begin);
  // Of each thread what it would do next, if the trace knows.
  std::vector<std::optional<HeddleRecord>> next_operations(const WitnessMachine& machine) const;
  std::string follow(WitnessMachine& machine, size_t begin, std::span<const property::PlannedStep> plan,
                     std::span<const causal::EventId> last);

  const trace::Trace& trace_;
  std::optional<WitnessMachine::Memory> initial_;  // what memory held at first; made when first needed
  std::optional<WitnessMachine> history_;          // the trace up to `history_end_`, as it was
  size_t history_end_ = 0;
};

}  // namespace heddle::predict
