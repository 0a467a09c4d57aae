// SPDX-License-Identifier: Apache-2.0
//
// Whether threads do the same.
#include <algorithm>
#include <set>

#include "check/learn/recorded_operation.h"
#include "check/learn/symmetry.h"

namespace heddle::check::learn {

namespace {

constexpr const char* kNotTheSame =
    "threads with the same function and argument do not do the same, or something else than load, store and lock";

// Own locals of two threads have the same place in their slots of memory (2 GiB each).
constexpr uint64_t kSlotMask = (uint64_t{1} << 31) - 1;
bool are_same_in_slot(uint64_t one, uint64_t other) { return (one & kSlotMask) == (other & kSlotMask); }

// Operations that name no thread, neither in the program nor in the state, but for the owner of a lock.
bool may_change_places(uint8_t kind) {
  const HeddleEffect effect = semantics::effect_of(kind);
  switch (semantics::family_of(kind)) {
    case HEDDLE_FAMILY_MEMORY:
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_ONCE: return true;
    case HEDDLE_FAMILY_RWLOCK: return effect != HEDDLE_EFFECT_LINE_UP;
    case HEDDLE_FAMILY_THREAD: return effect == HEDDLE_EFFECT_START || effect == HEDDLE_EFFECT_END;
    case HEDDLE_FAMILY_SEMAPHORE: return effect == HEDDLE_EFFECT_TAKE || effect == HEDDLE_EFFECT_POST;
    default: return kind == HEDDLE_YIELD || kind == HEDDLE_NONDET || kind == HEDDLE_ASSUME || kind == HEDDLE_FAIL;
  }
}

}  // namespace

bool Symmetry::is_private(const Point& point) const {
  if (!has_memory(point.kind) || !point.size) return false;
  const uint64_t words = (point.address + point.size - 1) / 8 - point.address / 8 + 1;
  for (uint64_t i = 0; i < words; ++i)
    if (!model_.layout.is_ignored(point.words[i])) return false;
  return true;
}

// What happens at the point of one thread is what happens at the point of the first thread of its group.
bool Symmetry::are_alike(const Point& one, const Point& first) const {
  const auto plain = [](const Point& point) {
    return std::tie(point.standing, point.kind, point.size, point.order, point.flags, point.site, point.is_glued,
                    point.may_time_out, point.object, point.other_object, point.block, point.text);
  };
  if (plain(one) != plain(first) || one.looks.size() != first.looks.size()) return false;
  if (one.is_known() && !may_change_places(one.kind)) return false;
  for (size_t i = 0; i < one.looks.size(); ++i)
    if (point_of_first(one.looks[i].point) != first.looks[i].point || !(one.looks[i].lesson == first.looks[i].lesson))
      return false;
  if (is_private(one)) return is_private(first) && are_same_in_slot(one.address, first.address);
  return one.address == first.address && one.value == first.value && one.value2 == first.value2;
}

const Edge* Symmetry::same_edge(const Point& first, const Result& result, bool is_private) const {
  if (const Edge* const edge = first.find(result)) return edge;
  if (!is_private) return nullptr;
  for (const Edge& edge : first.edges)
    if (edge.result.way == result.way && are_same_in_slot(edge.result.lesson.value, result.lesson.value) &&
        are_same_in_slot(edge.result.lesson.value2, result.lesson.value2))
      return &edge;
  return nullptr;
}

bool Symmetry::are_same_deaths(const Edge& one, const Edge& first) const {
  const std::vector<Range>&own = model_.automata.deaths(one), &others = model_.automata.deaths(first);
  return std::equal(own.begin(), own.end(), others.begin(), others.end(), [](const Range& a, const Range& b) {
    return are_same_in_slot(a.address, b.address) && a.size == b.size;
  });
}

// Goes along the way in what is known of the first thread; false: that was not seen to go so far.
bool Symmetry::compare(const Way& way) {
  const Group& group = *group_of(way.thread);
  PointId first = model_.automata.root(group.members[0], group.birth);
  PointId own = model_.automata.root(way.thread, group.birth);
  first_.resize(model_.automata.size() + 1, 0);
  for (const ExecutionReader::Followed& followed : way.points) {
    if (!first_[own]) first_[own] = first;
    first = first_[own];
    const Point &point = model_.automata[own], &other = model_.automata[first];
    const bool are_known = point.is_known() && other.is_known();
    if (are_known && (point.kind != other.kind || point.site != other.site || !may_change_places(point.kind)))
      return give_up(kNotTheSame), false;
    const Edge* const edge = point.find(followed.result);
    if (followed.point != own || !edge) return true;  // the rest cannot be compared
    const Edge* const same = same_edge(model_.automata[first], edge->result, is_private(point));
    if (!same) return false;
    own = edge->next;
    first = same->next;
  }
  if (!first_[own]) first_[own] = first;
  return true;
}

// Whether a thread that is at this point may be in the middle of waiting for several others to end, one after another.
bool Symmetry::is_in_row(const Point& point) const {
  if (!point.is_known()) return false;
  if (point.kind != HEDDLE_LOAD) return point.kind == HEDDLE_THREAD_JOIN;
  const uint64_t words = (point.address + point.size - 1) / 8 - point.address / 8 + 1;
  return std::none_of(point.words, point.words + words, [&](uint32_t slot) { return reader_.is_shared(slot); });
}

PointId Symmetry::row_of(PointId point) {
  if (rows_.size() <= point) rows_.resize(model_.automata.size() + 1, 0);
  if (rows_[point]) return rows_[point];
  PointId row = point;
  for (PointId at = point; at && is_in_row(model_.automata[at]); at = model_.automata[at].before)
    if (model_.automata[at].kind == HEDDLE_THREAD_JOIN) row = at;
  return rows_[point] = row;
}

// Who waits for one of a group there waits for all of it, and learns nothing.
bool Symmetry::row_has_all(PointId row) const {
  std::set<ThreadId> joined;
  PointId at = row;
  for (;;) {
    const Point& point = model_.automata[at];
    if (!point.is_known() || (is_in_row(point) && point.edges.empty())) return true;  // nobody ever comes further
    if (!is_in_row(point)) break;
    if (point.edges.size() > 1) return false;
    if (point.kind == HEDDLE_THREAD_JOIN) joined.insert(static_cast<ThreadId>(point.value));
    at = point.edges[0].next;
  }
  for (const ThreadId thread : joined) {
    const Group* const group = group_of(thread);
    const auto is_joined = [&](ThreadId member) { return joined.count(member) != 0; };
    if (group && !std::all_of(group->members.begin(), group->members.end(), is_joined)) return false;
  }
  return true;
}

bool Symmetry::are_same(const Group& group, ThreadId member) {
  using Pair = std::pair<PointId, PointId>;
  const Pair begin = {model_.automata.root(member, group.birth), model_.automata.root(group.members[0], group.birth)};
  std::set<Pair> seen = {begin};
  std::vector<Pair> open = {begin};
  while (!open.empty()) {
    const auto [own, first] = open.back();
    open.pop_back();
    const Point &one = model_.automata[own], &other = model_.automata[first];
    if (!are_alike(one, other) || one.edges.size() != other.edges.size()) return false;
    for (const Edge& edge : one.edges) {
      const bool is_own = is_private(one);
      const Edge* const same = same_edge(other, edge.result, is_own);
      if (!same || edge.flags != same->flags || edge.order != same->order || !are_same_deaths(edge, *same))
        return false;
      if (!is_own && (edge.value != same->value || edge.value2 != same->value2) && one.kind != HEDDLE_THREAD_START)
        return false;
      if (seen.insert({edge.next, same->next}).second) open.push_back({edge.next, same->next});
    }
  }
  return true;
}

bool Symmetry::holds() {
  if (!exchanges()) return true;
  rows_.clear();
  for (PointId id = 1; id <= model_.automata.size(); ++id) {
    const Point& point = model_.automata[id];
    if (!point.is_known()) continue;
    const bool names_one = (point.kind == HEDDLE_THREAD_JOIN || point.kind == HEDDLE_THREAD_DETACH) &&
                           group_of(static_cast<ThreadId>(point.value));
    if (names_one && point.object) return give_up("several operations join or detach one of them"), false;
    if (names_one && point.kind == HEDDLE_THREAD_DETACH) return give_up("they are detached"), false;
    if (names_one && !row_has_all(row_of(id)))
      return give_up(
                 "somebody waits for the end of one of them, and then does something else before the others have "
                 "ended"),
             false;
  }
  const std::vector<Group> groups = groups_;
  for (const Group& group : groups)
    for (size_t i = 1; i < group.members.size(); ++i)
      if (!are_same(group, group.members[i])) return give_up(kNotTheSame), false;
  return true;
}

}  // namespace heddle::check::learn
