// SPDX-License-Identifier: Apache-2.0
//
// Campaigns for programs too large to exhaust: --search=random and --search=pct.
// So many executions (--executions), each with a seed of its own, which counts
// up from --seed; so a campaign can be repeated, and continued with another
// seed. PCT spreads its priority changes over the longest execution seen before
// the batch of jobs at hand; a batch may be run in any order.
#pragma once

#include <algorithm>

#include "check/explorer.h"
#include "check/options.h"

namespace heddle::check {

inline constexpr uint64_t kCampaignExecutions = 1000;  // where the user does not say
inline constexpr uint32_t kCampaignBatch = 16;

class CampaignExplorer : public Explorer {
 public:
  explicit CampaignExplorer(const Options& options)
      : strategy_(options.search == Search::kPct ? HEDDLE_STRATEGY_PCT : HEDDLE_STRATEGY_RANDOM),
        seed_(options.seed),
        left_(options.executions ? options.executions : kCampaignExecutions) {}

  std::optional<Job> next() override {
    if (left_ == 0) return std::nullopt;
    --left_;
    if (given_++ == 0) expected_ = length_;
    return Job{.strategy = strategy_, .seed = seed_++, .expected_length = expected_};
  }

  void learn(ExecutionRef execution) override {
    length_ = std::max(length_, static_cast<uint32_t>(execution->order.size()));
    if (++learned_ < batch_) return;
    given_ = learned_ = 0;
    batch_ = kCampaignBatch;
  }

  bool may_run_ahead() const override { return given_ < batch_; }

 private:
  const HeddleStrategy strategy_;
  uint64_t seed_, left_;
  uint32_t length_ = 0, expected_ = 0;
  uint32_t batch_ = 1;                // the first tells how long executions are
  uint32_t given_ = 0, learned_ = 0;  // of the batch at hand
};

}  // namespace heddle::check
