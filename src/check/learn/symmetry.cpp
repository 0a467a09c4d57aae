// SPDX-License-Identifier: Apache-2.0
#include "check/learn/symmetry.h"

#include <algorithm>
#include <map>

namespace heddle::check::learn {

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
        if (!point.is_of_lock()) continue;
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

uint32_t Symmetry::buffer_of_first(uint32_t buffer) {
  if (!buffer) return 0;
  if (buffers_.size() <= buffer) buffers_.resize(buffer + 1, 0);
  if (!buffers_[buffer]) {
    StoreBuffers::Content content = model_.buffers.content(buffer);
    for (uint32_t& store : content)
      if (store != StoreBuffers::kMarker)
        store = point_of_first(StoreBuffers::point(store)) << 1 | StoreBuffers::is_marked(store);
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
    const auto place =
        std::find_if(places_.begin(), places_.end(), [&](const Place& one) { return one.thread == owner; });
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
