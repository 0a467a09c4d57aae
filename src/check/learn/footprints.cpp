// SPDX-License-Identifier: Apache-2.0
#include "check/learn/footprints.h"

#include <algorithm>
#include <utility>

namespace heddle::check::learn {

namespace {

using Places = unsigned __int128;

enum Aspect : uint32_t { kLower, kUpper, kHeld, kTried };  // halves of a word; of an object: its state, what attempts see

Places bit(uint32_t slot, Aspect aspect) {
  const uint32_t number = slot * 2 + (aspect == kUpper || aspect == kTried);
  return Places{1} << (number % 128);
}

}  // namespace

Footprints::Entry& Footprints::entry(PointId id) {
  if (entries_.size() <= id) entries_.resize(model_.automata.size() + 1);
  return entries_[id];
}

Footprints::Touch Footprints::memory(const Point& point) const {
  Places places = 0;
  for (uint64_t half = point.address / 4; half <= (point.address + point.size - 1) / 4; ++half)
    places |= bit(point.words[half / 2 - point.address / 8], half % 2 ? kUpper : kLower);
  const Places block = point.block ? bit(point.block, kHeld) : 0;
  switch (point.kind) {
    case HEDDLE_LOAD: return {places | block, 0};
    case HEDDLE_AWAIT: return {places | block, bit(point.object, kHeld)};
    default: return {block, places};
  }
}

Footprints::Touch Footprints::own(const Point& point) const {
  const Places held = bit(point.object, kHeld), tried = bit(point.object, kTried);
  switch (point.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_EXTERN_WRITE:
    case HEDDLE_AWAIT: return memory(point);
    case HEDDLE_FREE: return {0, bit(point.block, kHeld)};
    case HEDDLE_FAIL: return {point.block ? bit(point.block, kHeld) : 0, 0};
    // Whoever unlocks holds the lock: nobody who simply waits for it can tell.
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK:
    case HEDDLE_SEM_POST:
    case HEDDLE_ONCE_DONE: return {tried, 0};
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_COND_SIGNAL:
    case HEDDLE_COND_BROADCAST:
    case HEDDLE_NOTIFY:
    case HEDDLE_BARRIER_ARRIVE: return {0, held};
    case HEDDLE_RWLOCK_READ: return {held, 0};
    case HEDDLE_COND_WAIT: return {bit(point.other_object, kTried), held};
    case HEDDLE_COND_RESUME: return {0, bit(point.other_object, kHeld) | (point.may_time_out ? held : 0)};
    case HEDDLE_AWAIT_RESUME: return {0, point.may_time_out ? held : 0};
    case HEDDLE_BARRIER_LEAVE: return {};
    default: break;
  }
  if (!point.object) return {};
  return {0, held | tried};  // attempts, initialisation, destruction
}

void Footprints::add(PointId id) {
  const Point& point = model_.automata[id];
  Touch touch = own(point);
  for (const Look& look : point.looks) {
    const Touch looked = own(model_.automata[look.point]);
    touch.reads |= looked.reads | looked.writes;
  }
  entry(id).own = touch;
  spread(id, touch);
}

void Footprints::add_way(PointId before, PointId next) {
  std::vector<PointId>& ways = entry(next).ways;
  if (std::find(ways.begin(), ways.end(), before) != ways.end()) return;
  ways.push_back(before);
  spread(before, entry(next).future);
}

void Footprints::spread(PointId first, Touch touch) {
  std::vector<std::pair<PointId, Touch>> open = {{first, touch}};
  while (!open.empty()) {
    auto [id, more] = open.back();
    open.pop_back();
    for (; id; id = model_.automata[id].before) {
      Entry& known = entry(id);
      more = {more.reads & ~known.future.reads, more.writes & ~known.future.writes};
      if (!more.reads && !more.writes) break;
      known.future.reads |= more.reads;
      known.future.writes |= more.writes;
      if ((more.reads & known.relied.reads) || (more.writes & known.relied.writes)) was_wrong_ = true;
      for (const PointId before : known.ways) open.emplace_back(before, more);
    }
  }
}

void Footprints::forget() {
  was_wrong_ = false;
  for (Entry& known : entries_) known.relied = {};
}

// What the step touches; false: it never goes alone.
bool Footprints::may_be_alone(const State& state, const Step& step, Touch& touch) {
  if (step.move == Move::kTimeout) return false;
  if (step.move == Move::kFlush) {
    const auto& content = model_.buffers.content(machine_.buffer_of(state, step.thread));
    touch = {0, memory(model_.automata[StoreBuffers::point(content[step.choice])]).writes};
    return true;
  }
  const PointId id = machine_.point_of(state, step.thread);
  const Point& point = model_.automata[id];
  if (point.standing != Standing::kPerformed || !point.looks.empty()) return false;
  switch (point.kind) {
    case HEDDLE_EXIT:
    case HEDDLE_FAIL:
    case HEDDLE_ATOMIC_BEGIN:
    case HEDDLE_EXTERN_CALL: return false;
    default: break;
  }
  // An execution is complete if a failure is its very last step.
  for (const Edge& edge : point.edges)
    if (edge.result.way == Way::kFailed || model_.automata[edge.next].is_glued) return false;
  touch = entry(id).own;
  if (point.kind == HEDDLE_STORE && model_.memory != MemoryModel::kSc &&
      heddle_is_buffered(point.kind, point.order, point.flags))
    touch.writes = 0;  // others see it when it is flushed
  return true;
}

int64_t Footprints::find_alone(const State& state, std::span<const Step> steps) {
  others_.clear();
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const PointId id = machine_.point_of(state, thread);
    if (!id) continue;
    Touch touch = entry(id).future;
    if (const uint32_t buffer = machine_.buffer_of(state, thread))
      for (const uint32_t waiting : model_.buffers.content(buffer))
        if (waiting != StoreBuffers::kMarker) touch.writes |= memory(model_.automata[StoreBuffers::point(waiting)]).writes;
    others_.push_back({thread, id, touch});
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    Touch touch;
    if (!may_be_alone(state, steps[i], touch)) continue;
    const bool meets = std::any_of(others_.begin(), others_.end(), [&](const Other& other) {
      return other.thread != steps[i].thread && ((touch.writes & (other.touch.reads | other.touch.writes)) ||
                                                 (touch.reads & other.touch.writes));
    });
    if (meets) continue;
    for (const Other& other : others_) {
      if (other.thread == steps[i].thread) continue;
      Touch& relied = entry(other.point).relied;
      relied.reads |= touch.writes;
      relied.writes |= touch.writes | touch.reads;
    }
    return static_cast<int64_t>(i);
  }
  return -1;
}

}  // namespace heddle::check::learn
