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
//   thread         1 joined, 2 detached
//
// Waiting, arrived and lined up are masks of threads. Users and readers may be
// negative, after a misuse. The masks of the threads that are serial at a barrier
// (bits 0-31), or wait there and do not count (32-63), are in a slot of their own.
#pragma once

#include <cstdint>

#include "semantics/barrier.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/queue.h"
#include "semantics/rwlock.h"
#include "semantics/semaphore.h"
#include "semantics/thread.h"

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
// The number of so many bits as a signed one.
inline int32_t with_sign(uint64_t number, uint32_t bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(number) << (32 - bits)) >> (32 - bits);
}

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
inline uint64_t pack_others(const BarrierState& barrier) {
  return barrier.serial.bits | barrier.stranded.bits << packing::kLimitShift;
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
  MutexState mutex;
  mutex.owner = static_cast<uint32_t>(number & kOwner);
  mutex.depth = static_cast<uint32_t>(number >> kDepthShift & kDepth);
  mutex.users = with_sign(number >> kUsersShift & kUsers, 16);
  mutex.is_destroyed = is_destroyed(number);
  return mutex;
}
template <>
inline RwlockState unpack<RwlockState>(uint64_t number) {
  using namespace packing;
  RwlockState lock;
  lock.owner = static_cast<uint32_t>(number & kOwner);
  lock.readers = static_cast<uint32_t>(with_sign(number >> kReadersShift & kReaders, 15));
  lock.lined_up.bits = number >> kLinedUpShift & kThreads;
  lock.is_destroyed = is_destroyed(number);
  return lock;
}
template <>
inline QueueState unpack<QueueState>(uint64_t number) {
  QueueState queue;
  queue.waiting.bits = number & packing::kThreads;
  queue.is_destroyed = packing::is_destroyed(number);
  return queue;
}
template <>
inline BarrierState unpack<BarrierState>(uint64_t number) {
  using namespace packing;
  BarrierState barrier;
  barrier.limit = number >> kLimitShift & kLimit;
  barrier.arrived.bits = number & kThreads;
  barrier.is_destroyed = is_destroyed(number);
  return barrier;
}
// Of both slots.
inline BarrierState unpack_barrier(uint64_t number, uint64_t others) {
  BarrierState barrier = unpack<BarrierState>(number);
  barrier.serial.bits = others & packing::kThreads;
  barrier.stranded.bits = others >> packing::kLimitShift;
  return barrier;
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
