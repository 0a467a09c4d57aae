// SPDX-License-Identifier: Apache-2.0
#include "propagate/campaign/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace heddle::propagate {
namespace {

// Two-sided 95 % of the normal distribution.
constexpr double kDeviations = 1.959963984540054;

// The middle value, or the mean of the two in the middle; 0 of nothing.
template <typename T>
T median(std::vector<T> values) {
  if (values.empty()) return T{};
  std::sort(values.begin(), values.end());
  const T high = values[values.size() / 2], low = values[(values.size() - 1) / 2];
  return low + (high - low) / 2;
}

// Whatever deviated did so by crashing. The text is ours (deviations.h), a list of threads with one "kind" each; quotes
// inside of its texts follow a backslash. Reading it as JSON would be a third of the work for a campaign that crashes.
bool only_crashed(const ExperimentResult& result) {
  constexpr std::string_view kKind = "\"kind\":", kCrash = "\"crash\"";
  const std::string_view text = result.first_deviation;
  size_t kind = text.find(kKind);
  if (kind == text.npos) return false;
  for (; kind != text.npos; kind = text.find(kKind, kind + 1))
    if (!text.substr(kind + kKind.size()).starts_with(kCrash)) return false;
  return true;
}

struct Samples {
  FaultStatistics counts;
  std::vector<double> seconds;
  std::vector<uint64_t> distances;

  void count(const ExperimentResult& result) {
    ++counts.runs;
    seconds.push_back(result.seconds);
    if (!result.injected) {
      counts.false_alarms += result.deviated || thread_deviated(result);
      return;
    }
    OutcomeCount& outcome = counts.outcomes[static_cast<size_t>(result.outcome)];
    ++counts.injected;
    ++outcome.injected;
    if (!thread_deviated(result)) {
      counts.only_outcome += result.outcome != Outcome::kBenign;
      return;
    }
    ++counts.deviated;
    ++outcome.deviated;
    if (result.outcome == Outcome::kCrash) counts.only_crash += only_crashed(result);
    distances.push_back(result.instructions_until_deviation);
  }

  FaultStatistics finish(const std::string& name) {
    counts.fault = name;
    counts.median_seconds = median(std::move(seconds));
    counts.median_instructions_until_deviation = median(std::move(distances));
    return std::move(counts);
  }
};

}  // namespace

Interval wilson_interval(uint64_t successes, uint64_t trials) {
  if (trials == 0) return {};
  const double n = static_cast<double>(trials), share = static_cast<double>(successes) / n;
  const double square = kDeviations * kDeviations;
  const double middle = (share + square / (2 * n)) / (1 + square / n);
  const double half = kDeviations * std::sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n);
  // The ends are exact; rounding would leave a little.
  return {successes == 0 ? 0 : std::max(0.0, middle - half), successes == trials ? 1 : std::min(1.0, middle + half)};
}

std::optional<double> FaultStatistics::coverage() const {
  if (injected == 0) return std::nullopt;
  return static_cast<double>(deviated) / static_cast<double>(injected);
}

std::optional<double> FaultStatistics::mpfnr(Outcome which) const {
  const OutcomeCount& count = outcome(which);
  if (count.injected == 0) return std::nullopt;
  return static_cast<double>(count.injected - count.deviated) / static_cast<double>(count.injected);
}

bool thread_deviated(const ExperimentResult& result) {
  const std::string& threads = result.first_deviation;
  return !threads.empty() && threads != "[]" && threads != "{}" && threads != "null";
}

CampaignStatistics campaign_statistics(std::span<const ExperimentResult> results) {
  std::map<std::string, Samples> by_fault;
  Samples all;
  for (const ExperimentResult& result : results) {
    by_fault[result.fault].count(result);
    all.count(result);
  }
  CampaignStatistics statistics;
  for (auto& [fault, samples] : by_fault) statistics.faults.push_back(samples.finish(fault));
  statistics.all = all.finish("all");
  return statistics;
}

}  // namespace heddle::propagate
