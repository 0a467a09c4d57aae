// SPDX-License-Identifier: Apache-2.0
#include "check/learn/accesses.h"

#include <algorithm>

#include "check/learn/machine.h"

namespace heddle::check::learn {

namespace {

bool is_access(uint8_t kind) {
  switch (kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_AWAIT:
    case HEDDLE_EXTERN_WRITE: return true;
    default: return false;
  }
}

bool are_rivals(const Access& one, const Access& other) {
  return one.thread != other.thread && (one.writes || other.writes) && !(one.is_atomic && other.is_atomic) &&
         one.address < other.address + other.size && other.address < one.address + one.size;
}

}  // namespace

bool is_atomic(uint8_t kind, uint8_t order) { return order != HEDDLE_ORDER_NOT_ATOMIC || kind == HEDDLE_AWAIT; }

AccessId Accesses::number(const Access& access) {
  const auto [place, is_new] = numbers_.try_emplace(access, static_cast<AccessId>(known_.size()));
  if (!is_new) return place->second;
  const AccessId id = place->second;
  known_.emplace_back().access = access;
  ++version_;
  for (uint64_t word = access.address / 8; word <= (access.address + access.size - 1) / 8; ++word) {
    std::vector<AccessId>& users = words_[word];
    for (const AccessId user : users) {
      std::vector<AccessId>& mine = known_[id].rivals;
      if (!are_rivals(access, known_[user].access) || std::find(mine.begin(), mine.end(), user) != mine.end()) continue;
      mine.push_back(user);
      known_[user].rivals.push_back(id);
      has_new_rivals_ = true;
    }
    users.push_back(id);
  }
  return id;
}

void Accesses::note(PointId id) {
  const Point& point = model_.automata[id];
  if (point.is_of_lock() && std::find(locks_.begin(), locks_.end(), point.object) == locks_.end())
    locks_.push_back(point.object);
  if (!is_access(point.kind) || !point.size) return;
  if (points_.size() <= id) points_.resize(model_.automata.size() + 1);
  const bool writes = point.kind != HEDDLE_LOAD && point.kind != HEDDLE_AWAIT;
  const Access access = {point.thread, point.site, point.address,
                         point.size,   writes,     is_atomic(point.kind, point.order)};
  points_[id].usual = points_[id].failing = number(access);
  if (point.kind != HEDDLE_CAS) return;
  Access failing = access;
  failing.writes = false;
  points_[id].failing = number(failing);
}

AccessId Accesses::of(PointId id, bool fails) const {
  if (id >= points_.size()) return 0;
  return fails ? points_[id].failing : points_[id].usual;
}

bool Accesses::holds(const State& state, ThreadId thread, uint32_t lock) const {
  return lock < state.size() && (model_.numbers.value(state[lock]) & kOwner) == thread + 1;
}

void Accesses::note_locks(AccessId id, const State& state) {
  Known& known = known_[id];
  const ThreadId thread = known.access.thread;
  if (!known.has_happened) {
    known.has_happened = true;
    ++version_;
    for (const uint32_t lock : locks_)
      if (holds(state, thread, lock)) known.locks.push_back(lock);
    return;
  }
  const auto is_free = [&](uint32_t lock) { return !holds(state, thread, lock); };
  if (known.locks.empty() || std::erase_if(known.locks, is_free) == 0) return;
  ++version_;
  has_lost_lock_ = true;
}

// What has not happened yet shares nothing.
bool Accesses::share_a_lock(AccessId one, AccessId other) const {
  for (const uint32_t lock : known_[one].locks)
    if (std::find(known_[other].locks.begin(), known_[other].locks.end(), lock) != known_[other].locks.end())
      return true;
  return false;
}

std::pair<uint32_t, uint32_t> Accesses::places_of(AccessId one, AccessId other) const {
  const auto place = [&](AccessId id) {
    const uint32_t site = known_[id].access.site;
    return site < places_.size() ? places_[site] : 0;
  };
  return std::minmax(place(one), place(other));
}

bool Accesses::is_open(AccessId one, AccessId other, RaceForm form) const {
  const std::vector<AccessId>& mine = known_[one].rivals;
  if (std::find(mine.begin(), mine.end(), other) == mine.end() || share_a_lock(one, other)) return false;
  const auto found = races_.find(places_of(one, other));
  return found == races_.end() || found->second < form;
}

bool Accesses::has_open_rival(AccessId id, RaceForm form) {
  Known& known = known_[id];
  if (known.version != version_ || known.form != form) {
    known.version = version_;
    known.form = form;
    known.is_open =
        std::any_of(known.rivals.begin(), known.rivals.end(), [&](AccessId rival) { return is_open(id, rival, form); });
  }
  return known.is_open;
}

void Accesses::add_race(AccessId one, AccessId other, RaceForm form) {
  RaceForm& known = races_[places_of(one, other)];
  known = std::max(known, form);
  ++version_;
}

void Accesses::note_shown(AccessId one, AccessId other, RaceForm form) {
  RaceForm& known = shown_[places_of(one, other)];
  known = std::max(known, form);
}

}  // namespace heddle::check::learn
