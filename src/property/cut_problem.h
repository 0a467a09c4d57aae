// SPDX-License-Identifier: Apache-2.0
//
// Is this part of an execution possible, with these results? The part is a cut
// (of each thread its first operations), perhaps with one last operation that
// turns out differently. The question becomes an order problem: one event per
// operation; for a buffered store, the moment when it reaches memory. The
// solver's order becomes steps of a schedule that runs it.
//
//   CutProblem problem(dependences, model);
//   if (problem.build(cut, &alternative))
//     if (answer = solver.solve(problem.order_problem()); ...)
//       steps = problem.steps(answer.order);
//
// Rules of the memory models are those of docs/explanation and of the runtime
// (src/abi/store_buffer.h). One file per topic: cut_memory.cpp (values read),
// cut_locks.cpp, cut_waits.cpp (conditions, notifications), cut_tokens.cpp
// (semaphores, barriers, one-time initialisation).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "causal/cut.h"
#include "causal/needs.h"
#include "causal/operation.h"
#include "property/observed_places.h"
#include "property/plan.h"
#include "solve/order_problem.h"

namespace heddle::property {

class CutProblem {
 public:
  // What is given must outlive the questions about it.
  CutProblem(const causal::Dependences& dependences, causal::MemoryModel model);
  // For questions about one execution after the other.
  explicit CutProblem(causal::MemoryModel model) : model_(model) {}
  void look_at(const causal::Dependences& dependences, const ObservedPlaces& places);

  // False: plainly impossible, no need to ask. The alternative, if any, is the
  // last operation of its thread in the cut, or a load on which nothing after it
  // depends. Threads that are `asleep` end the cut with a wait, and nobody has
  // woken them. When all is done and all stores have reached memory,
  // `last_looks` (reads in the cut) would find the same again.
  bool build(const causal::Cut& cut, const causal::Alternative* alternative = nullptr,
             std::span<const causal::ThreadId> asleep = {}, std::span<const causal::EventId> last_looks = {});
  // Loads that may return anything, from now on; ascending. They must outlive the builds.
  void set_free(std::span<const causal::EventId> loads) { free_ = loads; }
  const solve::OrderProblem& order_problem() const { return problem_; }
  // For further constraints, after build. kNoEvent: the operation has no event of its own.
  solve::OrderProblem& order_problem() { return problem_; }
  solve::Event event_of(causal::EventId event) const { return events_[event.thread][event.index]; }
  causal::EventId operation_of(solve::Event event) const { return operations_[event]; }
  // After build: every other operation comes before this one; buffered stores need not have reached memory.
  void put_last(causal::EventId event);

  // Steps that perform the cut in this order of the problem's events.
  std::vector<PlannedStep> steps(const std::vector<solve::Event>& order) const;

 private:
  struct Waiter;
  struct Queue;
  const HeddleRecord& operation(causal::EventId event) const;
  solve::Event new_event(causal::EventId event);
  bool is_last_look(solve::Event event) const { return operations_[event].thread == kNobody; }
  void edge(solve::Event before, solve::Event after);
  void clause(solve::Clause literals) { problem_.clauses.push_back(std::move(literals)); }
  // Empty, with memory of earlier questions.
  solve::Read new_read();
  uint32_t new_choice() { return problem_.choices++; }

  void add_thread(causal::ThreadId thread);
  void add_creation_and_end();
  void add_reads();
  void add_read(causal::EventId event);
  void add_last_looks(std::span<const causal::EventId> looks);
  void add_lifetimes();
  void add_locks();
  void add_failed_attempts();
  void add_atomic_sections();
  void add_waits();
  void add_queue(const Queue& queue);
  void add_semaphores();
  void add_barriers();
  void add_initialisations();
  void add_hint();

  static constexpr causal::ThreadId kNobody = ~0u;

  const causal::MemoryModel model_;
  const std::unique_ptr<const ObservedPlaces> own_places_;  // null: they belong to somebody else
  const causal::Dependences* dependences_ = nullptr;
  const causal::Execution* execution_ = nullptr;
  const ObservedPlaces* places_ = nullptr;

  // Of the cut at hand.
  const causal::Cut* cut_ = nullptr;
  const causal::Alternative* alternative_ = nullptr;
  std::span<const causal::ThreadId> asleep_;
  std::span<const causal::EventId> free_;
  bool possible_ = true;
  std::vector<std::vector<solve::Event>> events_;
  std::vector<causal::EventId> operations_;             // by event: the operation it stands for
  std::vector<std::vector<solve::Event>> last_events_;  // by thread: those that nothing of the thread follows
  solve::OrderProblem problem_;
  std::vector<solve::Read> used_reads_;  // of earlier questions
};

}  // namespace heddle::property
