// SPDX-License-Identifier: Apache-2.0
//
// How an execution is followed; note_point.cpp has what is noted at a point.
#include "check/learn/execution_reader.h"

#include <algorithm>

#include "check/learn/recorded_operation.h"
#include "schedule/schedule.h"

namespace heddle::check::learn {

using causal::EventId;
using causal::Execution;
using causal::Happening;
using schedule::StepKind;

std::optional<Mismatch> ExecutionReader::read(const Execution& execution,
                                              const std::vector<property::PlannedStep>& plan) {
  execution_ = &execution;
  mismatch_.reset();
  corrects_ = false;
  note_initial();
  note_heap();
  note_fates();
  progress_.assign(execution.threads.size(), {});
  path_.clear();
  queues_.clear();
  woken_by_plan_.clear();
  for (size_t i = 0; i + 1 < plan.size(); ++i)
    if (plan[i + 1].kind == StepKind::kWake) woken_by_plan_[plan[i].event] = plan[i + 1].event.thread;
  know_thread(causal::kMainThread);
  state_ = machine_.initial();
  for (const Happening& happening : execution.order)
    if (!follow(happening)) break;
  if (!mismatch_ && !execution.untracked.empty()) refuse("changes of memory by code that Heddle does not see");
  if (!mismatch_) note_waiting();
  note_locals();
  return std::move(mismatch_);
}

void ExecutionReader::know_thread(ThreadId thread) {
  if (model_.thread_slots.size() <= thread) {
    model_.thread_slots.resize(thread + 1, 0);
    model_.buffer_slots.resize(thread + 1, 0);
  }
  if (model_.thread_slots[thread]) return;
  model_.thread_slots[thread] = model_.layout.slot(Space::kThread, thread);
  if (model_.memory != MemoryModel::kSc) model_.buffer_slots[thread] = model_.layout.slot(Space::kBuffer, thread);
  state_.grow(model_.layout.size());
}

bool ExecutionReader::refuse(const std::string& text) {
  mismatch_ = {Mismatch::Kind::kUnsupported, text};
  return false;
}

bool ExecutionReader::follow(const Happening& happening) {
  if (happening.event.thread >= kMostThreads) return refuse("more than 32 threads");
  return happening.is_flush ? follow_flush(happening) : follow_operation(execution_->operation(happening.event));
}

bool ExecutionReader::follow_flush(const Happening& happening) {
  const ThreadId thread = happening.event.thread;
  std::vector<uint32_t>& stores = progress_[thread].stores;
  const auto found = std::find(stores.begin(), stores.end(), happening.event.index);
  const uint32_t place = static_cast<uint32_t>(found - stores.begin());
  if (found == stores.end())
    return differ(execution_->operation(happening.event), {"nothing: no such store was waiting", 0},
                  "store that reaches memory");
  stores.erase(found);
  if (happening.is_dropped) return true;
  const StoreBuffers::Content& waiting = model_.buffers.content(machine_.buffer_of(state_, thread));
  const bool is_there =
      place < waiting.size() && waiting[place] != StoreBuffers::kMarker &&
      model_.automata[StoreBuffers::point(waiting[place])].address == execution_->operation(happening.event).address;
  if (!is_there) return refuse("stores to locals that end while the stores wait, seen in another order before");
  machine_.flush(state_, thread, place);
  path_.push_back({Move::kFlush, static_cast<uint8_t>(thread), false, place});
  return true;
}

Result ExecutionReader::result_of(const HeddleRecord& record, const Point& point) const {
  if (causal::tells_misuse(record)) return {};
  if (record.kind == HEDDLE_FAIL) {
    const bool is_by_block = model_.heap.is_tracked(point.block) && !point.object && concerns_block(record);
    return {Way::kFailed, {is_by_block ? record.value : 0, 0}};
  }
  if (record.kind == HEDDLE_ALLOC && model_.heap.reuses()) return {Way::kDone, {record.address, 0}};
  if (semantics::effect_of(record) == HEDDLE_EFFECT_LEAVE) return {Way::kGaveUp, causal::lesson_of(record)};
  if (semantics::effect_of(record) == HEDDLE_EFFECT_JOIN) {
    const auto& operations = execution_->threads[record.value].operations;
    const bool returns = !semantics::gave_up(record) && !operations.empty();
    return {Way::kDone, {returns ? operations.back().value : 0, record.flags}};
  }
  return {Way::kDone, causal::teaches(record) ? causal::lesson_of(record) : Lesson{}};
}

Step ExecutionReader::step_of(const HeddleRecord& record) {
  Step step = {Move::kOperation, static_cast<uint8_t>(record.thread), false, 0};
  if (record.kind != HEDDLE_COND_RESUME && (record.flags & HEDDLE_FLAG_TIMEOUT)) step.move = Move::kTimeout;
  if (record.kind == HEDDLE_NONDET) step.choice = static_cast<uint32_t>(record.value - record.address);
  if (record.kind == HEDDLE_COND_SIGNAL) step.choice = static_cast<uint32_t>(record.value);
  if (record.kind == HEDDLE_NOTIFY && semantics::most_woken(record) == 1 && record.value == 1) {
    // The record does not say who was woken: the plan does, or it was who had waited longest.
    std::deque<ThreadId>& queue =
        queues_[*model_.layout.find(Space::kObject, object_key(HEDDLE_FAMILY_WORD, record.address))];
    const auto planned = woken_by_plan_.find({record.thread, record.index});
    const ThreadId woken = planned != woken_by_plan_.end() ? planned->second : queue.empty() ? 0 : queue.front();
    step.choice = woken + 1;
  }
  return step;
}

bool ExecutionReader::follow_operation(const HeddleRecord& record) {
  const ThreadId thread = record.thread;
  const PointId id = machine_.point_of(state_, thread);
  if (!id) return differ(record, {"nothing: the thread was not created", 0});
  if (!note_operation(id, record)) return false;
  if (record.kind == HEDDLE_ALLOC && !note_allocation(id, record)) return false;
  if (const Point& point = model_.automata[id];
      record.kind == HEDDLE_FAIL && point.kind == HEDDLE_FAIL && model_.heap.is_tracked(point.block))
    model_.heap.note_failure(id, state_[point.block], record.value);
  if (record.kind == HEDDLE_COND_INIT && (record.flags & HEDDLE_FLAG_MISUSE))
    return refuse("condition variables that are initialised while a thread waits there");
  note_looks(id, {thread, record.index});
  if (record.kind == HEDDLE_ASSUME) return true;  // the run ends here
  const Step step = step_of(record);
  const Result result = result_of(record, model_.automata[id]);
  const Prediction prediction = machine_.predict(state_, step);
  if (!model_.automata[id].is_glued) {
    const bool only_machine_misuses = prediction.is_certain && semantics::uses_object(record.kind) &&
                                      (prediction.result.lesson.value2 & HEDDLE_FLAG_MISUSE) &&
                                      !(record.flags & HEDDLE_FLAG_MISUSE);
    if (only_machine_misuses && machine_.is_destroyed(state_, model_.automata[id]))
      return refuse("an object of synchronisation among the locals of a function, where an earlier one was destroyed");
    if (!prediction.is_possible) return differ(record, {"that it has to wait", record.site});
    if (prediction.is_certain && !(prediction.result == result))
      return differ_in_value(record, "result", prediction.result.lesson.value, result.lesson.value);
  }
  const Edge* edge = model_.automata[id].find(result);
  uint32_t deaths = 0;
  if (!edge) {
    Edge fresh;
    fresh.result = result;
    fresh.flags = record.flags;
    fresh.order = record.order;
    fresh.value = record.value;
    fresh.value2 = record.value2;
    fresh.deaths = note_deaths(record);
    std::optional<Alike> key;
    const PointId known = alike(record, key);
    const PointId next = model_.automata.add_edge(id, fresh, known, causal::teaches(record));
    edge = model_.automata[id].find(result);
    footprints_.add_edge(id, *edge);
    const bool says_more = semantics::uses_object(record.kind) && semantics::form_of(record) == HEDDLE_FORM_PROMPT &&
                           (record.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_MISUSE));
    if (says_more || (record.kind == HEDDLE_ALLOC && model_.heap.reuses())) footprints_.add(id);
    if (known) {
      footprints_.add_way(id, known);
      ++merged_;
      model_.has_merged = true;
    } else {
      if (key) alike_.emplace(*key, next);
      note_arrival(next, record, *edge);
    }
  } else if (!edge->deaths && model_.memory != MemoryModel::kSc && (deaths = note_deaths(record))) {
    // When it was seen first, the thread had to wait before its locals ended.
    model_.automata.set_deaths(id, result, deaths);
    footprints_.add_edge(id, *edge);
    corrects_ = true;
  } else if ((record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS) && edge->value2 != record.value2) {
    return differ_in_value(record, "new value", edge->value2, record.value2);
  }
  progress_[thread].path.push_back({id, result});
  if (!model_.automata[id].is_glued) path_.push_back(step);
  const bool is_buffered = causal::is_buffered(record, model_.memory);
  machine_.perform(state_, step, *edge);
  machine_.arrive(state_, *edge);
  if (is_buffered) progress_[thread].stores.push_back(record.index);
  if (semantics::family_of(record) == HEDDLE_FAMILY_WORD) follow_queue(record, model_.automata[id].object, step);
  return true;
}

// Of a futex word: who has waited longest.
void ExecutionReader::follow_queue(const HeddleRecord& record, uint32_t object, const Step& step) {
  std::deque<ThreadId>& queue = queues_[object];
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_WAIT:
      if (!semantics::gave_up(record)) queue.push_back(record.thread);
      break;
    case HEDDLE_EFFECT_RESUME: std::erase(queue, record.thread); break;
    case HEDDLE_EFFECT_WAKE:
      if (semantics::most_woken(record) > 1) {
        queue.clear();
      } else if (step.choice) {
        std::erase(queue, step.choice - 1);
      }
      break;
    default: break;
  }
}

// What threads were about to do when the execution ended.
void ExecutionReader::note_waiting() {
  const HeddleOutcome outcome = execution_->ending.outcome;
  for (const causal::Waiting& waiting : execution_->waiting) {
    const PointId id = machine_.point_of(state_, waiting.thread);
    if (!id) continue;
    Point& point = model_.automata[id];
    const uint32_t index = execution_->length(waiting.thread);
    HeddleRecord record = waiting.record;
    record.kind = static_cast<uint8_t>(waiting.record.value2);
    record.value = record.value2 = 0;
    record.index = index;
    if (point.standing == Standing::kUnknown) {
      if (record.kind == HEDDLE_EVENT_NONE || record.kind == HEDDLE_FAIL) continue;
      if (semantics::effect_of(record) == HEDDLE_EFFECT_JOIN) {
        if (!waiting.record.value) continue;
        record.value = waiting.record.value - 1;
        if (record.value >= execution_->threads.size()) continue;
      }
      if (semantics::uses_object(record.kind)) record.value2 = known_type(record);
      if (!note_operation(id, record)) return;
      model_.automata[id].standing = Standing::kAnnounced;
      footprints_.add(id);
    }
    note_looks(id, {waiting.thread, index});
  }
  if (outcome != HEDDLE_OUTCOME_BOUND && !(outcome == HEDDLE_OUTCOME_LIVELOCK && execution_->ending.detail)) return;
  for (ThreadId thread = 0; thread < execution_->threads.size(); ++thread) {
    const PointId id = machine_.point_of(state_, thread);
    if (id &&
        (model_.automata[id].standing == Standing::kUnknown || model_.automata[id].standing == Standing::kAnnounced))
      model_.automata[id].standing = Standing::kStuck;
  }
}

}  // namespace heddle::check::learn
