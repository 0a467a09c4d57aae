// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/reversibility.h"

#include <fmt/format.h>

#include "naming/event_order.h"
#include "propagate/reversibility/check_reversal.h"
#include "propagate/reversibility/conflicts.h"
#include "propagate/reversibility/reversal_search.h"

namespace heddle::propagate {
namespace {

using base::Error;
using base::Result;

std::optional<Error> unfit(const trace::Trace& trace) {
  if (!trace.complete)
    return Error{"the trace breaks off, so nothing can be said about other orders", "run the program again"};
  if (trace.ending.outcome != HEDDLE_OUTCOME_EXIT) {
    return Error{"the run of this trace did not end by itself", "take a run without a fault"};
  }
  if (trace.header.memory_model != "sc" && !trace.header.memory_model.empty()) {
    return Error{"stores of this run reached memory late (memory model " + trace.header.memory_model + ")",
                 "take a run with --memory=sc"};
  }
  return std::nullopt;
}

}  // namespace

Result<Reversibility> check_reversibility(const trace::Trace& trace, const ReversibilityOptions& options) {
  if (auto error = unfit(trace)) return *error;
  const naming::EventOrder order(trace);
  const SharedCells cells(trace);
  MustClocks clocks(trace.threads.size());
  Lifetimes lifetimes(cells, clocks, trace.threads.size());
  SyncGraph graph(trace, clocks, [&](uint64_t address, uint32_t thread) {
    return lifetimes.object_at(cells.cell_at(address), address, thread);
  });
  Conflicts conflicts(trace, cells, clocks, graph, lifetimes);
  for (const uint32_t event : order.events()) {
    conflicts.visit(event);
    graph.visit(event);
    if (!graph.problem().empty()) return Error{"the trace contradicts itself: " + graph.problem(), ""};
  }
  graph.finish();

  Reversibility result;
  result.shared_accesses = conflicts.shared_accesses();
  result.candidates = conflicts.candidates().size();
  ReversalSearch search(graph, options);
  const auto outcome = search.run(conflicts.candidates());
  result.queries = search.queries();
  if (outcome == ReversalSearch::Outcome::kFound && graph.unmodelled().empty()) {
    if (auto valid = check_reversal(trace, search.reversal()); !valid) return valid.error();
    result.verdict = Reversibility::Verdict::kReversible;
    result.reversal = search.reversal();
    return result;
  }
  result.reasons.assign(graph.unmodelled().begin(), graph.unmodelled().end());
  if (outcome == ReversalSearch::Outcome::kGaveUp) {
    result.reasons.push_back(fmt::format("locks may or may not keep {} pairs of stretches in order: the solver gave up",
                                         conflicts.candidates().size()));
  }
  result.verdict = result.reasons.empty() ? Reversibility::Verdict::kFixed : Reversibility::Verdict::kRefused;
  return result;
}

}  // namespace heddle::propagate
