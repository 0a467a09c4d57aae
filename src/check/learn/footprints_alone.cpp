// SPDX-License-Identifier: Apache-2.0
//
// Which step may go first without looking at the others.
#include "check/learn/footprints.h"

namespace heddle::check::learn {

namespace {

constexpr int kMostLookedAhead = 64;

}  // namespace

// Follows the thread as long as there is only one way.
Footprints::Ahead Footprints::look_ahead(PointId joining, ThreadId thread) {
  Ahead ahead;
  ahead.is_known = true;
  PointId id = joining;
  for (int passed = 0; passed < kMostLookedAhead; ++passed) {
    const Point& point = model_.automata[id];
    if (point.is_known() && point.kind == HEDDLE_THREAD_JOIN && !point.object && point.value == thread) return ahead;
    if (point.standing != Standing::kPerformed || point.edges.size() != 1 || point.kind == HEDDLE_THREAD_CREATE) break;
    Entry& known = entry(id);
    known.is_passed = known.is_used = true;
    ahead.touch.add(known.own);
    id = point.edges[0].next;
  }
  ahead.rest = id;
  return ahead;
}

const Footprints::Ahead& Footprints::ahead(PointId joining, ThreadId thread) {
  Entry& known = entries_[joining];
  if (!known.ahead) [[unlikely]] {
    known.ahead = static_cast<uint32_t>(aheads_.size());
    aheads_.emplace_back();
  }
  Aheads& aheads = aheads_[known.ahead];
  if (aheads.version != version_ || aheads.by_thread.size() <= thread) [[unlikely]] {
    aheads.version = version_;
    aheads.by_thread.assign(model_.thread_slots.size(), {});
  }
  Ahead& found = aheads.by_thread[thread];
  if (!found.is_known) [[unlikely]]
    found = look_ahead(joining, thread);
  return found;
}

// What threads may still do: places that one of them touches, and places that two do. Those
// that wait for another one to end are left out. The result: those whose next operation nobody notices.
uint32_t Footprints::gather(const State& state, Touch& all_once, Touch& all_twice) {
  size_t count = 0, joining = 0;
  Touch once, twice;
  uint32_t idle = 0;
  const uint32_t* const words = state.words().data();
  const uint32_t* const slots = model_.thread_slots.data();
  const uint32_t* const buffers = model_.memory == MemoryModel::kSc ? nullptr : model_.buffer_slots.data();
  Entry* const entries = entries_.data();
  const ThreadId threads = static_cast<ThreadId>(model_.thread_slots.size());
  for (ThreadId thread = 0; thread < threads; ++thread) {
    const PointId id = slots[thread] ? words[slots[thread]] : 0;
    if (!id) continue;
    const uint32_t buffer = buffers ? words[buffers[thread]] : 0;
    Entry& known = entries[id];
    if (known.is_over && !buffer) continue;
    if (is_unnoticed(known)) idle |= uint32_t{1} << thread;
    const bool joins = known.joins && !buffer;
    Touch touch = known.future;
    if (buffer) touch.writes |= stores_in(buffer).places;
    touch.reads |= touch.writes;
    others_[count++] = {&known, touch, id, buffer, static_cast<uint8_t>(thread), joins};
    joining += joins;
    if (joins) continue;
    twice.reads |= once.reads & touch.reads;
    twice.writes |= once.writes & touch.writes;
    once.add(touch);
  }
  other_count_ = count;
  joining_ = joining;
  all_once = once;
  all_twice = twice;
  return idle;
}

// What those who wait for others to end may do before this thread has ended.
Footprints::Touch Footprints::of_joining(ThreadId thread) {
  Touch all;
  for (size_t i = 0; i < other_count_; ++i) {
    const Other& other = others_[i];
    if (!other.joins || other.thread == thread) continue;
    const Ahead& found = ahead(other.point, thread);
    all.add(found.touch);
    if (found.rest) all.add(entries_[found.rest].future);
  }
  all.reads |= all.writes;
  return all;
}

// Whether that, done by this thread, concerns those who wait for others to end.
bool Footprints::concerns_joining(const Other& own, const Touch& touch) {
  if (joining_ <= own.joins) return false;
  const Touch joining = of_joining(own.thread);
  return (touch.writes & joining.reads) || (touch.reads & joining.writes);
}

// What those that gather() found may do before this thread has ended.
Footprints::Touch Footprints::of_others(ThreadId thread) {
  Touch all;
  for (size_t i = 0; i < other_count_; ++i)
    if (!others_[i].joins && others_[i].thread != thread) all.add(others_[i].touch);
  if (joining_) all.add(of_joining(thread));
  return all;
}

// What this thread does next must not concern the others, now or later.
void Footprints::rely(ThreadId thread, const Touch& touch) {
  for (size_t i = 0; i < other_count_; ++i) {
    const Other& other = others_[i];
    if (other.thread == thread) continue;
    const PointId id = other.joins ? ahead(other.point, thread).rest : other.point;
    if (!id) continue;
    Touch& relied = entries_[id].relied;
    relied.reads |= touch.writes;
    relied.writes |= touch.writes | touch.reads;
  }
}

// The next operation of the thread in all its forms; false: it is not possible.
bool Footprints::add_operation(const State& state, ThreadId thread, std::vector<Step>& found) const {
  const size_t before = found.size();
  machine_.operations_of(state, thread, found);
  if (found.size() == before) return false;
  if (found.back().move != Move::kTimeout) return true;
  found.pop_back();
  return false;
}

// Whether the thread's next operation touches nothing that others were ever seen to touch, or not yet.
inline bool Footprints::concerns_nobody(const State& state, ThreadId thread, std::vector<Step>& found) {
  const PointId id = machine_.point_of(state, thread);
  if (!id) return false;
  Entry& known = entries_[id];
  if (!is_unnoticed(known)) return false;
  if (known.joins && !machine_.has_ended(state, static_cast<ThreadId>(model_.automata[id].value))) return false;
  if (!add_operation(state, thread, found)) return false;
  known.is_used = true;
  return true;
}

// A store of this thread that may leave its buffer and touches nothing that anybody else may still touch.
bool Footprints::find_flush(const Other& own, Places touched, std::vector<Step>& found) {
  const StoreBuffers::Content& content = model_.buffers.content(own.buffer);
  for (const uint32_t place : machine_.leaving(own.buffer)) {
    Entry& store = entries_[StoreBuffers::point(content[place])];
    const Touch touch = {0, store.own.writes};
    if ((touch.writes & touched) || concerns_joining(own, touch)) continue;
    if (other_count_ > 1) store.is_used = true;
    rely(own.thread, touch);
    found.push_back({Move::kFlush, static_cast<uint8_t>(own.thread), false, place});
    return true;
  }
  return false;
}

bool Footprints::find_alone_of(const State& state, ThreadId thread, std::vector<Step>& found) {
  know_points();
  return concerns_nobody(state, thread, found);
}

bool Footprints::find_alone(const State& state, std::vector<Step>& found) {
  know_points();
  Touch once, twice;
  for (uint32_t idle = gather(state, once, twice); idle; idle &= idle - 1)
    if (concerns_nobody(state, static_cast<ThreadId>(__builtin_ctz(idle)), found)) return true;
  for (size_t i = 0; i < other_count_; ++i) {
    const Other& own = others_[i];
    const Touch mine = own.joins ? Touch() : own.touch;
    const Places touched = twice.reads | (once.reads & ~mine.reads);  // by anybody else who does not wait
    const Places written = twice.writes | (once.writes & ~mine.writes);
    if (own.buffer) {
      const Waiting& waiting = stores_in(own.buffer);
      const bool may_be_alone = waiting.has_private || (waiting.places & ~touched);
      if (may_be_alone && find_flush(own, touched, found)) return true;
    }
    Entry& known = *own.entry;
    const Touch touch = at_once(known);
    if (!known.is_plain || (touch.writes & touched) || (touch.reads & written)) continue;
    if (touch.is_empty() || concerns_joining(own, touch) || !add_operation(state, own.thread, found)) continue;
    rely(own.thread, touch);
    if (other_count_ > 1) known.is_used = true;
    return true;
  }
  return false;
}

}  // namespace heddle::check::learn
