// SPDX-License-Identifier: Apache-2.0
//
// What the reversibility check and sanitising cost on a trace: CPU time, median
// of seven. Prints a row of a table; exits 1 if a goal is missed.
//
//   reversibility NAME TRACE
#include "propagate/reversibility/reversibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "propagate/sanitize/sanitized_text.h"
#include "trace/reader.h"

namespace {

constexpr double kMostCheckSeconds = 1, kLeastEventsPerSecond = 5e6;

template <typename Work>
double median_seconds(Work work) {
  std::array<double, 7> seconds;
  for (double& one : seconds) {
    const std::clock_t start = std::clock();
    work();
    one = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  using namespace heddle;
  if (count != 3) return 2;
  const auto trace = trace::read_trace(arguments[2]);
  if (!trace) {
    fmt::print(stderr, "{}\n", trace.error().message);
    return 3;
  }
  bool fixed = false;
  const double check = median_seconds([&] {
    const auto result = propagate::check_reversibility(*trace);
    fixed = result && result->verdict == propagate::Reversibility::Verdict::kFixed;
  });
  size_t bytes = 0;
  const double sanitize =
      median_seconds([&] { propagate::sanitized_text(*trace, [&](std::string_view text) { bytes += text.size(); }); });
  const double rate = static_cast<double>(trace->events.size()) / sanitize;
  fmt::print("| {} | {} | {} | {:.3f} s | below {} s | {:.1f} million/s | at least {} million/s |\n", arguments[1],
             trace->events.size(), fixed ? "no" : "not known to be", check, kMostCheckSeconds, rate / 1e6,
             kLeastEventsPerSecond / 1e6);
  return fixed && check < kMostCheckSeconds && rate >= kLeastEventsPerSecond ? 0 : 1;
}
