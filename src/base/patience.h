// SPDX-License-Identifier: Apache-2.0
//
// How long something may go on: so many seconds of the calling thread's CPU, and not after somebody wants it to
// stop. Whoever works for long looks here again and again, for each piece of work that takes microseconds, and
// gives up when it is over. Once it is over it stays so.
//
//   Patience patience(2.0, &stop);
//   while (there is something to do && !patience.is_over()) do a little
//
// A part of the work may have less of it: Patience(patience, 0.5) is over after half a second, or with the whole.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace heddle::base {

class Patience {
 public:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  // `stop` may be null. `looks`: over after so many looks, whatever the time; for tests.
  explicit Patience(double seconds = kForever, const std::atomic<bool>* stop = nullptr, uint64_t looks = ~uint64_t{0});
  Patience(Patience& whole, double seconds);
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  // Looks. Cheap enough for inner loops: the clock is asked now and then.
  bool is_over() {
    ++looks_;
    return is_over_ || (is_over_ = is_over_now());
  }
  // Seconds; not above 0 when it is over.
  double left() const;
  uint64_t looks() const { return looks_; }

 private:
  bool is_over_now();

  Patience* const whole_ = nullptr;
  const std::atomic<bool>* const stop_ = nullptr;
  const double end_ = kForever;
  const uint64_t most_looks_ = ~uint64_t{0};
  uint64_t looks_ = 0;
  bool is_over_ = false;
};

}  // namespace heddle::base
