// SPDX-License-Identifier: Apache-2.0
#include "reproduce/system.h"

#include <fmt/format.h>

#include "abi/store_buffer.h"

namespace heddle::reproduce {

using schedule::MemoryModel;
using solve::Event;
using solve::kNoEvent;

namespace {

constexpr uint32_t kMostEvents = 60000;  // what comes before what takes their square in bits, twice

}  // namespace

System::System(const FailingRun& run, MemoryModel model, bool with_cores, base::Patience& patience)
    : run_(run), model_(model), patience_(patience) {
  for (uint32_t t = 0; t < run.threads.size(); ++t) {
    first_.push_back(static_cast<Event>(operations_.size()));
    for (uint32_t i = 0; i < run.threads[t].operations.size(); ++i) operations_.push_back({t, i});
  }
  issued_ = static_cast<Event>(operations_.size());
  in_memory_.resize(issued_);
  for (Event e = 0; e < issued_; ++e) {
    const Operation& operation = run.at(operations_[e]);
    in_memory_[e] = e;
    if (model == MemoryModel::kSc || !heddle_is_buffered(operation.kind, operation.order, operation.flags)) continue;
    in_memory_[e] = static_cast<Event>(operations_.size());
    operations_.push_back(operations_[e]);
  }
  steps_ = static_cast<Event>(operations_.size());
  if (steps_ > kMostEvents) {
    refuse(fmt::format("too much: {} operations", steps_));
    return;
  }
  if (run.failing_thread != kNobody && !run.threads[run.failing_thread].operations.empty()) {
    const uint32_t last = static_cast<uint32_t>(run.threads[run.failing_thread].operations.size()) - 1;
    failure_ = static_cast<Event>(operations_.size());
    operations_.push_back({run.failing_thread, last});
    edge(event({run.failing_thread, last}), failure_);
    for (uint32_t t = 0; t < run.threads.size(); ++t)
      if (run.threads[t].certain) edge(event({t, run.threads[t].certain - 1}), failure_);
  }
  add_program_order();
  add_beginning();
  add_threads();
  if (with_cores) add_cores();
  if (model != MemoryModel::kPso) add_times();
  add_locks();
  add_waits();
  add_barriers();
  add_semaphores();
  add_onces();
  problem_.events = static_cast<uint32_t>(operations_.size());
  if (problem_.events > kMostEvents) refuse(fmt::format("too much: {} operations", problem_.events));
  if (obstacle_.empty() && !is_out_of_time() && !closure_.reset(problem_.events, problem_.edges))
    refuse("what was recorded contradicts itself: operations would have to come before themselves");
}

Event System::in_memory(OperationId write) const { return in_memory_[event(write)]; }

void System::clause(solve::Clause literals) { problem_.clauses.push_back(std::move(literals)); }

void System::clause_about(OperationId id, solve::Clause literals) {
  if (may_come_later(id)) literals.push_back(solve::Literal::before(failure_, event(id)));
  clause(std::move(literals));
}

void System::put_off(OperationId id, const std::string& why) {
  if (!may_come_later(id)) return refuse(why);
  edge(failure_, event(id));
}

// What begins with this operation lasts until after the failure.
Event System::moment_after_failure(OperationId id) {
  const Event moment = static_cast<Event>(operations_.size());
  operations_.push_back(id);
  edge(event(id), moment);
  edge(failure_, moment);
  return moment;
}

void System::refuse(std::string why) {
  if (obstacle_.empty()) obstacle_ = std::move(why);
}

bool System::is_out_of_time() {
  if (!patience_.is_over()) return false;
  refuse(fmt::format("too much: time ({} operations, none explained yet)", steps_));
  return true;
}

uint64_t System::object(solve::Term address) {
  if (!run_.terms.is_constant(address)) refuse("which object a thread synchronised with depends on what it read");
  return run_.terms.is_constant(address) ? run_.terms.value(address) : 0;
}

void System::add_program_order() {
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    const uint32_t count = static_cast<uint32_t>(run_.threads[t].operations.size());
    for (uint32_t i = 1; i < count; ++i) edge(event({t, i - 1}), event({t, i}));
    if (model_ != MemoryModel::kSc) add_buffers(t);
  }
}

void System::add_beginning() {
  if (run_.beginning.empty()) return;
  std::vector<uint32_t> first(run_.threads.size(), 0);  // by thread: operations of the beginning
  for (size_t i = 0; i < run_.beginning.size(); ++i) {
    ++first[run_.beginning[i].thread];
    if (i) edge(event(run_.beginning[i - 1]), event(run_.beginning[i]));
  }
  for (uint32_t t = 0; t < run_.threads.size(); ++t)
    if (first[t] < run_.threads[t].operations.size()) edge(event(run_.beginning.back()), event({t, first[t]}));
}

// When the buffered stores of a thread may reach memory.
void System::add_buffers(uint32_t thread) {
  struct Store {
    OperationId id;
    uint32_t markers;
  };
  std::vector<Store> waiting;  // stores since the buffer was last empty for certain
  uint32_t markers = 0;
  const auto& operations = run_.threads[thread].operations;
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    const OperationId id = {thread, i};
    if (heddle_puts_marker(operation.kind, operation.order)) ++markers;
    if (heddle_waits_for_stores(operation.kind, operation.order, operation.flags)) {
      for (const Store& store : waiting) edge(in_memory(store.id), event(id));
      waiting.clear();
    }
    if (!is_buffered(id)) continue;
    edge(event(id), in_memory(id));
    if (model_ == MemoryModel::kTso) {  // in order: the last one stands for all before it
      if (!waiting.empty()) edge(in_memory(waiting.back().id), in_memory(id));
      waiting.assign(1, {id, markers});
      continue;
    }
    if (is_out_of_time()) return;
    const bool is_known = run_.terms.is_constant(operation.address);
    for (const Store& older : waiting) {
      // Addresses that are not known may be equal; then the order must be kept.
      const Operation& other = run_.at(older.id);
      const bool known = is_known && run_.terms.is_constant(other.address);
      const uint64_t one = run_.terms.value(operation.address), two = run_.terms.value(other.address);
      const bool apart = known && (one + operation.size <= two || two + other.size <= one);
      if (!known && older.markers == markers) is_exact_ = false;
      if (!apart || older.markers != markers) edge(in_memory(older.id), in_memory(id));
    }
    if (!is_known) waiting.clear();  // it comes after all of them, and whatever has to do with them after it
    std::erase_if(waiting, [&](const Store& older) {
      const Operation& other = run_.at(older.id);
      return other.address == operation.address && other.size == operation.size && older.markers == markers;
    });
    waiting.push_back({id, markers});
  }
}

// A core performs one thread after the other, and its buffer is empty when it
// changes to another thread.
void System::add_cores() {
  for (const std::vector<OperationId>& core : run_.cores) {
    Event last_write = kNoEvent;
    for (size_t i = 0; i < core.size(); ++i) {
      // Within a thread its own order says all that is to be said.
      if (i && core[i - 1].thread != core[i].thread) {
        edge(event(core[i - 1]), event(core[i]));
        if (last_write != kNoEvent && last_write != event(core[i - 1])) edge(last_write, event(core[i]));
      }
      if (writes_memory(run_.at(core[i]))) last_write = in_memory(core[i]);
    }
  }
}

// What was stored before a stamp is in memory by the time that another one may be compared with it.
void System::add_times() {
  for (const auto& [before, after] : run_.timed) {
    edge(event(before), event(after));
    uint32_t last = before.index + 1;
    while (last > 0 && !is_buffered({before.thread, last - 1})) --last;
    if (last > 0) edge(in_memory({before.thread, last - 1}), event(after));
  }
}

void System::add_threads() {
  std::vector<bool> created(run_.threads.size(), false);
  for (Event e = 0; e < issued_; ++e) {
    const OperationId id = operations_[e];
    const Operation& operation = run_.at(id);
    if (operation.kind == HEDDLE_EXIT && may_come_later(id)) edge(failure_, e);  // nobody fails after that
    if (operation.other == kNobody || semantics::gave_up(operation.flags)) continue;
    const uint32_t count = static_cast<uint32_t>(run_.threads[operation.other].operations.size());
    const HeddleEffect effect = semantics::effect_of(operation.kind);
    if (effect == HEDDLE_EFFECT_CREATE) {
      created[operation.other] = true;
      if (count) edge(e, event({operation.other, 0}));
    } else if (effect == HEDDLE_EFFECT_JOIN && failure_ != kNoEvent &&
               !run_.threads[operation.other].is_known_to_its_end) {
      put_off(id, "a thread waits for the end of another that is not known");
    } else if (effect == HEDDLE_EFFECT_JOIN && count) {
      edge(event({operation.other, count - 1}), e);
    }
  }
  for (uint32_t t = 1; t < run_.threads.size(); ++t)
    if (!created[t] && !run_.threads[t].operations.empty())
      refuse("nobody is known to have created thread " + run_.threads[t].name.text());
}

}  // namespace heddle::reproduce
