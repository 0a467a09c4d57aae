// SPDX-License-Identifier: Apache-2.0
//
// The part of the constraints that is about order alone, as an order problem
// (solve/order_problem.h): the memory model (each thread keeps its own order; a
// buffered store reaches memory at an event of its own), synchronisation
// (creation, joins, locks, waits), and, if asked for, the order in which each
// core performed its operations, and what the clock says. Values come in with ReadConstraints.
#pragma once

#include <string>
#include <vector>

#include "base/patience.h"
#include "reproduce/failing_run.h"
#include "schedule/memory_model.h"
#include "solve/closure.h"
#include "solve/order_problem.h"

namespace heddle::reproduce {

class System {
 public:
  System(const FailingRun& run, schedule::MemoryModel model, bool with_cores, base::Patience& patience);

  // Empty if there is nothing that rules out all orders at once, or that is not understood.
  const std::string& obstacle() const { return obstacle_; }

  // False: some orders that the memory model allows are left out (PSO: stores to places that are not known keep their
  // order).
  bool is_exact() const { return is_exact_; }

  solve::OrderProblem& problem() { return problem_; }
  // What the edges alone say.
  const solve::Closure& closure() const { return closure_; }

  solve::Event event(OperationId id) const { return first_[id.thread] + id.index; }
  // When a write is in memory.
  solve::Event in_memory(OperationId write) const;
  bool is_buffered(OperationId write) const { return in_memory(write) != event(write); }
  OperationId operation(solve::Event event) const { return operations_[event]; }
  bool is_flush(solve::Event event) const { return event >= issued_ && event < steps_; }
  // Operations and flushes; events from here on only stand for moments.
  uint32_t steps() const { return steps_; }
  // The moment when the failing thread has performed all its operations; others may come later, and do not
  // matter then. kNoEvent: no thread is known to have failed.
  solve::Event failure() const { return failure_; }

  // It may come after the failure, and then need not be possible at all.
  bool may_come_later(OperationId id) const {
    return failure_ != solve::kNoEvent && id.thread != run_.failing_thread &&
           id.index >= run_.threads[id.thread].certain;
  }
  // The clause, unless the operation comes after the failure.
  void clause_about(OperationId id, solve::Clause literals);

  void edge(solve::Event before, solve::Event after) { problem_.edges.push_back({before, after}); }
  void clause(solve::Clause literals);
  uint32_t new_choice() { return problem_.choices++; }

  const FailingRun& run() const { return run_; }
  schedule::MemoryModel model() const { return model_; }

 private:
  struct Queue;
  void add_program_order();
  void add_beginning();
  void add_buffers(uint32_t thread);
  void add_cores();
  void add_times();
  void add_threads();
  void add_locks();
  void add_waits();
  void add_queue(const Queue& queue);
  void add_leaves(const Queue& queue, const std::vector<std::vector<uint32_t>>& wakes);
  void add_onces();
  void add_barriers();
  void add_semaphores();
  // The object of a synchronisation; its address must be known.
  uint64_t object(solve::Term address);
  void refuse(std::string why);
  // Looks whether there is time left; if not, it is an obstacle.
  bool is_out_of_time();
  // This operation is not possible before the failure, and there is a reason to refuse if it must be.
  void put_off(OperationId id, const std::string& why);
  solve::Event moment_after_failure(OperationId id);

  const FailingRun& run_;
  const schedule::MemoryModel model_;
  base::Patience& patience_;
  solve::OrderProblem problem_;
  solve::Closure closure_;
  std::string obstacle_;
  bool is_exact_ = true;
  std::vector<solve::Event> first_;      // by thread
  std::vector<solve::Event> in_memory_;  // by event of an operation
  std::vector<OperationId> operations_;  // by event
  solve::Event issued_ = 0, steps_ = 0;  // events below the one are operations, below the other flushes
  solve::Event failure_ = solve::kNoEvent;
};

}  // namespace heddle::reproduce
