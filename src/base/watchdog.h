// SPDX-License-Identifier: Apache-2.0
//
// Keeps the limits of a command, whatever its threads are doing. A thread of its
// own looks at the clock, at the memory of all processes, and for SIGINT and SIGTERM.
//
//   Watchdog watchdog({.seconds = 5, .memory = 1 << 30}, last_words);
//   ... work, while !watchdog.stop().is_requested() ...
//   watchdog.conclude();      // from now on there are no last words
//   ... print the answer ...
//   watchdog.answered(code);  // from now on a late end is silent
//   ... store ...
//
// A limit that is reached is first a wish (stop.h): work that looks ends in order,
// and processes that were started are told. If that takes longer than the grace,
// 10 % of the time limit but at least 2 s, the watchdog calls `last_words`, which
// prints and stores what was published so far, and ends the process with the code
// that it returns. Memory beyond 1.08 times the limit leaves no grace. A second
// signal ends the process at once.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "base/stop.h"

namespace heddle::base {

class Watchdog {
 public:
  struct Limits {
    double seconds = 0;   // 0: none
    uint64_t memory = 0;  // bytes, of this process and all that it started; 0: none
  };
  using LastWords = std::function<int(Stop::Why)>;

  // One at a time: signals have one receiver. `last_words` is called by another thread.
  Watchdog(Limits limits, LastWords last_words);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  Stop& stop() { return stop_; }
  double elapsed() const;

  // To be called before the answer is printed. If the watchdog is giving it already, this never returns.
  void conclude();
  // The answer is out, and this is its exit code.
  void answered(int code) { code_ = code; }

 private:
  void watch();
  [[noreturn]] void end_process();

  const Limits limits_;
  const LastWords last_words_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const double grace_;
  std::chrono::steady_clock::time_point stopped_at_;  // of the watching thread
  bool has_no_grace_ = false;                         // likewise
  Stop stop_;
  std::atomic<int> code_ = -1;
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  bool is_concluded_ = false, is_over_ = false;
  std::thread watcher_;
};

}  // namespace heddle::base
