// SPDX-License-Identifier: Apache-2.0
//
// Statistics of campaigns against values known from elsewhere.
#include "propagate/campaign/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::propagate {
namespace {

ExperimentResult result_of(const std::string& fault, Outcome outcome, bool injected, bool deviated, double seconds = 0,
                           uint64_t distance = 0) {
  ExperimentResult result;
  result.fault = fault;
  result.outcome = outcome;
  result.injected = injected;
  result.deviated = deviated;
  result.first_deviation = deviated ? "[{\"thread\":\"T0\"}]" : "[]";
  result.seconds = seconds;
  result.instructions_until_deviation = distance;
  return result;
}

// Published examples of the interval without continuity correction (81 of 263, 15 of 148, 0 of 20, 1 of 29).
TEST(WilsonInterval, PublishedExamples) {
  const auto expect = [](uint64_t successes, uint64_t trials, double low, double high) {
    const Interval interval = wilson_interval(successes, trials);
    EXPECT_NEAR(interval.low, low, 0.00005) << successes << " of " << trials;
    EXPECT_NEAR(interval.high, high, 0.00005) << successes << " of " << trials;
  };
  expect(81, 263, 0.2553, 0.3662);
  expect(15, 148, 0.0624, 0.1605);
  expect(0, 20, 0.0000, 0.1611);
  expect(1, 29, 0.0061, 0.1718);
}

TEST(WilsonInterval, EndsAndSymmetry) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
  EXPECT_EQ(wilson_interval(0, 7).low, 0);
  EXPECT_EQ(wilson_interval(7, 7).high, 1);
  for (uint64_t successes = 0; successes <= 50; ++successes) {
    const Interval one = wilson_interval(successes, 50), other = wilson_interval(50 - successes, 50);
    EXPECT_NEAR(one.low, 1 - other.high, 1e-12);
    EXPECT_LE(one.low, successes / 50.0);
    EXPECT_GE(one.high, successes / 50.0);
  }
}

// The ends are where the observed share is just 1.96 standard deviations away (the definition).
TEST(WilsonInterval, SolvesItsEquation) {
  for (const auto& [successes, trials] : {std::pair<uint64_t, uint64_t>{4205, 5000}, {3, 40}, {499, 500}}) {
    const double share = static_cast<double>(successes) / static_cast<double>(trials);
    const Interval interval = wilson_interval(successes, trials);
    for (const double end : {interval.low, interval.high}) {
      const double deviation = std::sqrt(end * (1 - end) / static_cast<double>(trials));
      EXPECT_NEAR(std::abs(share - end) / deviation, 1.959964, 1e-6);
    }
  }
}

TEST(CampaignStatistics, CountsByFaultAndOutcome) {
  const std::vector<ExperimentResult> results{result_of("mallsize", Outcome::kCrash, true, true, 0.3, 10),
                                              result_of("bitflip", Outcome::kSdc, true, true, 0.1, 4),
                                              result_of("bitflip", Outcome::kSdc, true, false, 0.5),
                                              result_of("bitflip", Outcome::kBenign, true, true, 0.2, 7),
                                              result_of("bitflip", Outcome::kBenign, true, false, 0.4),
                                              result_of("bitflip", Outcome::kBenign, false, false, 9.0),
                                              result_of("bitflip", Outcome::kHang, true, true, 0.6, 100)};
  const CampaignStatistics statistics = campaign_statistics(results);
  ASSERT_EQ(statistics.faults.size(), 2u);
  const FaultStatistics& bitflip = statistics.faults[0];
  EXPECT_EQ(bitflip.fault, "bitflip");
  EXPECT_EQ(bitflip.runs, 6u);
  EXPECT_EQ(bitflip.injected, 5u);
  EXPECT_EQ(bitflip.deviated, 3u);
  EXPECT_EQ(bitflip.only_outcome, 1u);
  EXPECT_EQ(bitflip.false_alarms, 0u);
  EXPECT_DOUBLE_EQ(*bitflip.coverage(), 0.6);
  EXPECT_EQ(bitflip.outcome(Outcome::kBenign).injected, 2u);
  EXPECT_EQ(bitflip.outcome(Outcome::kBenign).deviated, 1u);
  EXPECT_DOUBLE_EQ(*bitflip.mpfnr(Outcome::kSdc), 0.5);
  EXPECT_DOUBLE_EQ(*bitflip.mpfnr(Outcome::kHang), 0);
  EXPECT_FALSE(bitflip.mpfnr(Outcome::kCrash));
  EXPECT_DOUBLE_EQ(bitflip.median_seconds, 0.45);
  EXPECT_EQ(bitflip.median_instructions_until_deviation, 7u);
  EXPECT_EQ(statistics.faults[1].fault, "mallsize");
  EXPECT_EQ(statistics.all.runs, 7u);
  EXPECT_EQ(statistics.all.injected, 6u);
  EXPECT_EQ(statistics.all.deviated, 4u);
  EXPECT_DOUBLE_EQ(*statistics.all.mpfnr(Outcome::kCrash), 0);
}

// An outcome is no deviation, whatever the record calls it: else the share of missed crashes would be 0 by definition.
TEST(CampaignStatistics, AnOutcomeAloneIsAMiss) {
  std::vector<ExperimentResult> results;
  for (const Outcome outcome : kOutcomes) {
    results.push_back(result_of("bitflip", outcome, true, true));
    results.push_back(result_of("bitflip", outcome, true, true));
    results.back().first_deviation = "[]";
  }
  const FaultStatistics fault = campaign_statistics(results).faults.at(0);
  EXPECT_EQ(fault.injected, 12u);
  EXPECT_EQ(fault.deviated, 6u);
  EXPECT_EQ(fault.only_outcome, 5u);
  for (const Outcome outcome : kOutcomes) EXPECT_DOUBLE_EQ(*fault.mpfnr(outcome), 0.5) << outcome_name(outcome);
}

// What precedes a crash is a deviation; the crash itself is one, too, and is told apart.
TEST(CampaignStatistics, CrashesThatNothingPrecedesAreCounted) {
  std::vector<ExperimentResult> results(4, result_of("bitflip", Outcome::kCrash, true, true));
  results[0].first_deviation = R"([{"kind":"crash"}])";
  results[1].first_deviation = R"([{"kind":"value"},{"kind":"crash"}])";
  results[2].first_deviation = R"([{"kind":"path"}])";
  results[3] = result_of("bitflip", Outcome::kSdc, true, true);
  results[3].first_deviation = R"([{"kind":"crash"}])";
  const FaultStatistics fault = campaign_statistics(results).faults.at(0);
  EXPECT_EQ(fault.only_crash, 1u);
  EXPECT_DOUBLE_EQ(*fault.mpfnr(Outcome::kCrash), 0);
}

TEST(CampaignStatistics, RunsWithoutFaultSayNothing) {
  const std::vector<ExperimentResult> results{result_of("invalptr", Outcome::kCrash, false, true),
                                              result_of("invalptr", Outcome::kBenign, false, false)};
  const CampaignStatistics statistics = campaign_statistics(results);
  const FaultStatistics& fault = statistics.faults.at(0);
  EXPECT_EQ(fault.runs, 2u);
  EXPECT_EQ(fault.injected, 0u);
  EXPECT_EQ(fault.deviated, 0u);
  EXPECT_EQ(fault.false_alarms, 1u);
  EXPECT_EQ(fault.outcome(Outcome::kCrash).injected, 0u);
  EXPECT_FALSE(fault.coverage());
  EXPECT_TRUE(campaign_statistics({}).faults.empty());
}

TEST(Outcomes, HaveNames) {
  for (const Outcome outcome : kOutcomes) EXPECT_EQ(outcome_named(outcome_name(outcome)), outcome);
  EXPECT_FALSE(outcome_named("fine"));
}

}  // namespace
}  // namespace heddle::propagate
