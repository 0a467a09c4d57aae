// SPDX-License-Identifier: Apache-2.0
#include "base/watchdog.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/memory_use.h"

namespace heddle::base {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kInterval = std::chrono::milliseconds(10);
constexpr double kGraceShare = 0.1, kLeastGrace = 2;  // seconds
constexpr double kNoGrace = 1.08;                     // of the memory limit

std::atomic<bool> g_signalled = false;

void note_signal(int) { g_signalled.store(true, std::memory_order_relaxed); }

void handle_signals() {
  g_signalled = false;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second one ends us
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

// Killing the large processes frees their memory at once; all of them end with heddle anyway.
void kill_large_ones(const std::vector<ProcessTree::Member>& members, uint64_t total) {
  for (size_t i = 1; i < members.size(); ++i)
    if (members[i].bytes > total / 4) ::kill(members[i].process, SIGKILL);
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

Watchdog::Watchdog(Limits limits, LastWords last_words)
    : limits_(limits), last_words_(std::move(last_words)), grace_(std::max(kLeastGrace, kGraceShare * limits.seconds)) {
  handle_signals();
  watcher_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard<std::mutex> guard(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  watcher_.join();
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

double Watchdog::elapsed() const { return seconds_since(start_); }

void Watchdog::conclude() {
  std::unique_lock<std::mutex> guard(lock_);
  if (is_concluded_) changed_.wait(guard, [] { return false; });
  is_concluded_ = true;
}

void Watchdog::watch() {
  ProcessTree tree;
  std::unique_lock<std::mutex> guard(lock_);
  while (!changed_.wait_for(guard, kInterval, [this] { return is_over_; })) {
    if (g_signalled.load(std::memory_order_relaxed)) stop_.request(Stop::Why::kInterrupted);
    if (limits_.seconds > 0 && elapsed() >= limits_.seconds) stop_.request(Stop::Why::kTime);
    if (limits_.memory) {
      const std::vector<ProcessTree::Member>& members = tree.measure();
      if (const uint64_t total = tree.total(); total > limits_.memory) {
        stop_.request(Stop::Why::kMemory);
        kill_large_ones(members, total);
        has_no_grace_ |= static_cast<double>(members[0].bytes) > kNoGrace * static_cast<double>(limits_.memory);
      }
    }
    if (!stop_.is_requested()) continue;
    if (stopped_at_ == Clock::time_point()) stopped_at_ = Clock::now();
    if (!has_no_grace_ && seconds_since(stopped_at_) < grace_) continue;
    if (!is_concluded_) {
      is_concluded_ = true;
      guard.unlock();
      end_process();
    }
    // The answer is printed, or about to be; what is stored after that may take as long again.
    const int code = code_.load();
    if (code >= 0 && (has_no_grace_ || seconds_since(stopped_at_) > grace_ + kLeastGrace / 4)) {
      static constexpr char kText[] = "heddle: the time was up before everything was stored\n";
      (void)!::write(2, kText, sizeof kText - 1);
      ::_exit(code);
    }
  }
}

void Watchdog::end_process() {
  int code = 70;
  try {
    code = last_words_(stop_.why());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: the limit was reached, and what was found could not be printed: %s\n", error.what());
  }
  std::fflush(stdout);
  std::fflush(stderr);
  ::_exit(code);  // other threads are in the middle of something
}

}  // namespace heddle::base
