// SPDX-License-Identifier: Apache-2.0
//
// A campaign as table, bars, CSV, JSON and picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/campaign_data.h"
#include "report/campaign_plot.h"
#include "report/campaign_text.h"

namespace heddle::report {
namespace {

using propagate::ExperimentResult;
using propagate::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;

// 20 bit flips: 8 benign of which 2 deviated, 6 sdc, 4 crashes, 2 not injected; one CallCorr that was never injected.
std::vector<ExperimentResult> sample() {
  std::vector<ExperimentResult> results;
  const auto add = [&](const char* fault, Outcome outcome, bool injected, bool deviated, int count) {
    for (int i = 0; i < count; ++i) {
      ExperimentResult result;
      result.id = results.size();
      result.fault = fault;
      result.outcome = outcome;
      result.injected = injected;
      result.deviated = deviated;
      result.first_deviation = deviated ? "[{}]" : "[]";
      results.push_back(result);
    }
  };
  add("bitflip", Outcome::kBenign, true, false, 6);
  add("bitflip", Outcome::kBenign, true, true, 2);
  add("bitflip", Outcome::kSdc, true, true, 6);
  add("bitflip", Outcome::kCrash, true, true, 4);
  add("bitflip", Outcome::kBenign, false, false, 2);
  add("callcorr", Outcome::kBenign, false, false, 1);
  return results;
}

TEST(CampaignText, Table) {
  EXPECT_EQ(campaign_table(campaign_statistics(sample())),
            "fault     runs  injected  coverage            95 %  benign  sdc  detected  crash  hang  refused\n"
            "bitflip     20        18    66.7 %  43.7 .. 83.7 %       8    6         0      4     0        0\n"
            "callcorr     1         0         -               -       0    0         0      0     0        0\n"
            "all         21        18    66.7 %  43.7 .. 83.7 %       8    6         0      4     0        0\n"
            "\n"
            "share without deviation  benign    sdc  detected  crash  hang  refused\n"
            "bitflip                  75.0 %  0.0 %         -  0.0 %     -        -\n"
            "callcorr                      -      -         -      -     -        -\n"
            "all                      75.0 %  0.0 %         -  0.0 %     -        -\n");
}

TEST(CampaignText, SaysWhenRunsDeviatedWithoutFault) {
  std::vector<ExperimentResult> results = sample();
  EXPECT_THAT(campaign_table(campaign_statistics(results)), Not(HasSubstr("not deterministic")));
  results.back().first_deviation = "[{}]";
  EXPECT_THAT(campaign_table(campaign_statistics(results)), HasSubstr("1 runs deviated before a fault was injected"));
}

// Even where the record calls it deviated.
TEST(CampaignText, SaysWhenOnlyTheOutcomeShowsAFault) {
  std::vector<ExperimentResult> results = sample();
  EXPECT_THAT(campaign_table(campaign_statistics(results)), Not(HasSubstr("missed")));
  results[8].first_deviation = "[]";
  const std::string table = campaign_table(campaign_statistics(results));
  EXPECT_THAT(table, HasSubstr("1 faults changed the outcome although no thread was seen to deviate"));
  EXPECT_THAT(table, HasSubstr("16.7 %"));  // one silent corruption of six
}

TEST(CampaignText, SaysHowManyCrashesNothingPreceded) {
  std::vector<ExperimentResult> results = sample();
  EXPECT_THAT(campaign_table(campaign_statistics(results)), Not(HasSubstr("crash itself")));
  results[14].first_deviation = R"([{"kind":"crash","thread":"T0"}])";
  results[15].first_deviation = R"([{"kind":"value","thread":"T0"},{"kind":"crash","thread":"T0.1"}])";
  EXPECT_THAT(campaign_table(campaign_statistics(results)),
              HasSubstr("in 1 of the 4 crashes no thread did anything else before"));
}

TEST(CampaignText, BarsAreAsLongAsTheCoverage) {
  EXPECT_EQ(campaign_bars(campaign_statistics(sample()), 18),
            "bitflip   |bbsssssscccc      |  66.7 %\n"
            "callcorr  |                  |  -\n"
            "all       |bbsssssscccc      |  66.7 %\n"
            "           b benign  s sdc  d detected  c crash  h hang  r refused\n");
}

TEST(CampaignData, Json) {
  const auto list = nlohmann::json::parse(campaign_json(campaign_statistics(sample())));
  ASSERT_EQ(list.size(), 2u);
  const auto& bitflip = list[0];
  EXPECT_EQ(bitflip["fault"], "bitflip");
  EXPECT_EQ(bitflip["runs"], 20);
  EXPECT_EQ(bitflip["injected"], 18);
  EXPECT_EQ(bitflip["deviated"], 12);
  EXPECT_EQ(bitflip["crash"], 4);
  EXPECT_EQ(bitflip["sdc"], 6);
  EXPECT_EQ(bitflip["hang"], 0);
  EXPECT_EQ(bitflip["detected"], 0);
  EXPECT_EQ(bitflip["benign"], 8);
  EXPECT_DOUBLE_EQ(bitflip["coverage"], 12.0 / 18);
  EXPECT_NEAR(bitflip["coverage_low"], 0.437, 0.001);
  EXPECT_NEAR(bitflip["coverage_high"], 0.837, 0.001);
  EXPECT_DOUBLE_EQ(bitflip["mpfnr"]["benign"], 0.75);
  EXPECT_EQ(bitflip["mpfnr"]["crash"], 0);
  EXPECT_TRUE(bitflip["mpfnr"]["hang"].is_null());
  EXPECT_EQ(bitflip["deviated_by_outcome"]["benign"], 2);
  EXPECT_EQ(bitflip["only_outcome"], 0);
  EXPECT_TRUE(list[1]["coverage"].is_null());
}

TEST(CampaignData, Csv) {
  EXPECT_EQ(campaign_csv(campaign_statistics(sample())),
            "fault,runs,injected,deviated,coverage,coverage_low,coverage_high,benign,benign_deviated,benign_mpfnr,sdc,"
            "sdc_deviated,"
            "sdc_mpfnr,detected,detected_deviated,detected_mpfnr,crash,crash_deviated,crash_mpfnr,hang,hang_deviated,"
            "hang_mpfnr,refused,refused_deviated,refused_mpfnr,"
            "only_outcome,only_crash,false_alarms\n"
            "bitflip,20,18,12,0.666667,0.437495,0.837212,8,2,0.750000,6,6,0.000000,0,0,,4,4,0.000000,0,0,,0,0,,0,0,0\n"
            "callcorr,1,0,0,,0.000000,1.000000,0,0,,0,0,,0,0,,0,0,,0,0,,0,0,,0,0,0\n"
            "all,21,18,12,0.666667,0.437495,0.837212,8,2,0.750000,6,6,0.000000,0,0,,4,4,0.000000,0,0,,0,0,,0,0,0\n");
}

TEST(CampaignData, ExperimentsAreQuotedWhereNeeded) {
  ExperimentResult result;
  result.id = 5;
  result.fault = "bitflip";
  result.place = "a.c:3:1";
  result.detail = "bit 1, \"2\"";
  result.objects = "[\"heap T0#1\"]";
  result.outcome = Outcome::kSdc;
  result.injected = true;
  result.seconds = 0.25;
  const std::string csv = experiments_csv(std::vector{result});
  EXPECT_THAT(
      csv,
      HasSubstr("\n5,bitflip,,0,a.c:3:1,,,\"bit 1, \"\"2\"\"\",sdc,,1,0,0,,\"[\"\"heap T0#1\"\"]\",,,,,0,0.250000\n"));
}

TEST(CampaignPlot, HasABarForEachOutcome) {
  const std::vector<ProgramCampaign> campaigns{{"pca <small>", campaign_statistics(sample())}};
  const std::string svg = campaign_plot(campaigns);
  EXPECT_THAT(svg, HasSubstr("pca &lt;small&gt;"));
  EXPECT_THAT(svg, HasSubstr("<title>bitflip sdc: 6 of 18</title>"));
  EXPECT_THAT(svg, HasSubstr("height=\"80.00\" fill=\"#d95f02\""));  // a third of 240
  EXPECT_THAT(svg, HasSubstr(">0.67</text>"));
  EXPECT_THAT(svg, HasSubstr(">none</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("hang:")));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace heddle::report
