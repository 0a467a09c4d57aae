// SPDX-License-Identifier: Apache-2.0
//
// States of objects of synchronisation (src/semantics) as numbers, for the words
// of a State. An object that nobody has used yet is 0.
//
//   bits           0-15        16-39       40-55      63
//   mutex          1 + owner   depth       users      destroyed
//
//   bits           0-15        16-30       31-62      63
//   reader-writer  1 + writer  readers     lined up   destroyed
//
//   bits           0-31        32-62       63
//   queue          waiting                 destroyed
//   barrier        arrived     limit       destroyed
//   semaphore      tokens                  destroyed
//   one-time       0 new, 1 running, 2 done
//
// Waiting, arrived and lined up are masks of threads. The threads that are serial
// at a barrier are in a slot of their own.
#pragma once

#include <cstdint>

#include "semantics/barrier.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/queue.h"
#include "semantics/rwlock.h"
#include "semantics/semaphore.h"

namespace heddle::check::learn {

using semantics::MutexState;
using semantics::OnceState;
using semantics::SemaphoreState;
using semantics::ThreadMask;
using BarrierState = semantics::BarrierState<ThreadMask>;
using QueueState = semantics::QueueState<ThreadMask>;
using RwlockState = semantics::RwlockState<ThreadMask>;

inline constexpr uint64_t kDestroyed = uint64_t{1} << 63;
inline constexpr uint64_t kOwner = 0xffff;  // of a mutex or reader-writer lock: 1 + the thread, or 0

namespace packing {

inline constexpr uint32_t kDepthShift = 16, kUsersShift = 40, kReadersShift = 16, kLinedUpShift = 31, kLimitShift = 32;
inline constexpr uint64_t kDepth = 0xffffff, kUsers = 0xffff, kReaders = 0x7fff, kThreads = 0xffffffff,
                          kLimit = 0x7fffffff;

inline uint64_t destroyed(bool is_destroyed) { return is_destroyed ? kDestroyed : 0; }
inline bool is_destroyed(uint64_t number) { return number & kDestroyed; }

}  // namespace packing

inline uint64_t pack(const MutexState& mutex) {
  using namespace packing;
  return mutex.owner | (mutex.depth & kDepth) << kDepthShift |
         (static_cast<uint64_t>(mutex.users) & kUsers) << kUsersShift | destroyed(mutex.is_destroyed);
}
inline uint64_t pack(const RwlockState& lock) {
  using namespace packing;
  return lock.owner | (lock.readers & kReaders) << kReadersShift | lock.lined_up.bits << kLinedUpShift |
         destroyed(lock.is_destroyed);
}
inline uint64_t pack(const QueueState& queue) { return queue.waiting.bits | packing::destroyed(queue.is_destroyed); }
inline uint64_t pack(const BarrierState& barrier) {
  using namespace packing;
  return barrier.arrived.bits | (barrier.limit & kLimit) << kLimitShift | destroyed(barrier.is_destroyed);
}
inline uint64_t pack(const SemaphoreState& semaphore) {
  return semaphore.tokens | packing::destroyed(semaphore.is_destroyed);
}
inline uint64_t pack(OnceState once) { return static_cast<uint64_t>(once); }

template <typename ObjectState>
ObjectState unpack(uint64_t number);

template <>
inline MutexState unpack<MutexState>(uint64_t number) {
  using namespace packing;
  return {static_cast<uint32_t>(number & kOwner), static_cast<uint32_t>(number >> kDepthShift & kDepth),
          static_cast<int16_t>(number >> kUsersShift & kUsers), is_destroyed(number)};
}
template <>
inline RwlockState unpack<RwlockState>(uint64_t number) {
  using namespace packing;
  return {static_cast<uint32_t>(number & kOwner),
          static_cast<uint32_t>(number >> kReadersShift & kReaders),
          {number >> kLinedUpShift & kThreads},
          is_destroyed(number)};
}
template <>
inline QueueState unpack<QueueState>(uint64_t number) {
  return {{number & packing::kThreads}, packing::is_destroyed(number)};
}
template <>
inline BarrierState unpack<BarrierState>(uint64_t number) {
  using namespace packing;
  return {number >> kLimitShift & kLimit, {number & kThreads}, {}, is_destroyed(number)};
}
template <>
inline SemaphoreState unpack<SemaphoreState>(uint64_t number) {
  return {number & ~kDestroyed, packing::is_destroyed(number)};
}
template <>
inline OnceState unpack<OnceState>(uint64_t number) {
  return static_cast<OnceState>(number);
}

}  // namespace heddle::check::learn
