// SPDX-License-Identifier: Apache-2.0
#include "check/learn/machine.h"

#include "base/check.h"
#include "check/choice_values.h"
#include "check/learn/race_watch.h"

namespace heddle::check::learn {

namespace {

bool overlap(const Point& one, const Point& other) {
  return one.address < other.address + other.size && other.address < one.address + one.size;
}

}  // namespace

Topic topic_of(uint8_t kind) {
  switch (semantics::family_of(kind)) {
    case HEDDLE_FAMILY_MEMORY:
    case HEDDLE_FAMILY_HEAP: return Topic::kMemory;
    case HEDDLE_FAMILY_EXTERN: return kind == HEDDLE_EXTERN_WRITE ? Topic::kMemory : Topic::kThread;
    default: return semantics::uses_object(kind) ? Topic::kObject : Topic::kThread;
  }
}

State Machine::initial() const {
  State state(model_.layout.size());
  const uint32_t slot = model_.thread_slots.at(causal::kMainThread);
  state.set(slot, model_.automata.root(causal::kMainThread, 0));
  return state;
}

Prediction Machine::predict(const State& state, const Step& step) const {
  const Point& point = at(state, step.thread);
  if (!point.is_known()) {
    return {point.standing == Standing::kUnknown && step.move == Move::kOperation, false, {}};
  }
  if (waits_for_buffer(state, point)) return {false, true, {}};
  switch (point.topic) {
    case Topic::kMemory: return predict_memory(state, point);
    case Topic::kObject: return predict_object(state, point, step);
    case Topic::kThread: break;
  }
  return predict_thread(state, point, step);
}

void Machine::perform(State& state, const Step& step, const Edge& edge) const {
  const PointId id = point_of(state, step.thread);
  const Point& point = model_.automata[id];
  if (edge.result.way != Way::kFailed) {
    if (model_.races) model_.races->perform(state, id, edge);
    switch (point.topic) {
      case Topic::kMemory: perform_memory(state, id, edge); break;
      case Topic::kObject: perform_object(state, point, step, edge); break;
      case Topic::kThread: perform_thread(state, point, edge); break;
    }
  }
  state.set(model_.thread_slots[step.thread], edge.next);
}

// Locals die: stores that wait for them are dropped.
void Machine::arrive(State& state, const Edge& edge) const {
  if (!edge.deaths || model_.memory == MemoryModel::kSc) return;
  for (const Range& death : model_.automata.deaths(edge)) {
    for (const uint32_t slot : model_.buffer_slots) {
      if (!slot || !state[slot]) continue;
      const StoreBuffers::Content content = model_.buffers.content(state[slot]);
      for (uint32_t place = static_cast<uint32_t>(content.size()); place-- > 0;) {
        if (content[place] == StoreBuffers::kMarker) continue;
        const Point& store = model_.automata[StoreBuffers::point(content[place])];
        if (store.address >= death.address + death.size || death.address >= store.address + store.size) continue;
        if (model_.races) model_.races->drop(state, store.thread, place);
        state.set(slot, model_.buffers.without(state[slot], place));
      }
    }
  }
}

bool Machine::is_awaited(const State& state, const Range& memory, ThreadId other_than) const {
  for (ThreadId thread = 0; thread < model_.buffer_slots.size(); ++thread) {
    if (thread == other_than || !model_.buffer_slots[thread]) continue;
    for (const uint32_t waiting : model_.buffers.content(state[model_.buffer_slots[thread]])) {
      if (waiting == StoreBuffers::kMarker) continue;
      const Point& store = model_.automata[StoreBuffers::point(waiting)];
      if (store.address < memory.address + memory.size && memory.address < store.address + store.size) return true;
    }
  }
  return false;
}

// The edge that the step takes; null: it is missing.
const Edge* Machine::edge_of(const State& state, const Point& point, const Step& step) const {
  uint64_t low = 0, high = 0;
  bool is_common = point.standing == Standing::kPerformed && !is_bad_for_block(state, point);
  switch (point.kind) {
    case HEDDLE_LOAD:
      if (!is_common) break;
      if (!buffer_of(state, step.thread) && is_within_word(point)) {
        low = read_word(state, point);
      } else {
        HEDDLE_CHECK(see(state, point, low, high), "only steps that are possible are taken");
      }
      break;
    case HEDDLE_STORE:
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END: break;
    default: is_common = false; break;
  }
  if (is_common) {
    for (const Edge& edge : point.edges)
      if (edge.result.lesson.value == low && edge.result.lesson.value2 == high && edge.result.way == Way::kDone)
        return &edge;
    return nullptr;
  }
  const Prediction prediction = predict(state, step);
  HEDDLE_CHECK(prediction.is_possible, "only steps that are possible are taken");
  return prediction.is_certain ? point.find(prediction.result) : nullptr;
}

bool Machine::apply(State& state, const Step& step, uint32_t* operations) const {
  if (step.move == Move::kFlush) {
    flush(state, step.thread, step.choice);
    return true;
  }
  const uint32_t slot = model_.thread_slots[step.thread];
  const Point& point = model_.automata[state[slot]];
  const Edge* edge = edge_of(state, point, step);
  if (!edge) return false;
  const bool is_done = !model_.races && edge->result.way == Way::kDone;
  if (is_done && point.kind == HEDDLE_LOAD) {
    state.set(slot, edge->next);
  } else if (is_done && point.kind == HEDDLE_STORE && model_.memory == MemoryModel::kSc && is_within_word(point)) {
    write_word(state, point, point.value);
    state.set(slot, edge->next);
  } else {
    perform(state, step, *edge);
  }
  for (;;) {
    if (operations) ++*operations;
    if (edge->deaths) arrive(state, *edge);
    // What happens together with it.
    const Point& next = model_.automata[edge->next];
    if (!next.is_glued) return true;
    edge = &next.edges.front();
    perform(state, step, *edge);
  }
}

bool Machine::may_flush(const StoreBuffers::Content& content, uint32_t place) const {
  if (content[place] == StoreBuffers::kMarker) return false;
  if (place == 0) return true;
  if (model_.memory == MemoryModel::kTso) return false;
  const Point& store = model_.automata[StoreBuffers::point(content[place])];
  for (uint32_t earlier = 0; earlier < place; ++earlier)
    if (StoreBuffers::is_marked(content[earlier + 1]) ||
        overlap(store, model_.automata[StoreBuffers::point(content[earlier])]))
      return false;
  return true;
}

void Machine::flush(State& state, ThreadId thread, uint32_t place) const {
  if (model_.races) model_.races->flush(state, thread, place);
  const uint32_t slot = model_.buffer_slots[thread], buffer = state[slot];
  const Point& store = model_.automata[StoreBuffers::point(model_.buffers.content(buffer)[place])];
  write_all(state, store, store.value, store.value2);
  state.set(slot, model_.buffers.without(buffer, place));
}

// Would one of the looks find something else now?
bool Machine::has_changed(const State& state, const Point& waiting) const {
  for (const Look& look : waiting.looks) {
    const Point& point = model_.automata[look.point];
    if (is_bad_for_block(state, point)) return true;
    if (point.size) {
      uint64_t low = 0, high = 0;
      if (!see(state, point, low, high) || low != look.lesson.value) return true;
    } else {
      const Prediction now = predict_object(state, point, {});
      if (!(now.result.lesson == look.lesson)) return true;
    }
  }
  return false;
}

bool Machine::is_in_loop(const State& state, ThreadId thread) const {
  const Point& point = at(state, thread);
  return point.is_known() && !point.looks.empty() && !has_changed(state, point);
}

const std::vector<uint32_t>& Machine::find_leaving(uint32_t buffer) const {
  if (buffer >= leaving_.size()) leaving_.resize(buffer + 1);
  std::vector<uint32_t>& places = leaving_[buffer];
  if (places.empty()) {
    const StoreBuffers::Content& content = model_.buffers.content(buffer);
    for (uint32_t place = 0; place < content.size(); ++place)
      if (may_flush(content, place)) places.push_back(place);
  }
  return places;
}

// As predict says, without the result where that can be done without.
bool Machine::is_possible(const State& state, const Point& point, const Step& step) const {
  if (point.topic == Topic::kMemory && point.is_known()) {
    const uint32_t buffer = buffer_of(state, point.thread);
    if (!buffer) return true;
    if (point.kind == HEDDLE_STORE) return heddle_is_buffered(point.kind, point.order, point.flags);
    if (waits_for_buffer(state, point)) return false;
    uint64_t low = 0, high = 0;
    if (point.kind == HEDDLE_LOAD && !point.block) return see(state, point, low, high);
  }
  if (point.kind == HEDDLE_THREAD_JOIN && !point.object && point.is_known())
    return has_ended(state, static_cast<ThreadId>(point.value)) && !buffer_of(state, point.thread);
  return predict(state, step).is_possible;
}

void Machine::find_operations(const State& state, const Point& point, ThreadId thread, std::vector<Step>& found) const {
  const uint8_t name = static_cast<uint8_t>(thread);
  if (point.standing != Standing::kUnknown && !point.is_known()) return;
  if (!point.looks.empty() && !has_changed(state, point)) return;
  const Step step = {Move::kOperation, name, point.standing != Standing::kPerformed, 0};
  if (is_possible(state, point, step)) {
    if (point.topic == Topic::kMemory) {
      found.push_back(step);
    } else if (point.kind == HEDDLE_NONDET && point.standing == Standing::kPerformed) {
      const uint64_t more = point.value2 - point.address;  // highest, lowest
      model_.leaves_out_values |= more >= kMostChoiceValues;
      for (uint64_t i = 0; i <= more && i < kMostChoiceValues; ++i)
        found.push_back({Move::kOperation, name, false, static_cast<uint32_t>(i)});
    } else if (point.is_known() && point.effect == HEDDLE_EFFECT_WAKE && wakes_one(point) &&
               object(state, point.object)) {
      const ThreadMask waiting = unpack<QueueState>(object(state, point.object)).waiting;
      for (uint32_t waiter = 0; waiter < kMostThreads; ++waiter)
        if (waiting.contains(waiter)) found.push_back({Move::kOperation, name, step.is_vague, waiter + 1});
    } else {
      found.push_back(step);
    }
  } else if (point.may_time_out && !waits_for_buffer(state, point)) {
    const Step timeout = {Move::kTimeout, name, false, 0};
    if (predict(state, timeout).is_possible) found.push_back(timeout);
  }
}

void Machine::steps_of(const State& state, ThreadId thread, std::vector<Step>& found) const {
  if (!point_of(state, thread)) return;
  if (const uint32_t buffer = buffer_of(state, thread))
    for (const uint32_t place : leaving(buffer))
      found.push_back({Move::kFlush, static_cast<uint8_t>(thread), false, place});
  operations_of(state, thread, found);
}

void Machine::steps(const State& state, std::vector<Step>& found) const {
  if (state[Layout::kEnded]) return;
  if (const uint32_t owner = state[Layout::kAtomic]) {
    const size_t before = found.size();
    steps_of(state, owner - 1, found);
    if (found.size() > before) return;
  }
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread)
    if (model_.thread_slots[thread]) steps_of(state, thread, found);
}

}  // namespace heddle::check::learn
