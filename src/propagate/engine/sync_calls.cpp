// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/sync_calls.h"

#include <algorithm>
#include <string_view>

namespace heddle::propagate {
namespace {

constexpr uint64_t kMostSegmentsBack = 200'000;  // segments

enum class Role : uint8_t { kWaits, kGives, kBoth, kJoins };

// The object is the first argument of each.
const std::map<std::string_view, Role>& synchronising_functions() {
  // clang-format off: a table of names
  static const std::map<std::string_view, Role> kFunctions = {
      {"sem_wait", Role::kWaits}, {"sem_timedwait", Role::kWaits}, {"sem_clockwait", Role::kWaits}, {"sem_trywait", Role::kWaits},
      {"sem_post", Role::kGives},
      {"pthread_mutex_lock", Role::kWaits}, {"pthread_mutex_trylock", Role::kWaits}, {"pthread_mutex_timedlock", Role::kWaits},
      {"pthread_mutex_clocklock", Role::kWaits}, {"pthread_mutex_unlock", Role::kGives},
      {"mtx_lock", Role::kWaits}, {"mtx_trylock", Role::kWaits}, {"mtx_timedlock", Role::kWaits}, {"mtx_unlock", Role::kGives},
      {"pthread_spin_lock", Role::kWaits}, {"pthread_spin_trylock", Role::kWaits}, {"pthread_spin_unlock", Role::kGives},
      {"pthread_rwlock_rdlock", Role::kWaits}, {"pthread_rwlock_wrlock", Role::kWaits}, {"pthread_rwlock_tryrdlock", Role::kWaits},
      {"pthread_rwlock_trywrlock", Role::kWaits}, {"pthread_rwlock_timedrdlock", Role::kWaits},
      {"pthread_rwlock_timedwrlock", Role::kWaits}, {"pthread_rwlock_unlock", Role::kGives},
      {"pthread_cond_wait", Role::kWaits}, {"pthread_cond_timedwait", Role::kWaits}, {"pthread_cond_clockwait", Role::kWaits},
      {"pthread_cond_signal", Role::kGives}, {"pthread_cond_broadcast", Role::kGives},
      {"cnd_wait", Role::kWaits}, {"cnd_timedwait", Role::kWaits}, {"cnd_signal", Role::kGives}, {"cnd_broadcast", Role::kGives},
      {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", Role::kWaits},
      {"_ZNSt18condition_variable10notify_oneEv", Role::kGives}, {"_ZNSt18condition_variable10notify_allEv", Role::kGives},
      {"pthread_barrier_wait", Role::kBoth},
      {"pthread_join", Role::kJoins}, {"thrd_join", Role::kJoins}, {"_ZNSt6thread4joinEv", Role::kJoins}};
  // clang-format on
  return kFunctions;
}

}  // namespace

SyncCalls::SyncCalls(const FaultFreeRun& run) : run_(run) {
  const build::ComparedProgram& code = run.target().code;
  segments_.resize(code.segments.size());
  for (size_t i = 0; i < code.segments.size(); ++i) {
    const auto& slots = code.segments[i].slots;
    Described& described = segments_[i];
    for (uint32_t slot = 0; slot < slots.size(); ++slot) {
      if (slots[slot].kind != build::SlotKind::kArgument || slots[slot].callee == 0 ||
          code.words[slots[slot].callee].starts_with("llvm."))
        continue;
      if (slots[slot].number == 0) described = {slots[slot].callee, slot, false, false, false};
    }
    const auto known = synchronising_functions().find(code.words[described.callee]);
    if (known == synchronising_functions().end()) continue;
    described.joins = known->second == Role::kJoins;
    described.has_object = !described.joins;
    described.gives = known->second == Role::kGives || known->second == Role::kBoth;
  }
}

OutsideCall SyncCalls::call_at(uint32_t lane, uint64_t header) const {
  const uint32_t segment = run_.segment_at(lane, header);
  const Described& described = segments_[segment];
  OutsideCall call{header, segment, run_.target().code.words[described.callee], std::nullopt, described.joins};
  if (described.has_object) call.object = run_.value(lane, header + 1 + described.object_slot);
  return call;
}

std::optional<OutsideCall> SyncCalls::call_before(uint32_t lane, uint64_t word) const {
  const std::vector<uint64_t>& headers = run_.headers(lane);
  const auto after = std::lower_bound(headers.begin(), headers.end(), word);
  if (after == headers.begin() || segments_[run_.segment_at(lane, *(after - 1))].callee == 0) return std::nullopt;
  return call_at(lane, *(after - 1));
}

std::optional<OutsideCall> SyncCalls::synchronised_before(uint32_t lane, uint64_t word) const {
  const std::vector<uint64_t>& headers = run_.headers(lane);
  auto at = std::lower_bound(headers.begin(), headers.end(), word);
  for (uint64_t looked = 0; at != headers.begin() && looked < kMostSegmentsBack; ++looked) {
    const Described& described = segments_[run_.segment_at(lane, *--at)];
    if (described.has_object || described.joins) return call_at(lane, *at);
  }
  return std::nullopt;
}

void SyncCalls::find_givers() {
  found_givers_ = true;
  for (uint32_t lane = 0; lane < run_.lanes(); ++lane)
    for (const uint64_t header : run_.headers(lane)) {
      const Described& described = segments_[run_.segment_at(lane, header)];
      if (described.gives) givers_[run_.value(lane, header + 1 + described.object_slot)].insert(lane);
    }
}

const std::set<uint32_t>& SyncCalls::givers(uint64_t object) {
  if (!found_givers_) find_givers();
  return givers_[object];
}

}  // namespace heddle::propagate
