// SPDX-License-Identifier: Apache-2.0
//
// What is learned when nobody can go on.
#include <algorithm>

#include "reproduce/retracing.h"

namespace heddle::reproduce {

using solve::Event;

bool Retracing::is_stuck(uint32_t thread) const {
  if (machine_->has_ended(thread)) return false;
  const Operation& operation = next(thread);
  return reads_memory(operation) && operation.check && is_ready(system_.event({thread, machine_->position(thread)})) &&
         machine_->can_step(thread) && !matches(operation, machine_->would_read(thread));
}

bool Retracing::has_read_since(uint32_t thread, uint64_t address, size_t step) const {
  for (size_t i = step; i < order_.size(); ++i)
    if (order_[i].operation.thread == thread && !order_[i].is_flush && steps_[i].address == address &&
        reads_memory(run_.at(order_[i].operation)))
      return true;
  return false;
}

// It reads its own store, which waits in the buffer. What was recorded came from another store, after that one.
std::optional<Retracing::Conflict> Retracing::conflict_in_buffer(uint32_t thread, OperationId own,
                                                                 const std::vector<Overwritten>& versions) const {
  const Operation& read = next(thread);
  uint64_t value = machine_->in_memory(machine_->next_address(thread), read.size);
  for (size_t i = versions.size(); i-- > 0; value = versions[i].value) {
    if (versions[i].size != read.size) return std::nullopt;
    if (versions[i].store.thread != thread && matches(read, value))
      return Conflict{{{system_.in_memory(own), versions[i].store, versions[i].step}}};
  }
  return std::nullopt;
}

std::optional<Retracing::Conflict> Retracing::conflict_of(uint32_t thread) const {
  const OperationId id = {thread, machine_->position(thread)};
  const Operation& read = next(thread);
  const uint64_t address = machine_->next_address(thread);
  const auto found = overwritten_.find(address);
  if (found == overwritten_.end()) return std::nullopt;
  const std::vector<Overwritten>& versions = found->second;
  if (const auto own = machine_->waiting_store(thread, address))
    return conflict_in_buffer(thread, {thread, *own}, versions);
  std::optional<OperationId> own;  // the last store of the thread itself
  for (size_t i = versions.size(); i-- > 0;) {
    if (versions[i].size != read.size) return std::nullopt;
    if (!own && versions[i].store.thread == thread) own = versions[i].store;
    if (!matches(read, versions[i].value)) continue;
    const OperationId over = own.value_or(versions[i].store);
    Conflict conflict;
    const bool is_later = own || system_.closure().before(system_.in_memory(over), system_.event(id)) ||
                          has_read_since(thread, address, versions[i].step);
    if (!is_later) conflict.lessons.push_back({system_.event(id), over, versions[i].step});
    if (i > 0) {
      const OperationId wanted = versions[i - 1].store;
      if (wanted.thread != over.thread && !system_.closure().before(system_.in_memory(wanted), system_.in_memory(over)))
        conflict.lessons.push_back({system_.in_memory(over), wanted, versions[i - 1].step});
      const auto apart = [&](OperationId one, OperationId two) {
        return std::max(time_of(one), time_of(two)) - std::min(time_of(one), time_of(two));
      };
      if (conflict.lessons.size() == 2 && apart(over, wanted) < apart(over, id))
        std::swap(conflict.lessons[0], conflict.lessons[1]);
    }
    if (!conflict.lessons.empty()) return conflict;
    return std::nullopt;
  }
  return std::nullopt;
}

void Retracing::learn(const Lesson& lesson) {
  learned_.push_back(lesson);
  held_back_[lesson.store].push_back(lesson.first);
  go_back(lesson.step);
}

// A handle of the system, such as that of a thread, is another one in every run, as addresses are. It is known by its
// size, and by that nobody but its thread ever wrote it.
bool Retracing::excuse() {
  bool found = false;
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    if (!is_stuck(t) || next(t).size != 8) continue;
    const auto versions = overwritten_.find(machine_->next_address(t));
    const bool is_own = versions == overwritten_.end() ||
                        std::all_of(versions->second.begin(), versions->second.end(),
                                    [&](const Overwritten& version) { return version.store.thread == t; });
    if (is_own) found |= excused_.insert(next(t).site).second;
  }
  return found;
}

bool Retracing::repair() {
  std::optional<Conflict> best;
  // What is certain comes first, then what takes the search back least.
  const auto is_better = [&](const Conflict& conflict) {
    if (!best || conflict.lessons.size() != best->lessons.size())
      return !best || conflict.lessons.size() < best->lessons.size();
    return conflict.lessons.front().step > best->lessons.front().step;
  };
  for (uint32_t t = 0; t < run_.threads.size(); ++t)
    if (is_stuck(t))
      if (auto conflict = conflict_of(t); conflict && is_better(*conflict)) best = std::move(conflict);
  if (best) {
    if (best->lessons.size() > 1)
      decisions_.push_back({best->lessons[1], learned_.size(), std::min(order_.size(), best->lessons[1].step)});
    learn(best->lessons.front());
    return true;
  }
  if (excuse()) return true;
  if (decisions_.empty()) return false;
  const Decision last = decisions_.back();
  decisions_.pop_back();
  while (learned_.size() > last.lessons) {
    held_back_[learned_.back().store].pop_back();
    learned_.pop_back();
  }
  learn({last.other.first, last.other.store, last.lowest});
  return true;
}

}  // namespace heddle::reproduce
