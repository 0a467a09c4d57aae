// SPDX-License-Identifier: Apache-2.0
//
// Runs that somebody made before they were asked for, because he had nothing else to
// do. Each counts only if it is exactly what is asked for in the end. Any worker may
// call it at any time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "check/runner.h"

namespace heddle::check {

class AheadRuns {
 public:
  // True: so much is kept already that nothing more should be run ahead.
  bool is_full() {
    const std::lock_guard<std::mutex> guard(lock_);
    return operations_ > kMostOperations;
  }

  void add(RunReport run) {
    if (!run.execution) return;
    const std::lock_guard<std::mutex> guard(lock_);
    operations_ += run.execution->order.size();
    runs_.insert_or_assign(run.job.number, std::move(run));
  }

  // None: the job was not run, or another one under its number.
  std::optional<RunReport> take(const Job& job) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = runs_.find(job.number);
    if (found == runs_.end()) return std::nullopt;
    std::optional<RunReport> run = std::move(found->second);
    operations_ -= run->execution->order.size();
    runs_.erase(found);
    const auto is_same = [](const property::PlannedStep& one, const property::PlannedStep& other) {
      return one.kind == other.kind && one.event == other.event && one.site == other.site && one.value == other.value;
    };
    const auto& ran = run->job.plan;
    if (!std::equal(ran.begin(), ran.end(), job.plan.begin(), job.plan.end(), is_same)) return std::nullopt;
    return run;
  }

 private:
  static constexpr uint64_t kMostOperations = 2'000'000;  // some hundred megabytes

  std::mutex lock_;
  std::map<uint64_t, RunReport> runs_;  // by the number of the job
  uint64_t operations_ = 0;
};

}  // namespace heddle::check
