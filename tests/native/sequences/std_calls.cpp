// SPDX-License-Identifier: Apache-2.0
//
// The primitives of the C++ library, each an object made in place by its `init`. A call
// returns what its function did, or 1000 + the code of the std::system_error that it threw.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>
#include <system_error>

extern "C" {
#include "sequence.h"
}

namespace {

using Until = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

enum : long { kThrewCode = 1000, kThrewOther = 2000 };

template <typename T>
T& in(Object* object) {
  return *reinterpret_cast<T*>(object);
}
template <typename T>
T& first(const Arguments* a) {
  return in<T>(a->object);
}

std::chrono::nanoseconds duration(const Arguments* a) {
  return std::chrono::seconds(a->deadline->tv_sec) + std::chrono::nanoseconds(a->deadline->tv_nsec);
}
Until time_point(const Arguments* a) { return Until(duration(a)); }

// A call of the table from a function that may throw.
template <long (*function)(const Arguments*)>
long caught(const Arguments* a) {
  try {
    return function(a);
  } catch (const std::system_error& error) {
    return kThrewCode + error.code().value();
  } catch (int) {
    return kThrewOther;
  }
}

template <typename T>
long init(const Arguments* a) {
  new (a->object) T;
  return 0;
}
template <typename T>
long init_number(const Arguments* a) {
  new (a->object) T(a->number);
  return 0;
}
template <typename T>
long destroy(const Arguments* a) {
  first<T>(a).~T();
  return 0;
}
template <typename T>
long lock(const Arguments* a) {
  first<T>(a).lock();
  return 0;
}
template <typename T>
long try_lock(const Arguments* a) {
  return first<T>(a).try_lock();
}
template <typename T>
long try_lock_for(const Arguments* a) {
  return first<T>(a).try_lock_for(duration(a));
}
template <typename T>
long try_lock_until(const Arguments* a) {
  return first<T>(a).try_lock_until(time_point(a));
}
template <typename T>
long unlock(const Arguments* a) {
  first<T>(a).unlock();
  return 0;
}
template <typename T>
long lock_shared(const Arguments* a) {
  first<T>(a).lock_shared();
  return 0;
}
template <typename T>
long try_lock_shared(const Arguments* a) {
  return first<T>(a).try_lock_shared();
}
template <typename T>
long try_lock_shared_for(const Arguments* a) {
  return first<T>(a).try_lock_shared_for(duration(a));
}
template <typename T>
long unlock_shared(const Arguments* a) {
  first<T>(a).unlock_shared();
  return 0;
}

// The mutex of a wait is locked by calls of its own, so the lock only borrows it.
template <typename Condition>
long wait(const Arguments* a) {
  std::unique_lock<std::mutex> lock(in<std::mutex>(a->second), std::adopt_lock);
  first<Condition>(a).wait(lock);
  lock.release();
  return 0;
}
template <typename Condition>
long wait_for(const Arguments* a) {
  std::unique_lock<std::mutex> lock(in<std::mutex>(a->second), std::adopt_lock);
  const bool timed_out = first<Condition>(a).wait_for(lock, duration(a)) == std::cv_status::timeout;
  lock.release();
  return timed_out;
}
template <typename Condition>
long wait_until(const Arguments* a) {
  std::unique_lock<std::mutex> lock(in<std::mutex>(a->second), std::adopt_lock);
  const bool timed_out = first<Condition>(a).wait_until(lock, time_point(a)) == std::cv_status::timeout;
  lock.release();
  return timed_out;
}
template <typename T>
long notify_one(const Arguments* a) {
  first<T>(a).notify_one();
  return 0;
}
template <typename T>
long notify_all(const Arguments* a) {
  first<T>(a).notify_all();
  return 0;
}

using Semaphore = std::counting_semaphore<>;
long acquire(const Arguments* a) {
  first<Semaphore>(a).acquire();
  return 0;
}
long try_acquire(const Arguments* a) { return first<Semaphore>(a).try_acquire(); }
long try_acquire_for(const Arguments* a) { return first<Semaphore>(a).try_acquire_for(duration(a)); }
long release(const Arguments* a) {
  first<Semaphore>(a).release(a->number);
  return 0;
}

using Barrier = std::barrier<>;
long arrive_and_wait(const Arguments* a) {
  first<Barrier>(a).arrive_and_wait();
  return 0;
}
long arrive_and_drop(const Arguments* a) {
  first<Barrier>(a).arrive_and_drop();
  return 0;
}

long count_down(const Arguments* a) {
  first<std::latch>(a).count_down(a->number);
  return 0;
}
long latch_wait(const Arguments* a) {
  first<std::latch>(a).wait();
  return 0;
}
long latch_try_wait(const Arguments* a) { return first<std::latch>(a).try_wait(); }
long latch_arrive_and_wait(const Arguments* a) {
  first<std::latch>(a).arrive_and_wait();
  return 0;
}

// `number`: throws. Returns how often the function ran.
long call_once(const Arguments* a) {
  long times = 0;
  std::call_once(first<std::once_flag>(a), [&] {
    ++times;
    if (a->number) throw 1;
  });
  return times;
}

using Atomic = std::atomic<int>;
long atomic_wait(const Arguments* a) {
  first<Atomic>(a).wait(static_cast<int>(a->number));
  return 0;
}
long atomic_store(const Arguments* a) {
  first<Atomic>(a).store(static_cast<int>(a->number));
  return 0;
}

}  // namespace

// Of a kind of mutex: NAME_init, NAME_lock and so on.
#define MUTEX(NAME, TYPE)                                                                           \
  {NAME "_init", init<TYPE>}, {NAME "_destroy", destroy<TYPE>}, {NAME "_lock", caught<lock<TYPE>>}, \
      {NAME "_try_lock", caught<try_lock<TYPE>>}, {                                                 \
    NAME "_unlock", caught<unlock<TYPE>>                                                            \
  }
#define TIMED(NAME, TYPE) \
  {NAME "_try_lock_for", caught<try_lock_for<TYPE>>}, { NAME "_try_lock_until", caught<try_lock_until<TYPE>> }
#define SHARED(NAME, TYPE)                                                                                      \
  {NAME "_lock_shared", caught<lock_shared<TYPE>>}, {NAME "_try_lock_shared", caught<try_lock_shared<TYPE>>}, { \
    NAME "_unlock_shared", caught<unlock_shared<TYPE>>                                                          \
  }
#define CONDITION(NAME, TYPE)                                                                               \
  {NAME "_init", caught<init<TYPE>>}, {NAME "_destroy", destroy<TYPE>}, {NAME "_wait", caught<wait<TYPE>>}, \
      {NAME "_wait_for", caught<wait_for<TYPE>>}, {NAME "_wait_until", caught<wait_until<TYPE>>},           \
      {NAME "_notify_one", notify_one<TYPE>}, {                                                             \
    NAME "_notify_all", notify_all<TYPE>                                                                    \
  }

extern "C" const Call kStdCalls[] = {
    MUTEX("std_mutex", std::mutex),
    MUTEX("std_recursive", std::recursive_mutex),
    MUTEX("std_timed", std::timed_mutex),
    TIMED("std_timed", std::timed_mutex),
    MUTEX("std_recursive_timed", std::recursive_timed_mutex),
    TIMED("std_recursive_timed", std::recursive_timed_mutex),
    MUTEX("std_shared", std::shared_mutex),
    SHARED("std_shared", std::shared_mutex),
    MUTEX("std_shared_timed", std::shared_timed_mutex),
    TIMED("std_shared_timed", std::shared_timed_mutex),
    SHARED("std_shared_timed", std::shared_timed_mutex),
    {"std_shared_timed_try_lock_shared_for", caught<try_lock_shared_for<std::shared_timed_mutex>>},
    CONDITION("std_condition", std::condition_variable),
    CONDITION("std_condition_any", std::condition_variable_any),
    {"std_semaphore_init", init_number<Semaphore>},
    {"std_semaphore_acquire", acquire},
    {"std_semaphore_try_acquire", try_acquire},
    {"std_semaphore_try_acquire_for", try_acquire_for},
    {"std_semaphore_release", release},
    {"std_barrier_init", init_number<Barrier>},
    {"std_barrier_arrive_and_wait", arrive_and_wait},
    {"std_barrier_arrive_and_drop", arrive_and_drop},
    {"std_latch_init", init_number<std::latch>},
    {"std_latch_count_down", count_down},
    {"std_latch_wait", latch_wait},
    {"std_latch_try_wait", latch_try_wait},
    {"std_latch_arrive_and_wait", latch_arrive_and_wait},
    {"std_call_once", caught<call_once>},
    {"std_atomic_wait", atomic_wait},
    {"std_atomic_store", atomic_store},
    {"std_atomic_notify_one", notify_one<Atomic>},
    {"std_atomic_notify_all", notify_all<Atomic>},
    {nullptr, nullptr},
};
