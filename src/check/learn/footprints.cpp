// SPDX-License-Identifier: Apache-2.0
#include "check/learn/footprints.h"

#include <algorithm>
#include <utility>

#include "check/learn/race_watch.h"

namespace heddle::check::learn {

namespace {

bool is_plain_kind(uint8_t kind) {
  switch (kind) {
    case HEDDLE_EXIT:
    case HEDDLE_FAIL:
    case HEDDLE_ATOMIC_BEGIN:
    case HEDDLE_EXTERN_CALL: return false;
    default: return true;
  }
}

}  // namespace

// `stale`: points to be looked at again, because a place that they touch is shared from now on.
void Footprints::note_users(PointId id, const Point& point, std::vector<PointId>& stale) {
  const ThreadId thread = model_.automata[id].thread;
  const Touched touched = touched_by(model_, point);
  uint32_t shared_before = UINT32_MAX;  // halves of a word that come to be shared together have one bit
  for (const std::vector<uint32_t>* list : {&touched.reads, &touched.writes}) {
    for (const uint32_t number : *list) {
      if (places_.size() <= number) places_.resize(number + 1);
      Place& place = places_[number];
      if (place.owner == 0) place.owner = thread + 1;
      if (place.owner != thread + 1 && place.owner != kShared) {
        place.owner = kShared;
        const bool is_other_half = number % 2 == 1 && shared_before == number - 1;
        place.bit = is_other_half ? places_[number - 1].bit : static_cast<uint8_t>(shared_places_++ % 64);
        shared_before = number;
        stale.insert(stale.end(), place.users.begin(), place.users.end());
      }
      place.users.push_back(id);
    }
  }
}

Footprints::Touch Footprints::touch_of(const Point& point) const {
  const auto bits = [&](const std::vector<uint32_t>& numbers) {
    Places all = 0;
    for (const uint32_t number : numbers)
      if (number < places_.size() && places_[number].owner == kShared) all |= Places{1} << places_[number].bit;
    return all;
  };
  const Touched touched = touched_by(model_, point);
  return {bits(touched.reads), bits(touched.writes)};
}

void Footprints::add(PointId id) {
  const Point& point = model_.automata[id];
  std::vector<PointId> stale;
  note_users(id, point, stale);
  for (const Look& look : point.looks) note_users(id, model_.automata[look.point], stale);
  refresh(id);
  for (const PointId user : stale) refresh(user);
}

void Footprints::refresh(PointId id) {
  ++version_;
  const Point& point = model_.automata[id];
  Touch touch = touch_of(point);
  for (const Look& look : point.looks) {
    const Touch looked = touch_of(model_.automata[look.point]);
    touch.reads |= looked.reads | looked.writes;
  }
  Entry& known = entry(id);
  if ((touch.reads & ~known.own.reads) || (touch.writes & ~known.own.writes)) {
    was_wrong_ |= known.is_used;
    if (point.kind == HEDDLE_STORE) ++stores_round_;
  }
  known.own = touch;
  known.joins = point.kind == HEDDLE_THREAD_JOIN && !point.object && point.is_known();
  known.is_over = point.standing == Standing::kEnded || point.standing == Standing::kFailed;
  known.is_buffered = is_buffered(id);
  const bool is_plain = point.standing == Standing::kPerformed && point.looks.empty() && is_plain_kind(point.kind);
  if (!is_plain) is_not_plain(id);
  known.is_plain = is_plain;
  for (const Edge& edge : point.edges)
    if (edge.result.way == Way::kFailed || model_.automata[edge.next].is_glued) is_not_plain(id);
  if (point.is_glued) {
    is_not_plain(point.before);
    for (const PointId before : ways(id)) is_not_plain(before);
  }
  spread(id, touch);
}

// Only who looks for races sees a store before it leaves its buffer.
bool Footprints::is_buffered(PointId id) const {
  const Point& point = model_.automata[id];
  return point.kind == HEDDLE_STORE && model_.memory != MemoryModel::kSc &&
         heddle_is_buffered(point.kind, point.order, point.flags) &&
         !(model_.races && model_.races->is_seen_when_issued(id));
}

void Footprints::is_not_plain(PointId id) {
  Entry& known = entry(id);
  was_wrong_ |= known.is_used && known.is_plain;
  known.is_plain = false;
}

// An execution is complete if a failure is its very last step.
void Footprints::add_edge(PointId from, const Edge& edge) {
  ++version_;
  if (edge.result.way == Way::kFailed || model_.automata[edge.next].is_glued) is_not_plain(from);
  Entry& known = entry(from);
  // Somebody may have thought that there is only one way on from there.
  was_wrong_ |= known.is_passed;
  if (!edge.deaths) return;
  was_wrong_ |= known.is_used && !known.ends_locals && model_.memory != MemoryModel::kSc;
  known.ends_locals = true;
}

void Footprints::add_way(PointId before, PointId next) {
  ++version_;
  std::vector<PointId>& known = ways(next);
  if (std::find(known.begin(), known.end(), before) != known.end()) return;
  known.push_back(before);
  if (model_.automata[next].is_glued) is_not_plain(before);
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
      for (const PointId before : ways(id)) open.emplace_back(before, more);
    }
  }
}

void Footprints::forget() {
  was_wrong_ = false;
  ++version_;
  for (PointId id = 0; id < entries_.size(); ++id) {
    Entry& known = entries_[id];
    known.relied = {};
    known.is_used = known.is_passed = false;
    if (model_.races) known.is_buffered = is_buffered(id);
  }
}

const Footprints::Waiting& Footprints::look_into(uint32_t buffer) {
  if (buffer >= stores_in_.size()) stores_in_.resize(buffer + 1);
  Waiting& waiting = stores_in_[buffer];
  waiting = {0, false, stores_round_};
  for (const uint32_t store : model_.buffers.content(buffer)) {
    if (store == StoreBuffers::kMarker) continue;
    const Places places = entry(StoreBuffers::point(store)).own.writes;
    waiting.places |= places;
    waiting.has_private |= places == 0;
  }
  return waiting;
}

}  // namespace heddle::check::learn
