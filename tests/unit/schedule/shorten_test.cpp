// SPDX-License-Identifier: Apache-2.0
//
// Shortening, with made-up programs in place of runs: a trial completes the
// candidate as a run would, and says whether it shows the bug.
#include "schedule/shorten.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace heddle::schedule {
namespace {

// "A0 B0 A1": operations of threads A (T0.0), B (T0.1), ... by number; "A0!B1"
// has a wake step of B behind the operation.
Schedule made_of(const std::string& text) {
  Schedule schedule;
  for (size_t i = 0; i + 1 < text.size(); i += 3) {
    const auto name = [&](size_t at) { return ThreadName({static_cast<uint32_t>(text[at] - 'A')}); };
    const auto number = [&](size_t at) { return static_cast<uint32_t>(text[at] - '0'); };
    const bool wakes = i > 0 && text[i - 1] == '!';
    schedule.steps.push_back({wakes ? StepKind::kWake : StepKind::kOp, name(i), number(i + 1), "", 0, 0});
  }
  return schedule;
}

std::string text_of(const Schedule& schedule) {
  std::string text;
  for (const Step& step : schedule.steps) {
    if (!text.empty()) text += step.kind == StepKind::kWake ? '!' : ' ';
    text += static_cast<char>('A' + step.thread.path()[0]);
    text += std::to_string(step.index);
  }
  return text;
}

size_t place_of(const Schedule& schedule, const std::string& operation) {
  const std::string text = text_of(schedule);
  const size_t place = text.find(operation);
  return place == std::string::npos ? 1000 : place;
}

// The program: threads of `lengths` operations. A candidate whose steps are not in
// the order of their threads is impossible. What is missing is added as a run
// would, thread by thread.
std::optional<Schedule> completed(Schedule schedule, const std::vector<uint32_t>& lengths) {
  std::vector<uint32_t> next(lengths.size());
  for (const Step& step : schedule.steps)
    if (step.kind == StepKind::kOp && step.index != next[step.thread.path()[0]]++) return std::nullopt;
  for (uint32_t thread = 0; thread < lengths.size(); ++thread)
    for (; next[thread] < lengths[thread]; ++next[thread])
      schedule.steps.push_back({StepKind::kOp, ThreadName({thread}), next[thread], "", 0, 0});
  return schedule;
}

TEST(Shorten, CountsSwitches) {
  EXPECT_EQ(context_switches(made_of("")), 0u);
  EXPECT_EQ(context_switches(made_of("A0 A1")), 0u);
  EXPECT_EQ(context_switches(made_of("A0 B0 A1")), 2u);
  EXPECT_EQ(context_switches(made_of("A0!B1 A1 B1")), 1u) << "a wake step is its signal's";
}

TEST(Shorten, NeedsNothingWhenEveryRunFails) {
  const Trial trial = [](const Schedule& candidate) { return completed(candidate, {3, 3}); };
  EXPECT_EQ(text_of(shorten(made_of("A0 B0 A1 B1 A2 B2"), trial, 100)), "A0 A1 A2 B0 B1 B2");
}

TEST(Shorten, LeavesStoresInTheirBuffersWhereThatSavesASwitch) {
  // B0 is a store that must not reach memory (B1) before A1 reads.
  Schedule found = made_of("A0 A1 B0 B1 B2 A2 B3");
  found.steps[3].kind = StepKind::kFlush;
  const Trial trial = [](const Schedule& candidate) -> std::optional<Schedule> {
    const std::string text = text_of(candidate);
    const auto at = [&](const char* operation) { return text.find(operation); };
    const bool in_order =
        at("A0") < at("A1") && at("A1") < at("A2") && at("B0") < at("B1") && at("B0") < at("B2") && at("B2") < at("B3");
    if (text.size() != 20 || !in_order || at("B1") < at("A1") || at("B2") > at("A2") || at("A2") > at("B3"))
      return std::nullopt;
    return candidate;
  };
  const Schedule shortest = shorten(found, trial, 100);
  EXPECT_EQ(text_of(shortest), "B0 B2 A0 A1 A2 B1 B3");
}

TEST(Shorten, KeepsTheSwitchesThatTheBugNeeds) {
  // A's operation 1 must come between B's 1 and 2, as in a lost update.
  const Trial trial = [](const Schedule& candidate) -> std::optional<Schedule> {
    auto run = completed(candidate, {3, 4});
    if (!run || place_of(*run, "B1") > place_of(*run, "A1") || place_of(*run, "A1") > place_of(*run, "B2"))
      return std::nullopt;
    return run;
  };
  const Schedule shortest = shorten(made_of("A0 B0 B1 A1 B2 A2 B3"), trial, 100);
  EXPECT_TRUE(trial(shortest));
  EXPECT_EQ(context_switches(shortest), 2u) << text_of(shortest);
}

TEST(Shorten, DropsThreadsThatTheBugDoesNotNeed) {
  // The run ends at B1; C need not have started.
  const Trial trial = [](const Schedule& candidate) -> std::optional<Schedule> {
    auto run = completed(candidate, {1, 2, 0});
    if (!run || place_of(*run, "A0") > place_of(*run, "B1")) return std::nullopt;
    const auto end = std::find(run->steps.begin(), run->steps.end(), Step{StepKind::kOp, ThreadName({1}), 1, "", 0, 0});
    run->steps.erase(end + 1, run->steps.end());
    return run;
  };
  EXPECT_EQ(text_of(shorten(made_of("C0 A0 C1 B0 C2 B1"), trial, 100)), "A0 B0 B1");
}

TEST(Shorten, KeepsWakeStepsBehindTheirSignal) {
  const Trial trial = [](const Schedule& candidate) -> std::optional<Schedule> {
    const std::string text = text_of(candidate);
    if (text.find("A1!C1") == std::string::npos) return std::nullopt;
    return completed(candidate, {3, 2, 2});
  };
  const Schedule shortest = shorten(made_of("C0 A0 B0 A1!C1 B1 A2 C1"), trial, 100);
  EXPECT_NE(text_of(shortest).find("A1!C1"), std::string::npos);
  EXPECT_LT(context_switches(shortest), 5u) << text_of(shortest);
}

TEST(Shorten, GivesTheOriginalWhenNothingElseFails) {
  const Schedule original = made_of("A0 B0 A1 B1");
  uint64_t runs = 0;
  const Trial trial = [&](const Schedule&) {
    ++runs;
    return std::optional<Schedule>();
  };
  EXPECT_EQ(shorten(original, trial, 100), original);
  EXPECT_GT(runs, 0u);
}

TEST(Shorten, RunsNoMoreOftenThanAllowed) {
  std::string text;
  for (int i = 0; i < 9; ++i) text += "A" + std::to_string(i) + " B" + std::to_string(i) + " ";
  uint64_t runs = 0;
  const Trial trial = [&](const Schedule&) {
    ++runs;
    return std::optional<Schedule>();
  };
  shorten(made_of(text), trial, 7);
  EXPECT_EQ(runs, 7u);
}

TEST(Shorten, TakesNothingThatIsLonger) {
  const Schedule original = made_of("A0 A1 B0");
  const Trial trial = [](const Schedule&) { return std::optional<Schedule>(made_of("A0 B0 A1 B1")); };
  EXPECT_EQ(shorten(original, trial, 100), original);
}

}  // namespace
}  // namespace heddle::schedule
