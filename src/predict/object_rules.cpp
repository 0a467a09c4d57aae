// SPDX-License-Identifier: Apache-2.0
#include "predict/object_rules.h"

#include "causal/sections.h"

namespace heddle::predict {
namespace {

constexpr uint64_t kOutside = 1;  // what calls of unknown functions share; no object lies there
// With more ways in which its waits could end, an object keeps its order: questions would be too hard.
constexpr uint64_t kMostWays = 150;

bool is_lock_use(const HeddleRecord& record) {
  const HeddleFamily family = semantics::family_of(record);
  return family == HEDDLE_FAMILY_MUTEX || family == HEDDLE_FAMILY_RWLOCK;
}

bool initialises(const HeddleRecord& record) { return semantics::effect_of(record) == HEDDLE_EFFECT_INIT; }

bool destroys(const HeddleRecord& record) { return semantics::effect_of(record) == HEDDLE_EFFECT_DESTROY; }

}  // namespace

bool is_object_use(const HeddleRecord& record) {
  return semantics::uses_object(record.kind) && semantics::family_of(record) != HEDDLE_FAMILY_WORD;
}

bool has_mutex(const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  return semantics::family_of(record) == HEDDLE_FAMILY_CONDITION &&
         (effect == HEDDLE_EFFECT_WAIT || effect == HEDDLE_EFFECT_RESUME);
}

ObjectRules::ObjectRules(std::span<const trace::Event> events, const CarriedState& state) {
  for (const trace::Event& event : events)
    if (trace::is_visible(event.record) && is_object_use(event.record)) look_at(event.record, state);
  for (const auto& [address, survey] : surveys_) {
    const bool is_too_hard = survey.asks * (survey.answers + tokens(address)) > kMostWays;
    simplifies_ |= is_too_hard;
    if (is_too_hard || survey.initialisations > 1) kept_.insert(address);
    const auto barrier = barriers_.find(address);
    if (barrier == barriers_.end()) continue;
    std::set<uint32_t> users = survey.users;
    if (const auto before = state.barriers().find(address); before != state.barriers().end())
      users.insert(before->second.arrived.begin(), before->second.arrived.end());
    if (barrier->second.count == 0 || users.size() > barrier->second.count) kept_.insert(address);
  }
}

void ObjectRules::look_at(const HeddleRecord& record, const CarriedState& state) {
  Survey& survey = surveys_[record.address];
  if (record.flags & HEDDLE_FLAG_MISUSE) kept_.insert(record.address);
  if (is_lock_use(record)) return look_at_lock(record, survey);
  // Made when it was in use already, or used when it was gone.
  if (survey.is_destroyed || (initialises(record) && survey.uses > 0)) kept_.insert(record.address);
  survey.is_destroyed |= destroys(record);
  ++survey.uses;
  switch (semantics::family_of(record)) {
    case HEDDLE_FAMILY_CONDITION: return count_waits(record, survey);
    case HEDDLE_FAMILY_ONCE:
      survey.initialisations += semantics::effect_of(record) == HEDDLE_EFFECT_ENTER && record.value != 0;
      if (semantics::effect_of(record) == HEDDLE_EFFECT_FINISH && gave_up(record)) kept_.insert(record.address);
      return;
    case HEDDLE_FAMILY_SEMAPHORE: return count_tokens(record, survey);
    case HEDDLE_FAMILY_BARRIER: return count_rounds(record, state, survey);
    default: return;
  }
}

void ObjectRules::count_waits(const HeddleRecord& record, Survey& survey) {
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_LEAVE: kept_.insert(record.address); break;
    case HEDDLE_EFFECT_RESUME: ++survey.asks; [[fallthrough]];
    case HEDDLE_EFFECT_WAIT:
      if (gave_up(record) || (record.flags & HEDDLE_FLAG_SPURIOUS)) kept_.insert(record.address);
      break;
    case HEDDLE_EFFECT_WAKE: ++survey.answers; break;
    default: break;
  }
}

void ObjectRules::look_at_lock(const HeddleRecord& record, Survey& survey) {
  using Kind = causal::SectionStep::Kind;
  const Kind kind = causal::section_step(record).kind;
  survey.answers += kind == Kind::kAcquire || kind == Kind::kAcquireShared;
  survey.asks += is_vain_attempt(record);
  if (gave_up(record) && !is_vain_attempt(record)) kept_.insert(record.address);
  // A writer that lines up keeps readers away before it has the lock.
  if (semantics::effect_of(record) == HEDDLE_EFFECT_LINE_UP) kept_.insert(record.address);
}

// A semaphore's records say what its count is afterwards.
void ObjectRules::count_tokens(const HeddleRecord& record, Survey& survey) {
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_INIT: tokens_.try_emplace(record.address, record.value); break;
    case HEDDLE_EFFECT_POST:
      if (gave_up(record) || record.value == 0) kept_.insert(record.address);
      tokens_.try_emplace(record.address, record.value ? record.value - 1 : 0);
      ++survey.answers;
      break;
    case HEDDLE_EFFECT_TAKE:
      tokens_.try_emplace(record.address, gave_up(record) ? 0 : record.value + 1);
      ++survey.asks;
      break;
    case HEDDLE_EFFECT_INSPECT: kept_.insert(record.address); break;
    default: break;
  }
}

void ObjectRules::count_rounds(const HeddleRecord& record, const CarriedState& state, Survey& survey) {
  const HeddleEffect effect = semantics::effect_of(record);
  Barrier own;
  if (effect == HEDDLE_EFFECT_INIT) {
    own.count = record.value;
  } else if (const auto before = state.barriers().find(record.address); before != state.barriers().end()) {
    own = {before->second.count, before->second.arrived.size()};
    for (const uint32_t thread : before->second.arrived) last_round_.try_emplace({record.address, thread}, 0);
  }
  Barrier& barrier = barriers_.try_emplace(record.address, own).first->second;
  if (effect == HEDDLE_EFFECT_ARRIVE && barrier.count > 0) {
    survey.users.insert(record.thread);
    const uint64_t round = barrier.arrived++ / barrier.count;
    last_round_[{record.address, record.thread}] = rounds_[{record.thread, record.index}] = round;
  }
  if (effect != HEDDLE_EFFECT_DEPART) return;
  const auto round = last_round_.find({record.address, record.thread});
  if (round != last_round_.end()) rounds_[{record.thread, record.index}] = round->second;
}

std::vector<uint64_t> ObjectRules::kept_of(const HeddleRecord& record) const {
  if (record.kind == HEDDLE_EXTERN_CALL) return {kOutside};
  std::vector<uint64_t> objects;
  if (is_object_use(record) && is_kept(record.address)) objects.push_back(record.address);
  if (has_mutex(record) && is_kept(record.value)) objects.push_back(record.value);
  return objects;
}

bool ObjectRules::makes_usable(const HeddleRecord& record) {
  return initialises(record) || semantics::effect_of(record) == HEDDLE_EFFECT_FINISH;
}

uint64_t ObjectRules::tokens(uint64_t semaphore) const {
  const auto found = tokens_.find(semaphore);
  return found == tokens_.end() ? 0 : found->second;
}

std::optional<uint64_t> ObjectRules::round(EventId event) const {
  const auto found = rounds_.find(event);
  return found == rounds_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace heddle::predict
