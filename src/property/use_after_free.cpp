// SPDX-License-Identifier: Apache-2.0
#include "property/use_after_free.h"

#include <set>

#include "causal/operation.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"

namespace heddle::property {

using causal::Cut;
using causal::EventId;
using causal::Execution;

namespace {

// Uses by other threads of the block that `release` frees, since it was allocated.
std::vector<EventId> uses_of(const causal::Dependences& dependences, EventId release) {
  const Execution& execution = dependences.execution();
  const uint64_t address = execution.operation(release).address, size = dependences.block_size(address);
  std::vector<EventId> uses;
  for (const causal::Happening& happening : execution.order) {
    if (happening.is_flush) continue;
    const HeddleRecord& operation = execution.operation(happening.event);
    if (happening.event == release) break;
    if (operation.kind == HEDDLE_ALLOC && operation.address == address) uses.clear();
    if (!causal::accesses_memory(operation) || operation.address - address >= size ||
        happening.event.thread == release.thread)
      continue;
    if (!dependences.must_order().before(happening.event, release)) uses.push_back(happening.event);
  }
  return uses;
}

class Search {
 public:
  Search(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask)
      : execution_(dependences.execution()), closure_(dependences), problem_(dependences, model), ask_(ask) {}

  bool comes_late(EventId use, EventId release) {
    Cut required(execution_.threads.size(), 0), limits(execution_.threads.size(), ~0u);
    required[release.thread] = release.index + 1;
    required[use.thread] = limits[use.thread] = use.index;
    const auto cuts = closure_.close_within(required, limits);
    if (!cuts) result_.is_complete = false;
    if (!cuts) return false;
    for (const Cut& cut : *cuts) {
      if (!problem_.build(cut)) continue;
      const solve::Answer answer = ask_(problem_.order_problem());
      if (answer.kind == solve::Answer::Kind::kUnknown) result_.is_complete = false;
      if (answer.kind != solve::Answer::Kind::kOrder) continue;
      result_.found.push_back({use, release, problem_.steps(answer.order)});
      result_.found.back().plan.push_back({schedule::StepKind::kOp, use, execution_.operation(use).site, 0});
      return true;
    }
    return false;
  }

  UseAfterFreeSearch take() { return std::move(result_); }

 private:
  const Execution& execution_;
  CutClosure closure_;
  CutProblem problem_;
  const AskSolver& ask_;
  UseAfterFreeSearch result_;
};

}  // namespace

bool may_use_after_free(const Execution& execution) {
  for (const causal::ThreadPart& part : execution.threads)
    for (const HeddleRecord& operation : part.operations)
      if (operation.kind == HEDDLE_FREE && operation.address != 0) return true;
  return false;
}

UseAfterFreeSearch find_uses_after_free(const causal::Dependences& dependences, schedule::MemoryModel model,
                                        const AskSolver& ask, const std::function<bool(const HeddleRecord&)>& is_new) {
  const Execution& execution = dependences.execution();
  Search search(dependences, model, ask);
  std::set<uint32_t> sites;
  for (const causal::Happening& happening : execution.order) {
    const HeddleRecord& operation = execution.operation(happening.event);
    if (happening.is_flush || operation.kind != HEDDLE_FREE || operation.address == 0) continue;
    for (const EventId use : uses_of(dependences, happening.event)) {
      const HeddleRecord& record = execution.operation(use);
      if (sites.count(record.site) || !is_new(record)) continue;
      if (search.comes_late(use, happening.event)) sites.insert(record.site);
    }
  }
  return search.take();
}

}  // namespace heddle::property
