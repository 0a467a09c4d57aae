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
    if (point.is_known() && point.kind == HEDDLE_THREAD_JOIN && point.value == thread) return ahead;
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
  Entry& known = entry(joining);
  if (!known.ahead) {
    known.ahead = static_cast<uint32_t>(aheads_.size());
    aheads_.emplace_back();
  }
  Aheads& aheads = aheads_[known.ahead];
  if (aheads.version != version_) {
    aheads.version = version_;
    aheads.by_thread.clear();
  }
  if (aheads.by_thread.size() <= thread) aheads.by_thread.resize(model_.thread_slots.size());
  Ahead& found = aheads.by_thread[thread];
  if (!found.is_known) found = look_ahead(joining, thread);
  return found;
}

// What threads may still do: places that one of them touches, and places that two do. Those
// that wait for another one to end are left out.
void Footprints::gather(const State& state, Touch& once, Touch& twice) {
  others_.clear();
  joining_ = 0;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const PointId id = machine_.point_of(state, thread);
    if (!id) continue;
    const uint32_t buffer = machine_.buffer_of(state, thread);
    const Entry& known = entry(id);
    if (known.is_over && !buffer) continue;
    const bool joins = known.joins && !buffer;
    joining_ += joins;
    Touch touch = known.future;
    if (buffer) touch.writes |= stores_in(buffer);
    touch.reads |= touch.writes;
    others_.push_back({thread, id, buffer, joins, touch});
    if (joins) continue;
    twice.reads |= once.reads & touch.reads;
    twice.writes |= once.writes & touch.writes;
    once.add(touch);
  }
}

// What those who wait for others to end may do before this thread has ended.
Footprints::Touch Footprints::of_joining(ThreadId thread) {
  Touch all;
  for (const Other& other : others_) {
    if (!other.joins || other.thread == thread) continue;
    const Ahead& found = ahead(other.point, thread);
    all.add(found.touch);
    if (found.rest) all.add(entry(found.rest).future);
  }
  all.reads |= all.writes;
  return all;
}

// What this thread does next must not concern the others, now or later.
void Footprints::rely(ThreadId thread, const Touch& touch) {
  for (const Other& other : others_) {
    if (other.thread == thread) continue;
    const PointId id = other.joins ? ahead(other.point, thread).rest : other.point;
    if (!id) continue;
    Touch& relied = entry(id).relied;
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

// Whether the thread's next operation touches nothing that others were ever seen to touch.
inline bool Footprints::concerns_nobody(const State& state, ThreadId thread, std::vector<Step>& found) {
  const PointId id = machine_.point_of(state, thread);
  if (!id) return false;
  Entry& known = entry(id);
  if (!known.is_plain || (known.own.reads | known.own.writes)) return false;
  if (known.joins && !machine_.has_ended(state, static_cast<ThreadId>(model_.automata[id].value))) return false;
  if (!add_operation(state, thread, found)) return false;
  known.is_used = true;
  return true;
}

bool Footprints::find_alone(const State& state, ThreadId last, std::vector<Step>& found) {
  if (concerns_nobody(state, last, found)) return true;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread)
    if (thread != last && concerns_nobody(state, thread, found)) return true;
  Touch once, twice;
  gather(state, once, twice);
  for (const Other& own : others_) {
    const Touch mine = own.joins ? Touch() : own.touch;
    Places touched = twice.reads | (once.reads & ~mine.reads);  // by anybody else
    Places written = twice.writes | (once.writes & ~mine.writes);
    if (joining_ > own.joins) {
      const Touch joining = of_joining(own.thread);
      touched |= joining.reads;
      written |= joining.writes;
    }
    if (own.buffer) {
      const StoreBuffers::Content& content = model_.buffers.content(own.buffer);
      for (const uint32_t place : machine_.leaving(own.buffer)) {
        Entry& store = entry(StoreBuffers::point(content[place]));
        if (store.own.writes & touched) continue;
        if (others_.size() > 1) store.is_used = true;
        rely(own.thread, {0, store.own.writes});
        found.push_back({Move::kFlush, static_cast<uint8_t>(own.thread), false, place});
        return true;
      }
    }
    const Entry& known = entry(own.point);
    const Touch touch = at_once(known);
    if (!known.is_plain || (touch.writes & touched) || (touch.reads & written)) continue;
    const bool was_asked = !(known.own.reads | known.own.writes);
    if (was_asked || !add_operation(state, own.thread, found)) continue;
    rely(own.thread, touch);
    if (others_.size() > 1) entry(own.point).is_used = true;
    return true;
  }
  return false;
}

}  // namespace heddle::check::learn
