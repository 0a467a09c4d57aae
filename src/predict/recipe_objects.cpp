// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_objects.h"

#include <algorithm>

#include "causal/sections.h"

namespace heddle::predict {
namespace {

using Step = causal::SectionStep::Kind;

EventId event_of(const HeddleRecord& record) { return {record.thread, record.index}; }

bool destroys(const HeddleRecord& record) { return semantics::effect_of(record) == HEDDLE_EFFECT_DESTROY; }

}  // namespace

RecipeObjects::RecipeObjects(const CarriedState& state, const ObjectRules& rules) : rules_(rules) {
  for (uint32_t t = 0; t < state.threads(); ++t) {
    const CarriedState::ThreadState& thread = state.thread(t);
    for (const HeddleRecord& held : thread.held) {
      const causal::SectionStep step = causal::section_step(held);
      sections_[step.lock].push_back({t, std::nullopt, std::nullopt, step.kind == Step::kAcquireShared});
    }
    if (thread.wait == CarriedState::Wait::kForSignal && !rules.is_kept(thread.wait_began.address))
      conditions_[thread.wait_began.address].waiters.push_back({t, std::nullopt, std::nullopt});
  }
}

void RecipeObjects::add(const HeddleRecord& record) {
  order_threads(record);
  if (record.kind != HEDDLE_EXTERN_CALL && !is_object_use(record)) return;
  order_uses(record);
  use_section(record);
  if (rules_.is_kept(record.address)) return;
  if (is_vain_attempt(record))
    attempts_.push_back({event_of(record), record.address, semantics::effect_of(record) == HEDDLE_EFFECT_SHARE});
  switch (semantics::family_of(record)) {
    case HEDDLE_FAMILY_CONDITION: return use_condition(record);
    case HEDDLE_FAMILY_SEMAPHORE: return use_semaphore(record);
    case HEDDLE_FAMILY_BARRIER: return use_barrier(record);
    default: return;
  }
}

void RecipeObjects::order_threads(const HeddleRecord& record) {
  const auto order = [&](const std::map<uint32_t, EventId>& earlier, uint32_t thread) {
    if (const auto found = earlier.find(thread); found != earlier.end())
      edges_.emplace_back(found->second, event_of(record));
  };
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_CREATE:
      if (!gave_up(record)) creations_[static_cast<uint32_t>(record.value)] = event_of(record);
      return;
    case HEDDLE_EFFECT_START: return order(creations_, record.thread);
    case HEDDLE_EFFECT_END: ends_[record.thread] = event_of(record); return;
    case HEDDLE_EFFECT_JOIN:
      if (!gave_up(record)) order(ends_, static_cast<uint32_t>(record.value));
      return;
    default: return;
  }
}

// Made before it is used, used before it is gone; and what keeps its order.
void RecipeObjects::order_uses(const HeddleRecord& record) {
  const EventId event = event_of(record);
  for (const uint64_t object : rules_.kept_of(record)) {
    const auto [last, is_new] = last_of_chain_.try_emplace(object, event);
    if (!is_new && last->second.thread != event.thread) edges_.emplace_back(last->second, event);
    last->second = event;
  }
  if (record.kind == HEDDLE_EXTERN_CALL) return;
  Use& use = uses_[record.address];
  if (ObjectRules::makes_usable(record) || destroys(record))
    for (const auto& [thread, latest] : use.latest)
      if (thread != event.thread) edges_.emplace_back(latest, event);
  if (ObjectRules::makes_usable(record)) {
    use.made = event;
  } else if (use.made && use.made->thread != event.thread) {
    edges_.emplace_back(*use.made, event);
  }
  use.latest[event.thread] = event;
}

void RecipeObjects::use_section(const HeddleRecord& record) {
  const causal::SectionStep step = causal::section_step(record);
  if (step.kind == Step::kNone) return;
  std::vector<LockSection>& sections = sections_[step.lock];
  if (step.kind != Step::kRelease) {
    sections.push_back({record.thread, record.index, std::nullopt, step.kind == Step::kAcquireShared});
    return;
  }
  const auto is_open = [&](const LockSection& section) { return section.thread == record.thread && !section.release; };
  const auto open = std::find_if(sections.rbegin(), sections.rend(), is_open);
  if (open != sections.rend()) open->release = record.index;
}

void RecipeObjects::use_condition(const HeddleRecord& record) {
  if (semantics::changes_life(record.kind)) return;
  ConditionUse& condition = conditions_[record.address];
  const auto is_own = [&](const Waiter& waiter) { return waiter.thread == record.thread && !waiter.resume; };
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_WAIT: condition.waiters.push_back({record.thread, record.index, std::nullopt}); break;
    case HEDDLE_EFFECT_RESUME: {
      // Nobody: it had been woken when the window began, and only has to get its mutex.
      const auto own = std::find_if(condition.waiters.begin(), condition.waiters.end(), is_own);
      if (own != condition.waiters.end()) own->resume = record.index;
      break;
    }
    case HEDDLE_EFFECT_WAKE:
      (semantics::most_woken(record) == 1 ? condition.signals : condition.broadcasts).push_back(event_of(record));
      break;
    default: break;
  }
}

void RecipeObjects::use_semaphore(const HeddleRecord& record) {
  const bool posts = semantics::effect_of(record) == HEDDLE_EFFECT_POST;
  if (!posts && semantics::effect_of(record) != HEDDLE_EFFECT_TAKE) return;
  SemaphoreUse& semaphore = semaphores_[record.address];
  semaphore.tokens = rules_.tokens(record.address);
  if (posts) {
    semaphore.posts.push_back(event_of(record));
  } else {
    (gave_up(record) ? semaphore.failures : semaphore.waits).push_back(event_of(record));
  }
}

void RecipeObjects::use_barrier(const HeddleRecord& record) {
  const bool arrives = semantics::effect_of(record) == HEDDLE_EFFECT_ARRIVE;
  if (!arrives && semantics::effect_of(record) != HEDDLE_EFFECT_DEPART) return;
  const std::optional<uint64_t> round = rules_.round(event_of(record));
  if (!round) return;
  std::vector<EventId>& arrivals = arrivals_[{record.address, *round}];
  if (arrives) {
    arrivals.push_back(event_of(record));
    return;
  }
  std::optional<EventId> own;
  std::vector<EventId> others;
  for (const EventId arrival : arrivals) {
    if (arrival.thread == record.thread) {
      own = arrival;
    } else {
      others.push_back(arrival);
      edges_.emplace_back(arrival, event_of(record));
    }
  }
  if (own) leavings_.push_back({event_of(record), *own, std::move(others), (record.flags & HEDDLE_FLAG_SERIAL) != 0});
}

}  // namespace heddle::predict
