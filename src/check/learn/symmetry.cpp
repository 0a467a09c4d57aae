// SPDX-License-Identifier: Apache-2.0
#include "check/learn/symmetry.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "check/learn/recorded_operation.h"

namespace heddle::check::learn {

namespace {

constexpr const char* kNotTheSame = "threads with the same function and argument do not do the same, or something else than load, store and lock";

// Own locals of two threads have the same place in their slots of memory (2 GiB each).
constexpr uint64_t kSlotMask = (uint64_t{1} << 31) - 1;
bool are_same_in_slot(uint64_t one, uint64_t other) { return (one & kSlotMask) == (other & kSlotMask); }

// Operations that name no thread, neither in the program nor in the state, but for the owner of a lock.
bool may_change_places(uint8_t kind) {
  switch (kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_FENCE:
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT:
    case HEDDLE_SEM_POST:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_ONCE_DONE:
    case HEDDLE_YIELD:
    case HEDDLE_NONDET:
    case HEDDLE_ASSUME:
    case HEDDLE_FAIL: return true;
    default: return topic_of(kind) == Topic::kLock;
  }
}

}  // namespace

void Symmetry::give_up(const std::string& why) {
  has_given_up_ = true;
  why_not_ = why;
  groups_.clear();
  group_of_.clear();
  open_.clear();
}

// False: who is created how depends on the schedule.
bool Symmetry::find_groups(const causal::Execution& execution) {
  std::map<std::pair<ThreadId, uint64_t>, std::vector<ThreadId>> created;
  for (const causal::ThreadPart& part : execution.threads)
    for (const HeddleRecord& record : part.operations)
      if (record.kind == HEDDLE_THREAD_CREATE && !causal::failed(record))
        created[{record.thread, record.value2}].push_back(static_cast<ThreadId>(record.value));
  if (groups_.empty()) {
    for (auto& [how, members] : created) {
      if (members.size() < 2) continue;
      std::sort(members.begin(), members.end());
      groups_.push_back({how.first, how.second, members});
      for (const ThreadId member : members) {
        if (group_of_.size() <= member) group_of_.resize(member + 1, 0);
        group_of_[member] = static_cast<uint32_t>(groups_.size());
      }
    }
    return true;
  }
  for (const auto& [how, members] : created) {
    for (const ThreadId member : members) {
      const Group* const group = group_of(member);
      if (group && (group->parent != how.first || group->birth != how.second)) return false;
      const auto is_its_group = [&](const Group& one) { return one.parent == how.first && one.birth == how.second; };
      if (!group && std::any_of(groups_.begin(), groups_.end(), is_its_group)) return false;
    }
  }
  return true;
}

void Symmetry::note(const causal::Execution& execution) {
  if (has_given_up_) return;
  if (!find_groups(execution)) return give_up("which threads are created depends on the schedule");
  if (groups_.empty()) {
    why_not_ = "no two threads have the same function and argument";
    return;
  }
  rows_.clear();
  buffers_.clear();
  for (const Group& group : groups_) {
    for (const ThreadId member : group.members) {
      if (member >= execution.threads.size() || execution.threads[member].operations.empty()) continue;
      const std::vector<ExecutionReader::Followed>& points = reader_.followed(member);
      for (const ExecutionReader::Followed& followed : points) {
        const Point& point = model_.automata[followed.point];
        if (point.topic != Topic::kLock) continue;
        if (is_lock_slot_.size() <= point.object) is_lock_slot_.resize(point.object + 1);
        if (!is_lock_slot_[point.object]) lock_slots_.push_back(point.object);
        is_lock_slot_[point.object] = true;
      }
      if (member != group.members[0]) open_.push_back({member, points});
    }
  }
  std::vector<Way> ways = std::move(open_);
  open_.clear();
  for (Way& way : ways) {
    const bool is_gone = compare(way);
    if (has_given_up_) return;
    if (!is_gone) open_.push_back(std::move(way));
  }
}

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
    return std::tie(point.standing, point.kind, point.size, point.order, point.flags, point.site, point.is_glued, point.may_time_out,
                    point.blocks_itself, point.object, point.other_object, point.block, point.text);
  };
  if (plain(one) != plain(first) || one.looks.size() != first.looks.size()) return false;
  if (one.is_known() && !may_change_places(one.kind)) return false;
  for (size_t i = 0; i < one.looks.size(); ++i)
    if (point_of_first(one.looks[i].point) != first.looks[i].point || !(one.looks[i].lesson == first.looks[i].lesson)) return false;
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
  return std::equal(own.begin(), own.end(), others.begin(), others.end(),
                    [](const Range& a, const Range& b) { return are_same_in_slot(a.address, b.address) && a.size == b.size; });
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
    if (are_known && (point.kind != other.kind || point.site != other.site || !may_change_places(point.kind))) return give_up(kNotTheSame), false;
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
      if (!same || edge.flags != same->flags || edge.order != same->order || !are_same_deaths(edge, *same)) return false;
      if (!is_own && (edge.value != same->value || edge.value2 != same->value2) && one.kind != HEDDLE_THREAD_START) return false;
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
    const bool names_one = (point.kind == HEDDLE_THREAD_JOIN || point.kind == HEDDLE_THREAD_DETACH) && group_of(static_cast<ThreadId>(point.value));
    if (names_one && point.kind == HEDDLE_THREAD_DETACH) return give_up("they are detached"), false;
    if (names_one && !row_has_all(row_of(id))) return give_up("somebody waits for the end of one of them, and then does something else before the others have ended"), false;
  }
  const std::vector<Group> groups = groups_;
  for (const Group& group : groups)
    for (size_t i = 1; i < group.members.size(); ++i)
      if (!are_same(group, group.members[i])) return give_up(kNotTheSame), false;
  return true;
}

// Whether this thread was seen to go that way, which another one of its group has gone.
bool Symmetry::knows(const Group& group, ThreadId member, const std::vector<ExecutionReader::Followed>& points) {
  PointId at = model_.automata.root(member, group.birth);
  for (const ExecutionReader::Followed& followed : points) {
    const Edge* const edge = same_edge(model_.automata[at], followed.result, is_private(model_.automata[followed.point]));
    if (!edge) return false;
    at = edge->next;
  }
  return true;
}

std::vector<Symmetry::Plan> Symmetry::exchanged(const causal::Execution& execution) {
  std::vector<Plan> plans;
  size_t most = 0;
  for (const Group& group : groups_) most = std::max(most, group.members.size());
  for (size_t turn = 1; turn < most; ++turn) {
    std::vector<ThreadId> others(execution.threads.size());
    for (ThreadId thread = 0; thread < others.size(); ++thread) others[thread] = thread;
    bool is_new = false;
    for (const Group& group : groups_) {
      for (size_t i = 0; i < group.members.size(); ++i) {
        const ThreadId member = group.members[i], other = group.members[(i + turn) % group.members.size()];
        if (member >= others.size()) continue;
        others[member] = other;
        is_new |= !knows(group, other, reader_.followed(member));
      }
    }
    if (is_new) plans.push_back(with_others(execution, others));
  }
  return plans;
}

// A load or store of memory that only its thread was ever seen to touch.
bool Symmetry::touches_nobody(const HeddleRecord& record) const {
  if (!has_memory(record.kind) || !record.size) return false;
  for (uint64_t word = record.address / 8; word <= (record.address + record.size - 1) / 8; ++word) {
    const auto slot = model_.layout.find(Space::kWord, word);
    if (!slot || reader_.is_shared(*slot)) return false;
  }
  return true;
}

// The order of the execution, but all of a group are created before any other thread does something, if that makes no difference:
// whoever comes to be the first one must be there.
std::vector<causal::Happening> Symmetry::created_first(const causal::Execution& execution) const {
  std::vector<causal::Happening> order = execution.order;
  for (const Group& group : groups_) {
    const auto is_parents = [&](const causal::Happening& one) { return one.event.thread == group.parent; };
    const auto creates = [&](const causal::Happening& one) {
      const HeddleRecord& record = execution.operation(one.event);
      return is_parents(one) && !one.is_flush && record.kind == HEDDLE_THREAD_CREATE && group_of(static_cast<ThreadId>(record.value)) == &group;
    };
    const auto concerns_nobody = [&](const causal::Happening& one) {
      const HeddleRecord& record = execution.operation(one.event);
      return !is_parents(one) || record.kind == HEDDLE_THREAD_CREATE || touches_nobody(record);
    };
    const auto end = std::find_if(order.rbegin(), order.rend(), creates).base();
    const auto begin = std::find_if_not(order.begin(), end, is_parents);
    if (!std::all_of(begin, end, concerns_nobody)) continue;
    const std::vector<causal::Happening> before(begin, end);
    const auto rest = std::copy_if(before.begin(), before.end(), begin, is_parents);
    std::copy_if(before.begin(), before.end(), rest, std::not_fn(is_parents));
  }
  return order;
}

// The execution with other threads in the place of some. Waits for their ends are put off until all have ended.
Symmetry::Plan Symmetry::with_others(const causal::Execution& execution, const std::vector<ThreadId>& others) const {
  Plan plan;
  std::map<ThreadId, Plan> waiting;  // by thread: what it does from its first wait for an end on
  for (const causal::Happening& happening : created_first(execution)) {
    const HeddleRecord& record = execution.operation(happening.event);
    const causal::EventId event = {others[happening.event.thread], happening.event.index};
    if (happening.is_flush) {
      if (!happening.is_dropped) plan.push_back({schedule::StepKind::kFlush, event, 0, 0});
      continue;
    }
    if (record.kind == HEDDLE_EXTERN_WRITE || (record.kind == HEDDLE_FAIL && !takes_a_turn(record))) continue;
    const auto row = waiting.find(event.thread);
    const bool goes_on = row != waiting.end() && record.kind == HEDDLE_LOAD && touches_nobody(record);
    if (goes_on || record.kind == HEDDLE_THREAD_JOIN) {
      waiting[event.thread].push_back(property::step_of(event, record));
      continue;
    }
    if (row != waiting.end()) {
      plan.insert(plan.end(), row->second.begin(), row->second.end());
      waiting.erase(row);
    }
    plan.push_back(property::step_of(event, record));
  }
  return plan;
}

uint32_t Symmetry::buffer_of_first(uint32_t buffer) {
  if (!buffer) return 0;
  if (buffers_.size() <= buffer) buffers_.resize(buffer + 1, 0);
  if (!buffers_[buffer]) {
    StoreBuffers::Content content = model_.buffers.content(buffer);
    for (uint32_t& store : content)
      if (store != StoreBuffers::kMarker) store = point_of_first(StoreBuffers::point(store)) << 1 | StoreBuffers::is_marked(store);
    buffers_[buffer] = 1 + model_.buffers.number(content);
  }
  return buffers_[buffer] - 1;
}

// Puts the threads of the group, with all that is theirs, into one order.
void Symmetry::sort_out(const State& state, const Group& group) {
  places_.clear();
  for (const ThreadId member : group.members) {
    const uint32_t slot = model_.thread_slots[member], buffer = model_.buffer_slots[member];
    places_.push_back({member, point_of_first(state[slot]), buffer ? buffer_of_first(state[buffer]) : 0, {}});
  }
  const auto place_of = [&](uint64_t lock) -> Place* {
    const ThreadId owner = static_cast<ThreadId>((lock & kOwner) - 1);
    if (!(lock & kOwner) || (lock & kDestroyed)) return nullptr;
    const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& one) { return one.thread == owner; });
    return place == places_.end() ? nullptr : &*place;
  };
  for (const uint32_t slot : lock_slots_)
    if (Place* const place = place_of(model_.numbers.value(state[slot]))) place->locks.push_back(slot);
  std::sort(places_.begin(), places_.end());
  for (size_t i = 0; i < places_.size(); ++i) {
    const ThreadId member = group.members[i];
    row_[model_.thread_slots[member]] = places_[i].point;
    if (const uint32_t buffer = model_.buffer_slots[member]) row_[buffer] = places_[i].buffer;
    for (const uint32_t slot : places_[i].locks)
      row_[slot] = model_.numbers.number((model_.numbers.value(state[slot]) & ~kOwner) | (member + 1));
  }
}

const Row& Symmetry::representative(const State& state) {
  row_.assign(state.words().begin(), state.words().end());
  for (const Group& group : groups_) {
    const bool are_met = std::all_of(group.members.begin(), group.members.end(), [&](ThreadId member) {
      return member < model_.thread_slots.size() && model_.thread_slots[member];
    });
    if (are_met) sort_out(state, group);
    if (const uint32_t slot = model_.thread_slots[group.parent]) row_[slot] = row_of(state[slot]);
  }
  return row_;
}

}  // namespace heddle::check::learn
