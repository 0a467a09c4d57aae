// SPDX-License-Identifier: Apache-2.0
#include "predict/forced_order.h"

#include <algorithm>

#include "causal/operation.h"
#include "causal/sections.h"
#include "semantics/meaning.h"

namespace heddle::predict {

namespace {

constexpr uint32_t kNobody = ~0u;

}  // namespace

bool ForcedOrder::exclude_each_other(uint32_t one, uint32_t other) const {
  for (const auto& [lock, is_shared] : lock_sets_[locks_at_[one]])
    for (const auto& [rival, rival_is_shared] : lock_sets_[locks_at_[other]])
      if (lock == rival && !(is_shared && rival_is_shared)) return true;
  return false;
}

// Goes through the window and notes, for each access, what its thread held and knew.
void ForcedOrder::follow(size_t begin, size_t end, const CarriedState& state, const std::vector<uint32_t>& servers) {
  begin_ = begin;
  const size_t threads = state.threads();
  segment_at_.assign(end - begin_, 0);
  locks_at_.assign(end - begin_, 0);
  clocks_.assign(1, Clock(threads, 0));
  segment_of_.assign(threads, 0);
  lock_sets_.assign(1, {});
  held_.assign(threads, {});
  lock_set_of_.assign(threads, 0);
  for (uint32_t t = 0; t < threads; ++t) {
    for (const HeddleRecord& acquired : state.thread(t).held) {
      const causal::SectionStep step = causal::section_step(acquired);
      held_[t].push_back({step.lock, step.kind == causal::SectionStep::Kind::kAcquireShared});
    }
    lock_set_of_[t] = number_of(held_[t]);
  }
  created_.clear();
  ended_.clear();
  arrived_.clear();
  initialised_.clear();
  collect_semaphores(end);
  for (uint32_t place = 0; begin_ + place < end; ++place) {
    const HeddleRecord& now = record(place);
    if (!trace::is_visible(now)) continue;
    if (now.size == 0 || !(causal::reads_memory(now) || causal::writes_memory(now))) {
      synchronise(now);
      continue;
    }
    segment_at_[place] = segment_of_[now.thread];
    locks_at_[place] = lock_set_of_[now.thread];
    if (const uint32_t server = servers[place]; server != kNoServer) {
      const HeddleRecord& write = record(server);
      learn(now.thread, {write.thread, write.index + 1, segment_at_[server]});
    }
  }
}

void ForcedOrder::synchronise(const HeddleRecord& now) {
  const auto learn_from = [&](const auto& table, auto key) {
    const auto found = table.find(key);
    if (found != table.end()) learn(now.thread, found->second);
  };
  const bool gave_up = semantics::gave_up(now);
  switch (semantics::effect_of(now)) {
    case HEDDLE_EFFECT_CREATE:
      if (!gave_up) created_[static_cast<uint32_t>(now.value)] = point_after(now);
      break;
    case HEDDLE_EFFECT_START: learn_from(created_, now.thread); break;
    case HEDDLE_EFFECT_END: ended_[now.thread] = point_after(now); break;
    case HEDDLE_EFFECT_JOIN:
      if (!gave_up) learn_from(ended_, static_cast<uint32_t>(now.value));
      break;
    case HEDDLE_EFFECT_ARRIVE: arrived_[{now.address, now.value}].push_back(point_after(now)); break;
    case HEDDLE_EFFECT_DEPART:
      for (const Point& point : arrived_[{now.address, now.value}]) learn(now.thread, point);
      break;
    case HEDDLE_EFFECT_FINISH:
      if (!gave_up) initialised_[now.address] = point_after(now);
      break;
    case HEDDLE_EFFECT_ENTER:
      if (!now.value) learn_from(initialised_, now.address);
      break;
    case HEDDLE_EFFECT_POST:
    case HEDDLE_EFFECT_TAKE: use_semaphore(now); break;
    default: break;
  }
  use_locks(now);
}

void ForcedOrder::collect_semaphores(size_t end) {
  semaphores_.clear();
  for (uint32_t place = 0; begin_ + place < end; ++place) {
    const HeddleRecord& now = record(place);
    const HeddleEffect effect = semantics::effect_of(now);
    if (semantics::family_of(now) != HEDDLE_FAMILY_SEMAPHORE || effect == HEDDLE_EFFECT_INSPECT) continue;
    const auto [found, is_new] = semaphores_.try_emplace(now.address);
    Semaphore& semaphore = found->second;
    const bool posts = effect == HEDDLE_EFFECT_POST, fails = semantics::gave_up(now);
    if (semantics::changes_life(now.kind)) {
      semaphore.has_one_poster &= is_new && effect == HEDDLE_EFFECT_INIT;
      semaphore.tokens = now.value;
      semaphore.poster = kNobody;
      continue;
    }
    if (is_new) {
      semaphore.tokens = posts ? now.value - 1 : now.value + (fails ? 0 : 1);
      semaphore.poster = kNobody;
    }
    if (!posts) continue;
    semaphore.has_one_poster &= semaphore.poster == kNobody || semaphore.poster == now.thread;
    semaphore.poster = now.thread;
  }
}

void ForcedOrder::use_semaphore(const HeddleRecord& now) {
  Semaphore& semaphore = semaphores_[now.address];
  if (semantics::effect_of(now) == HEDDLE_EFFECT_POST) {
    semaphore.posts.push_back(point_after(now));
    return;
  }
  if (semantics::gave_up(now)) return;
  const uint64_t waits = ++semaphore.waits[now.thread];
  if (!semaphore.has_one_poster || semaphore.poster == now.thread || waits <= semaphore.tokens) return;
  const uint64_t needed = waits - semaphore.tokens;
  if (needed <= semaphore.posts.size()) learn(now.thread, semaphore.posts[needed - 1]);
}

void ForcedOrder::use_locks(const HeddleRecord& now) {
  const causal::SectionStep step = causal::section_step(now);
  if (step.kind == causal::SectionStep::Kind::kNone) return;
  LockSet& held = held_[now.thread];
  if (step.kind == causal::SectionStep::Kind::kRelease) {
    const auto found =
        std::find_if(held.rbegin(), held.rend(), [&](const auto& lock) { return lock.first == step.lock; });
    if (found != held.rend()) held.erase(std::next(found).base());
  } else {
    held.push_back({step.lock, step.kind == causal::SectionStep::Kind::kAcquireShared});
  }
  lock_set_of_[now.thread] = number_of(held);
}

uint32_t ForcedOrder::number_of(const LockSet& locks) {
  const size_t number =
      static_cast<size_t>(std::find(lock_sets_.begin(), lock_sets_.end(), locks) - lock_sets_.begin());
  if (number == lock_sets_.size()) lock_sets_.push_back(locks);
  return static_cast<uint32_t>(number);
}

void ForcedOrder::learn(uint32_t thread, const Point& point) {
  if (point.thread == thread || clocks_[segment_of_[thread]][point.thread] >= point.length) return;
  Clock clock = clocks_[segment_of_[thread]];
  const Clock& theirs = clocks_[point.segment];
  for (size_t t = 0; t < clock.size(); ++t) clock[t] = std::max(clock[t], theirs[t]);
  clock[point.thread] = std::max(clock[point.thread], point.length);
  segment_of_[thread] = static_cast<uint32_t>(clocks_.size());
  clocks_.push_back(std::move(clock));
}

}  // namespace heddle::predict
