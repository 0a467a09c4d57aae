// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_slice.h"

#include <algorithm>

#include "causal/sections.h"

namespace heddle::predict {
namespace {

bool is_plain_access(const HeddleRecord& record) { return record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_FENCE; }

}  // namespace

bool RecipeGoal::is_of(uint32_t thread) const {
  return std::any_of(next.begin(), next.end(), [&](EventId event) { return event.thread == thread; });
}

RecipeSlice::RecipeSlice(const RecipeWindow& window, const solve::Terms& terms, const RecipeGoal& goal)
    : window_(window), terms_(terms), goal_(goal), is_settled_(window.threads(), false) {
  for (uint32_t t = 0; t < window_.threads(); ++t) ends_.push_back(window_.first(t));
  for (const EventId next : goal_.next) {
    if (next.index > window_.first(next.thread)) include({next.thread, next.index - 1});
    is_settled_[next.thread] = true;
  }
  for (const EventId next : goal_.next) {
    const auto [first, last] = conditions(next.thread);
    for (size_t i = first; i < last; ++i) matter(window_.conditions(next.thread)[i].holds);
    if (!window_.has(next)) continue;
    const auto allocation = window_.memory().allocation(window_.record(next).address);
    if (allocation && allocation->thread != next.thread) include(*allocation);
  }
  if (goal_.wanted) matter(*goal_.wanted);
  while (!todo_.empty()) {
    const EventId event = todo_.back();
    todo_.pop_back();
    look_at(event);
  }
}

std::pair<size_t, size_t> RecipeSlice::conditions(uint32_t thread) const {
  const auto& conditions = window_.conditions(thread);
  const size_t first = window_.first_condition(thread);
  // A goal's own conditions bind it: its address, the way to it.
  const uint32_t end = ends_[thread] + (goal_.is_of(thread) ? 1 : 0);
  size_t last = first;
  while (last < conditions.size() && conditions[last].before_operation < end) ++last;
  if (goal_.is_of(thread) && goal_.conditions) last = std::min(last, *goal_.conditions);
  return {first, std::max(first, last)};
}

bool RecipeSlice::leaves_out(EventId event) const {
  return is_plain_access(window_.record(event)) && !reads_.count(event) && !writes_.count(event);
}

// The event and all of its thread before it may matter.
void RecipeSlice::include(EventId event) {
  uint32_t& end = ends_[event.thread];
  if (is_settled_[event.thread]) return;
  const uint32_t old = end;
  for (; end <= event.index && end < window_.limit(event.thread); ++end) todo_.push_back({event.thread, end});
  if (goal_.is_of(event.thread) || end == old) return;
  for (const symbolic::Condition& condition : window_.conditions(event.thread))
    if (condition.before_operation >= old && condition.before_operation < end) matter(condition.holds);
}

void RecipeSlice::include_all(const std::vector<EventId>& events) {
  for (const EventId event : events) include(event);
}

void RecipeSlice::matter(solve::Term term) {
  for (const solve::Term symbol : terms_.symbols(term)) {
    const std::optional<EventId> reader = window_.reader(symbol);
    if (!reader) {
      known_symbols_.insert(symbol);
      continue;
    }
    if (!reads_.insert(*reader).second) continue;
    const HeddleRecord& read = window_.record(*reader);
    for (const RecipeMemory::Write& write : window_.memory().writes(read.address, read.size)) {
      const EventId event = write.event;
      if (is_settled_[event.thread] && event.index >= ends_[event.thread]) continue;
      if (event.thread != reader->thread) include(event);
      if (!writes_.insert(event).second) continue;
      if (const auto& written = window_.operation(event).written) matter(*written);
    }
  }
}

void RecipeSlice::look_at(EventId event) {
  for (const EventId needed : window_.needs(event)) include(needed);
  const HeddleRecord& record = window_.record(event);
  if (!is_plain_access(record)) {
    look_at_locks(event, record);
    look_at_objects(record);
    return;
  }
  const auto allocation = window_.memory().allocation(record.address);
  if (!allocation || allocation->thread == event.thread) return;
  include(*allocation);
  writes_.insert(event);  // it has a place of its own in the order
}

void RecipeSlice::look_at_locks(EventId event, const HeddleRecord& record) {
  const causal::SectionStep step = causal::section_step(record);
  const bool acquires =
      step.kind == causal::SectionStep::Kind::kAcquire || step.kind == causal::SectionStep::Kind::kAcquireShared;
  const bool is_vain = is_vain_attempt(record);
  if (!acquires && !is_vain) return;
  const auto sections = window_.objects().sections().find(is_vain ? record.address : step.lock);
  if (sections == window_.objects().sections().end()) return;
  for (const LockSection& section : sections->second) {
    if (is_vain) {  // somebody must have the lock
      if (section.thread != event.thread && section.acquire) include({section.thread, *section.acquire});
      continue;
    }
    const bool is_own = section.thread == event.thread && section.acquire == event.index;
    const bool blocks = section.thread != event.thread && !section.acquire;
    if ((is_own || blocks) && section.release) include({section.thread, *section.release});
  }
}

void RecipeSlice::look_at_objects(const HeddleRecord& record) {
  const RecipeObjects& objects = window_.objects();
  if (record.kind == HEDDLE_COND_RESUME) {
    if (const auto condition = objects.conditions().find(record.address); condition != objects.conditions().end()) {
      include_all(condition->second.signals);
      include_all(condition->second.broadcasts);
    }
  } else if (record.kind == HEDDLE_SEM_WAIT || record.kind == HEDDLE_SEM_TRYWAIT ||
             record.kind == HEDDLE_SEM_TIMEDWAIT) {
    if (const auto semaphore = objects.semaphores().find(record.address); semaphore != objects.semaphores().end())
      include_all(gave_up(record) ? semaphore->second.waits : semaphore->second.posts);
  }
}

}  // namespace heddle::predict
