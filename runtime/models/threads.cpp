// SPDX-License-Identifier: Apache-2.0
//
// Models of what libstdc++.so holds of <thread>, <condition_variable>, <future>
// and <chrono>. They come down to pthread functions, futexes and clocks, which
// the runtime models.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace {

void* run_thread(void* argument) {
  const std::unique_ptr<std::thread::_State> state(static_cast<std::thread::_State*>(argument));
  state->_M_run();
  return nullptr;
}

void expect_success(int error) {
  if (error) std::__throw_system_error(error);
}

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// False when the time has come.
bool await_change(unsigned* word, unsigned value, bool has_timeout, std::chrono::seconds seconds,
                  std::chrono::nanoseconds nanoseconds, int clock_flag) {
  if (!has_timeout) {
    syscall(SYS_futex, word, FUTEX_WAIT, value, nullptr);
    return true;
  }
  if (seconds.count() < 0) return false;
  timespec until = {static_cast<time_t>(seconds.count()), static_cast<long>(nanoseconds.count())};
  const long result =
      syscall(SYS_futex, word, FUTEX_WAIT_BITSET | clock_flag, value, &until, nullptr, FUTEX_BITSET_MATCH_ANY);
  return result != -1 || errno != ETIMEDOUT;
}

}  // namespace

namespace std {

thread::_State::~_State() = default;

// The second argument only makes the linker keep the thread library.
void thread::_M_start_thread(_State_ptr state, void (*)()) {
  expect_success(pthread_create(&_M_id._M_thread, nullptr, run_thread, state.get()));
  state.release();
}

void thread::join() {
  expect_success(_M_id == id() ? EINVAL : pthread_join(_M_id._M_thread, nullptr));
  _M_id = id();
}

void thread::detach() {
  expect_success(_M_id == id() ? EINVAL : pthread_detach(_M_id._M_thread));
  _M_id = id();
}

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex>& lock) { _M_cond.wait(*lock.mutex()); }
void condition_variable::notify_one() noexcept { _M_cond.notify_one(); }
void condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* word, unsigned value, bool has_timeout,
                                                       chrono::seconds seconds, chrono::nanoseconds nanoseconds) {
  return await_change(word, value, has_timeout, seconds, nanoseconds, FUTEX_CLOCK_REALTIME);
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned value, bool has_timeout,
                                                              chrono::seconds seconds,
                                                              chrono::nanoseconds nanoseconds) {
  return await_change(word, value, has_timeout, seconds, nanoseconds, 0);
}

void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX);
}

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

namespace chrono {

steady_clock::time_point steady_clock::now() noexcept { return time_point(read_clock(CLOCK_MONOTONIC)); }

system_clock::time_point system_clock::now() noexcept {
  return time_point(duration_cast<duration>(read_clock(CLOCK_REALTIME)));
}

}  // namespace chrono
}  // namespace std
