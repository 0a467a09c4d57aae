// SPDX-License-Identifier: Apache-2.0
//
// The text form: what it looks like, and what the parser says about lines that
// are wrong.
#include "trace/text.h"

#include <gtest/gtest.h>

#include "trace/reader.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

constexpr const char* kGolden = R"(heddle-trace text 1
program "counter"
module "0123456789abcdef"
mode controlled
memory "sc"
strategy "default"
seed 7
instrumentation 1
thread T0
thread T0.0
site 0 "":0:0 "" ""
site 1 "counter.c":11:3 "worker" "counter"
site 2 "counter.c":12:3 "worker" "counter"
site 3 "counter.c":13:3 "worker" "counter"
global "counter.c:counter" 0x4041a0 4
T0 0 thread_create = T0.0
T0.0 0 thread_start = T0
T0 1 mutex_lock 0x404200 = 1 @1
T0 2 load 0x4041a0 4 = 0 @2
T0 3 store 0x4041a0 4 = 1 @3
T0 4 mutex_unlock 0x404200 = 0
T0.0 1 mutex_lock 0x404200 = 1 @1
T0.0 2 load 0x4041a0 4 = 1 @2
T0.0 3 store 0x4041a0 4 = 2 @3
T0.0 4 mutex_unlock 0x404200 = 0
T0.0 5 thread_end = 0
T0 5 thread_join = T0.0
T0 6 exit = 0
end exit 0
)";

TEST(Text, Golden) { EXPECT_EQ(write_text(counter_trace()), kGolden); }

TEST(Text, GoldenParses) {
  auto trace = parse_text(kGolden, "golden");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(*trace, counter_trace());
}

TEST(Text, EventsOfManyShapes) {
  TraceBuilder build;
  const uint32_t child = build.thread(0);
  const auto line = [&] { return event_text(build.trace(), build.trace().events.back()); };
  HeddleRecord& cas = build.add(0, HEDDLE_CAS, 0x40, 5, 6);
  cas.order = HEDDLE_ORDER_ACQ_REL;
  cas.flags = HEDDLE_FLAG_FAILED | HEDDLE_FLAG_VOLATILE;
  EXPECT_EQ(line(), "T0 0 cas 0x40 4 = 5 -> 6 acq_rel failed volatile");
  build.add(0, HEDDLE_FENCE).order = HEDDLE_ORDER_SEQ_CST;
  EXPECT_EQ(line(), "T0 1 fence seq_cst");
  build.add(0, HEDDLE_ALLOC, 0x5000, 16, HEDDLE_ALLOCATOR_NEW);
  EXPECT_EQ(line(), "T0 2 alloc 0x5000 = 16, 1");
  build.add(0, HEDDLE_COND_WAIT, 0x60, 0x70).flags = HEDDLE_FLAG_TIMED;
  EXPECT_EQ(line(), "T0 3 cond_wait 0x60 = 0x70 timed");
  build.add(0, HEDDLE_COND_SIGNAL, 0x60, child + 1);
  EXPECT_EQ(line(), "T0 4 cond_signal 0x60 = T0.0");
  build.add(0, HEDDLE_COND_SIGNAL, 0x60, 0);
  EXPECT_EQ(line(), "T0 5 cond_signal 0x60 = nobody");
  build.add(0, HEDDLE_LOCAL_VALUE, 0, 3);
  EXPECT_EQ(line(), "T0 6 local_value size=4 = 3");
  HeddleRecord& text = build.add(0, HEDDLE_TEXT, 0x6f6c6c6568);
  text.size = 5;
  text.flags = 1;
  EXPECT_EQ(line(), "T0 6 text \"hello\" more");
  build.add(child, HEDDLE_YIELD);
  EXPECT_EQ(line(), "T0.0 0 yield");
}

TEST(Text, CanonicalFormHasNamesAndPlaces) {
  const Trace trace = counter_trace();
  const AddressNamer namer = [](const Event&, uint64_t address) {
    return address == 0x4041a0 ? std::string("counter.c:counter") : std::string("the lock");
  };
  EXPECT_EQ(event_text(trace, trace.events[3], namer), "T0 2 load counter.c:counter 4 = 0 @counter.c:12:3 worker");
  EXPECT_EQ(event_text(trace, trace.events[5], namer), "T0 4 mutex_unlock the lock = 0 @?");
  const std::string text = write_text(trace, namer);
  EXPECT_EQ(text.find("0x"), std::string::npos) << "no machine addresses: " << text;
}

TEST(Text, SequenceNumbersAreWrittenWhereTheyJump) {
  Trace trace = counter_trace();
  for (size_t i = 2; i < trace.events.size(); ++i) trace.events[i].sequence += 100;
  const std::string text = write_text(trace);
  EXPECT_NE(text.find("@1 seq=102\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("seq=103"), std::string::npos) << text;
}

TEST(Text, WithoutEndIncomplete) {
  const std::string text = kGolden;
  auto trace = parse_text(text.substr(0, text.find("end exit")), "cut");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_FALSE(trace->complete);
  EXPECT_EQ(trace->events.size(), counter_trace().events.size());
}

// Cutting a text anywhere never gives a complete trace.
TEST(Text, CutAnywhere) {
  const std::string text = kGolden;
  for (size_t size = 0; size < text.size(); ++size) {
    auto trace = read_trace_bytes(text.substr(0, size), "cut");
    EXPECT_FALSE(trace && trace->complete) << size;
    EXPECT_EQ(static_cast<bool>(trace), size > 0 && text[size - 1] == '\n') << size;
  }
}

TEST(Text, BlankLinesAndCommentsMeanNothing) {
  std::string text = kGolden;
  text.insert(text.find('\n') + 1, "\n# a comment\n   \t\n");
  auto trace = parse_text(text, "text");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(*trace, counter_trace());
}

struct BadLine {
  const char* name;
  const char* line;      // the fifth of the text
  const char* expected;  // part of the message
};

void PrintTo(const BadLine& bad, std::ostream* out) { *out << bad.line; }

class BadText : public testing::TestWithParam<BadLine> {};

TEST_P(BadText, IsRefusedWithItsLine) {
  const std::string text =
      std::string("heddle-trace text 1\nthread T0\nthread T0.0\nsite 0 \"\":0:0 \"\" \"\"\n") + GetParam().line + "\n";
  auto trace = parse_text(text, "input");
  ASSERT_FALSE(trace);
  const std::string& message = trace.error().message;
  EXPECT_TRUE(message.starts_with("input, line 5: expected ")) << message;
  EXPECT_NE(message.find(GetParam().expected), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadText,
    testing::Values(
        BadLine{"Word", "nonsense 1", "not \"nonsense\""}, BadLine{"Mode", "mode wild", "\"controlled\""},
        BadLine{"Quotes", "program counter", "double quotes"},
        BadLine{"OpenQuotes", "program \"counter", "double quotes"},
        BadLine{"Escape", "program \"a\\qb\"", "double quotes"}, BadLine{"Seed", "seed -1", "a number"},
        BadLine{"SeedTooLarge", "seed 18446744073709551616", "a number"},
        BadLine{"Trailing", "seed 1 2", "end of the line"}, BadLine{"ThreadAgain", "thread T0.0", "as one before it"},
        BadLine{"SecondRoot", "thread T0", "a table of threads"},
        BadLine{"ThreadOfNobody", "thread T0.7.1", "parent is listed"},
        BadLine{"ThreadWithoutNumber", "thread T0.x", "number after the last dot"},
        BadLine{"SiteNumber", "site 5 \"f\":1:1 \"\" \"\"", "next site, 1"},
        BadLine{"SitePlace", "site 1 \"f\" 1 \"\" \"\"", ":LINE:COLUMN"},
        BadLine{"GlobalAddress", "global \"g\" here 4", "a number"},
        BadLine{"EventThread", "T0.9 0 yield", "a thread that was listed"},
        BadLine{"EventIndex", "T0 x yield", "the index"},
        BadLine{"EventIndexTooLarge", "T0 4294967296 yield", "the index"},
        BadLine{"EventKind", "T0 0 jump", "not \"jump\""}, BadLine{"EventAddress", "T0 0 load = 4", "an address"},
        BadLine{"EventSize", "T0 0 load 0x10 256 = 4", "not \"256\""},
        BadLine{"EventValue", "T0 0 store 0x10 4 = x", "a value"},
        BadLine{"EventSecondValue", "T0 0 rmw 0x10 4 = 1 -> y", "second value"},
        BadLine{"EventThreadValue", "T0 0 thread_join = T0.5", "a value"},
        BadLine{"EventOrder", "T0 0 fence strong", "not \"strong\""},
        BadLine{"EventSite", "T0 0 yield @3", "a site of the table"},
        BadLine{"EventText", "T0 0 text \"more than twenty-four bytes\"", "at most 24"},
        BadLine{"EventFlag", "T0 0 yield faild", "not \"faild\""},
        BadLine{"EndOutcome", "end well 0", "how the run ended"}, BadLine{"EndDetail", "end exit", "a number"}),
    [](const auto& info) { return info.param.name; });

TEST(Text, NothingAfterTheEnd) {
  auto trace = parse_text(std::string(kGolden) + "T0 7 yield\n", "input");
  ASSERT_FALSE(trace);
  EXPECT_NE(trace.error().message.find("nothing after the end"), std::string::npos) << trace.error().message;
}

TEST(Text, OtherVersionIsRefused) {
  auto trace = read_trace_bytes("heddle-trace text 2\n", "input");
  ASSERT_FALSE(trace);
  EXPECT_NE(trace.error().message.find("line 1"), std::string::npos) << trace.error().message;
}

TEST(Text, AnyBytesAfterTheMagicEndWithoutHarm) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    auto trace = read_trace_bytes("heddle-trace text 1\n" + text + "\n", "any");
    const bool answered = trace || !trace.error().message.empty();
    RC_ASSERT(answered);
  }));
}

}  // namespace
}  // namespace heddle::trace
