// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "base/files.h"
#include "schedule/schedule.h"

namespace heddle::schedule {
namespace {

const std::string kHeader = "heddle-schedule 1\nmodule \"0123456789abcdef\"\ninstrumentation 1\nmemory \"sc\"\n";

Schedule example() {
  Schedule schedule;
  schedule.module_hash = "0123456789abcdef";
  schedule.instrumentation_version = 1;
  schedule.steps = {{StepKind::kOp, ThreadName(), 0, "counter.c:21:3", 3, 0},
                    {StepKind::kOp, ThreadName({0}), 0, "", 0, 0},
                    {StepKind::kNondet, ThreadName({0}), 1, "", 0, -4},
                    {StepKind::kFlush, ThreadName({0}), 2, "", 0, 0},
                    {StepKind::kWake, ThreadName({0, 1}), 5, "", 0, 0},
                    {StepKind::kTimeout, ThreadName({1}), 8, "a b.c:1:1", 0, 0},
                    {StepKind::kSpurious, ThreadName({1}), 9, "", 0, 0}};
  return schedule;
}

const std::string kExample = kHeader +
                             "op T0 0 @3 \"counter.c:21:3\"\n"
                             "op T0.0 0\n"
                             "nondet T0.0 1 = -4\n"
                             "flush T0.0 2\n"
                             "wake T0.0.1 5\n"
                             "timeout T0.1 8 \"a b.c:1:1\"\n"
                             "spurious T0.1 9\n"
                             "end\n";

// What parsing says about a text that is wrong.
std::string message(const std::string& text) {
  const auto schedule = parse_schedule(text, "s");
  return schedule ? "parsed" : schedule.error().message;
}

TEST(ScheduleFile, IsWrittenAsDocumented) { EXPECT_EQ(write_schedule(example()), kExample); }

TEST(ScheduleFile, ParsesWhatIsWritten) {
  const auto schedule = parse_schedule(kExample);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(*schedule, example());
}

TEST(ScheduleFile, MayHaveTheRulesOfACheck) {
  Schedule schedule = example();
  schedule.check_rules = true;
  schedule.result = "deadlock";
  const std::string text = write_schedule(schedule);
  EXPECT_NE(text.find("memory \"sc\"\nrules \"check\"\nresult \"deadlock\"\nop T0 0"), std::string::npos) << text;
  const auto read = parse_schedule(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, schedule);
  EXPECT_EQ(message(kHeader + "rules \"other\"\nend\n"), "s:5: expected 'rules \"check\"', found \"other\"");
  EXPECT_EQ(message(kHeader + "result \"deadlock\"\nrules \"check\"\nend\n").rfind("s:6: expected op, flush", 0), 0u);
}

TEST(ScheduleFile, MayCarryAResult) {
  Schedule schedule = example();
  schedule.result = "assertion: text != \"\"";
  const std::string text = write_schedule(schedule);
  EXPECT_NE(text.find("memory \"sc\"\nresult \"assertion: text != \\\"\\\"\"\nop T0 0"), std::string::npos) << text;
  const auto read = parse_schedule(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, schedule);
}

TEST(ScheduleFile, HasAtMostOneResultBeforeTheSteps) {
  EXPECT_EQ(message(kHeader + "result \"\"\nend\n"), "s:5: expected 'result \"TEXT\"', not empty, found an empty text");
  EXPECT_EQ(message(kHeader + "result exit 0\nend\n"), "s:5: expected 'result \"TEXT\"', not empty, found \"exit\"");
  EXPECT_EQ(message(kHeader + "op T0 0\nresult \"exit 0\"\nend\n").substr(0, 16), "s:6: expected op");
  EXPECT_EQ(message(kHeader + "result \"a\"\nresult \"b\"\nend\n").substr(0, 16), "s:6: expected op");
}

TEST(ScheduleFile, IgnoresCommentsBlankLinesAndBlanks) {
  const auto schedule = parse_schedule(
      "heddle-schedule 1\n# why\n\nmodule \"\"  # any\ninstrumentation 1\n memory \"tso\"\r\n\n  op\tT0  4   # here\n"
      "end # of it\n# more\n\n");
  ASSERT_TRUE(schedule) << schedule.error().message;
  ASSERT_EQ(schedule->steps.size(), 1u);
  EXPECT_EQ(schedule->steps[0].index, 4u);
  EXPECT_EQ(schedule->memory_model, MemoryModel::kTso);
}

TEST(ScheduleFile, NeedsNoNewlineAfterItsEnd) { EXPECT_TRUE(parse_schedule(kHeader + "end")); }

TEST(ScheduleFile, SaysLineAndWhatWasExpected) {
  EXPECT_EQ(message(""), "s:1: expected \"heddle-schedule 1\", found an empty file");
  EXPECT_EQ(message("hello\n"), "s:1: expected \"heddle-schedule 1\" in the first line, found \"hello\"");
  EXPECT_EQ(message("heddle-schedule one\n"), "s:1: expected a version number, found \"one\"");
  EXPECT_EQ(message("heddle-schedule 2\n"), "s:1: expected version 1, found version 2");
  EXPECT_EQ(message("heddle-schedule 1 x\n"), "s:1: expected the end of the line, found \"x\"");
  EXPECT_EQ(message("heddle-schedule 1\n"), "s:1: expected 'module \"HASH\"', found the end of the file");
  EXPECT_EQ(message("heddle-schedule 1\nmodule abc\n"), "s:2: expected 'module \"HASH\"', found \"abc\"");
  EXPECT_EQ(message("heddle-schedule 1\nmodule \"a\"\nmemory \"sc\"\n"),
            "s:3: expected 'instrumentation NUMBER', found \"memory\"");
  EXPECT_EQ(message("heddle-schedule 1\nmodule \"a\"\ninstrumentation 4294967296\n"),
            "s:3: expected an instrumentation version from 0 to 4294967295, found \"4294967296\"");
  EXPECT_EQ(message("heddle-schedule 1\nmodule \"a\"\ninstrumentation 1\nmemory \"arm\"\n"),
            "s:4: expected 'memory \"sc\"', \"tso\" or \"pso\", found \"arm\"");
  EXPECT_EQ(message(kHeader + "# a comment\nhop T0 1\nend\n"),
            "s:6: expected op, flush, wake, timeout, spurious, nondet or end, found \"hop\"");
  EXPECT_EQ(message(kHeader + "op T1 1\nend\n"), "s:5: expected the name of a thread such as T0 or T0.1, found \"T1\"");
  EXPECT_EQ(message(kHeader + "op\nend\n"),
            "s:5: expected the name of a thread such as T0 or T0.1, found the end of the line");
  EXPECT_EQ(message(kHeader + "op T0 -1\nend\n"),
            "s:5: expected the number of an operation from 0 to 4294967295, found \"-1\"");
  EXPECT_EQ(message(kHeader + "op T0 4294967296\nend\n"),
            "s:5: expected the number of an operation from 0 to 4294967295, found \"4294967296\"");
  EXPECT_EQ(message(kHeader + "op T0 1x\nend\n"),
            "s:5: expected the number of an operation from 0 to 4294967295, found \"1x\"");
  EXPECT_EQ(message(kHeader + "op T0 1 @0\nend\n"), "s:5: expected a site from @1 to @4294967295, found \"@0\"");
  EXPECT_EQ(message(kHeader + "op T0 1 \"a.c\nend\n"), "s:5: expected a place in quotes, found \"\\\"a.c\"");
  EXPECT_EQ(message(kHeader + "op T0 1 = 4\nend\n"), "s:5: expected the end of the line, found \"=\"");
  EXPECT_EQ(message(kHeader + "nondet T0 1\nend\n"), "s:5: expected '= VALUE', found the end of the line");
  EXPECT_EQ(message(kHeader + "nondet T0 1 = 9223372036854775808\nend\n"),
            "s:5: expected a value of 64 bits with sign, found \"9223372036854775808\"");
  EXPECT_EQ(message(kHeader + "op T0 1\n"), "s:5: expected another step or \"end\", found the end of the file");
  EXPECT_EQ(message(kHeader + "end\nop T0 1\n"), "s:6: expected nothing after \"end\", found \"op\"");
}

TEST(ScheduleFile, SuggestsTheStepThatWasMeant) {
  const auto schedule = parse_schedule(kHeader + "timout T0 1\nend\n");
  ASSERT_FALSE(schedule);
  EXPECT_EQ(schedule.error().hint, "Did you mean \"timeout\"?");
}

TEST(ScheduleFile, RefusesZeroBytes) {
  EXPECT_EQ(message(kHeader + std::string("op T0\0 1\nend\n", 13)), "s:5: expected text, found a zero byte");
  EXPECT_EQ(message(kHeader + std::string("end\n\0", 5)), "s:6: expected text, found a zero byte");
  EXPECT_EQ(message(std::string("\0", 1)), "s:1: expected text, found a zero byte");
}

TEST(ScheduleFile, RepeatsLittleOfAVeryLongLine) {
  const std::string found = message(kHeader + "op T0 " + std::string(10'000'000, '9') + "\nend\n");
  EXPECT_LT(found.size(), 200u);
  EXPECT_LT(message(kHeader + std::string(10'000'000, 'x')).size(), 200u);
}

TEST(ScheduleFile, EveryProperPrefixIsRefused) {
  // All but the last: a file may lack its last newline.
  for (size_t length = 0; length + 1 < kExample.size(); ++length) {
    EXPECT_FALSE(parse_schedule(kExample.substr(0, length))) << length;
  }
}

TEST(ScheduleFile, AnyByteChangedParsesOrIsRefusedWithALine) {
  EXPECT_TRUE(rc::check([](uint16_t at, char byte) {
    std::string text = kExample;
    text[at % text.size()] = byte;
    const auto schedule = parse_schedule(text, "s");
    if (!schedule) {
      RC_ASSERT(schedule.error().message.starts_with("s:"));
    } else {
      RC_ASSERT(*parse_schedule(write_schedule(*schedule)) == *schedule);
    }
  }));
}

TEST(ScheduleFile, RoundTripIsExact) {
  EXPECT_TRUE(rc::check([](const std::string& hash, uint32_t version) {
    Schedule schedule;
    schedule.module_hash = hash;
    schedule.instrumentation_version = version;
    schedule.memory_model = *rc::gen::element(MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso);
    schedule.result = *rc::gen::arbitrary<std::string>();
    const auto steps = *rc::gen::container<std::vector<Step>>(rc::gen::build<Step>(
        rc::gen::set(&Step::kind, rc::gen::element(StepKind::kOp, StepKind::kFlush, StepKind::kWake, StepKind::kTimeout,
                                                   StepKind::kSpurious, StepKind::kNondet)),
        rc::gen::set(&Step::thread, rc::gen::map(rc::gen::arbitrary<std::vector<uint32_t>>(),
                                                 [](std::vector<uint32_t> path) { return ThreadName(path); })),
        rc::gen::set(&Step::index), rc::gen::set(&Step::place), rc::gen::set(&Step::site), rc::gen::set(&Step::value)));
    schedule.steps = steps;
    for (Step& step : schedule.steps) {
      if (step.kind != StepKind::kNondet) step.value = 0;
    }
    const std::string text = write_schedule(schedule);
    const auto parsed = parse_schedule(text);
    RC_ASSERT(static_cast<bool>(parsed));
    RC_ASSERT(*parsed == schedule);
    RC_ASSERT(write_schedule(*parsed) == text);
  }));
}

TEST(ScheduleFile, HoldsExtremeNumbers) {
  Schedule schedule = example();
  schedule.steps = {{StepKind::kNondet, ThreadName({4294967295u}), 4294967295u, "", 4294967295u,
                     std::numeric_limits<int64_t>::min()}};
  EXPECT_EQ(*parse_schedule(write_schedule(schedule)), schedule);
}

TEST(ScheduleFile, IsReadFromAndWrittenToAPath) {
  const auto directory = base::TemporaryDirectory::create("schedule-test");
  ASSERT_TRUE(directory);
  const std::string path = directory->path() + "/a.schedule";
  ASSERT_TRUE(write_schedule_file(path, example()));
  const auto schedule = read_schedule(path);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(*schedule, example());
  EXPECT_FALSE(read_schedule(directory->path() + "/missing"));
  EXPECT_FALSE(write_schedule_file(directory->path() + "/no/such/folder", example()));
}

}  // namespace
}  // namespace heddle::schedule
