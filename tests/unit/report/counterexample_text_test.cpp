// SPDX-License-Identifier: Apache-2.0
//
// Texts of runs written by hand.
#include "report/counterexample_text.h"

#include <gtest/gtest.h>

#include "trace/text.h"

namespace heddle::report {
namespace {

const std::string kBegin =
    "heddle-trace text 1\nprogram \"p\"\nmodule \"\"\nmode controlled\nmemory \"sc\"\nstrategy \"default\"\nseed 0\n"
    "instrumentation 2\nthread T0\nthread T0.0\nthread T0.1\n"
    "site 0 \"\":0:0 \"\" \"\"\nsite 1 \"nowhere.c\":7:1 \"main\" \"\"\nsite 2 \"nowhere.c\":9:1 \"work\" \"x\"\n"
    "global \"p.c:x\" 0x1000 4\nglobal \"p.c:y\" 0x1008 4\nglobal \"p.c:m\" 0x2000 40\nglobal \"p.c:n\" 0x2040 40\n";

std::string text_of(std::string trace, size_t width = 100) {
  const auto parsed = trace::parse_text(trace, "test");
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return parsed ? counterexample_text(*parsed, {width, false}) : "";
}

std::string with_buffers(std::string trace) { return trace.replace(trace.find("\"sc\""), 4, "\"tso\""); }

TEST(CounterexampleText, ValuesAndPlacesSideBySide) {
  EXPECT_EQ(text_of(kBegin + "T0 0 thread_create = T0.0 @1\n"
                             "T0.0 0 thread_start = T0\n"
                             "T0.0 1 load 0x1000 4 = 4294967295 @2\n"
                             "T0 1 store 0x1000 4 = 5 @1\n"
                             "T0 2 fail 0x0 = 1 @1\n"
                             "end failure 1 \"x == 1\"\n"),
            "step  T0 main       T0.0 work    source\n"
            "   1  creates T0.0               nowhere.c:7\n"
            "   3              > reads x: -1  nowhere.c:9\n"
            "   4> x = 5                      nowhere.c:7\n"
            "   5  FAILS: assertion: x == 1   nowhere.c:7\n"
            "      ... 1 step of concern to one thread only\n");
}

TEST(CounterexampleText, BufferedStoresAreMarkedUntilTheyReachMemory) {
  const std::string text = text_of(with_buffers(kBegin) +
                                   "T0 0 thread_create = T0.0 @1\n"
                                   "T0 1 store 0x1000 4 = 1 relaxed @1\n"
                                   "T0 2 load 0x1000 4 = 1 relaxed @1\n"
                                   "T0 3 store 0x1000 4 = 2 seq_cst @1\n"
                                   "T0.0 0 load 0x1000 4 = 0 relaxed @2\n"
                                   "T0 1 flush 0x1000 4 = 1 @1\n"
                                   "T0 4 load 0x1000 4 = 1 relaxed @1\n"
                                   "end exit 0\n");
  EXPECT_NE(text.find("x = 1 (buffered)"), std::string::npos) << text;
  EXPECT_NE(text.find("reads x: 1 (from its buffer)"), std::string::npos) << text;
  EXPECT_NE(text.find("x = 2  "), std::string::npos) << "sequentially consistent stores go to memory at once\n" << text;
  EXPECT_NE(text.find("x = 1 reaches memory"), std::string::npos) << text;
  EXPECT_NE(text.find("reads x: 1  "), std::string::npos) << "it has left the buffer\n" << text;
}

TEST(CounterexampleText, DeadlocksSayWhoHasWhat) {
  const std::string text = text_of(kBegin +
                                       "T0.0 0 mutex_lock 0x2000 = 1 @2\n"
                                       "T0.1 0 mutex_lock 0x2040 = 1 @2\n"
                                       "T0 0 waiting 0x0 = T0.0, 19 @1\n"
                                       "T0.0 1 waiting 0x2040 = T0.1, 26 @2\n"
                                       "T0.1 1 waiting 0x2000 = T0.0, 26 @2\n"
                                       "end deadlock 0\n",
                                   160);
  EXPECT_NE(text.find("locks m"), std::string::npos) << text;
  EXPECT_NE(text.find("waits for the end of T0.0"), std::string::npos) << text;
  EXPECT_NE(text.find("waits for n, held by T0.1"), std::string::npos) << text;
  EXPECT_NE(text.find("waits for m, held by T0.0"), std::string::npos) << text;
}

TEST(CounterexampleText, LeavesOutWhatHappensBeforeThereAreThreads) {
  std::string trace = kBegin;
  for (int i = 0; i < 20; ++i) trace += "T0 " + std::to_string(i) + " store 0x1000 4 = 1 @1\n";
  trace += "T0 20 thread_create = T0.0 @1\nT0.0 0 load 0x1000 4 = 1 @2\nend exit 0\n";
  const std::string text = text_of(trace);
  EXPECT_NE(text.find("... 20 steps before the first thread is created\n  21  creates T0.0"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("x = 1"), std::string::npos) << text;
}

TEST(CounterexampleText, LeavesOutTheMiddleOfLongStretchesAndSaysHowMuch) {
  std::string trace = kBegin + "T0 0 thread_create = T0.0 @1\nT0 1 load 0x1000 4 = 0 @1\n";
  for (int i = 0; i < 100; ++i)
    trace += "T0.0 " + std::to_string(i) + " store 0x1000 4 = " + std::to_string(i) + " @2\n";
  const std::string text = text_of(trace + "T0.0 100 fail 0x0 = 1 @2\nend failure 1 \"x\"\n");
  EXPECT_NE(text.find("x = 9 "), std::string::npos) << text;
  EXPECT_NE(text.find("... 79 steps of this thread"), std::string::npos) << text;
  EXPECT_NE(text.find("x = 89 "), std::string::npos) << text;
  EXPECT_EQ(text.find("x = 50"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILS"), std::string::npos) << text;
}

TEST(CounterexampleText, LeavesOutMemoryOfOneThread) {
  const std::string text =
      text_of(kBegin +
              "T0 0 thread_create = T0.0 @1\nT0 1 store 0x1000 4 = 1 @1\nT0 2 store 0x1008 4 = 3 @1\n"
              "T0.0 0 load 0x1000 4 = 1 @2\nend exit 0\n");
  EXPECT_NE(text.find("x = 1"), std::string::npos) << text;
  EXPECT_EQ(text.find("y = 3"), std::string::npos) << text;
  EXPECT_NE(text.find("1 step of concern to one thread only"), std::string::npos) << text;
}

TEST(CounterexampleText, LeavesOutHowTheLibraryStartsThreads) {
  const std::string begin = std::string(kBegin).insert(
      kBegin.find("global"), "site 3 \"/usr/include/c++/12/bits/std_thread.h\":200:1 \"run\" \"\"\n");
  const std::string text = text_of(begin +
                                   "T0 0 alloc 0x9000 = 16, 1 @1\n"
                                   "T0 1 store 0x9000 8 = 77 @1\n"
                                   "T0 2 store 0x9008 8 = 78 @1\n"
                                   "T0 3 thread_create = T0.0 @1\n"
                                   "T0.0 0 load 0x9000 8 = 77 @3\n"
                                   "T0.0 1 load 0x9008 8 = 78 @2\n"
                                   "T0.0 2 free 0x9000 = 0, 1 @3\n"
                                   "end exit 0\n");
  EXPECT_EQ(text.find("allocates"), std::string::npos) << text;
  EXPECT_EQ(text.find("frees"), std::string::npos) << text;
  EXPECT_EQ(text.find(": 77"), std::string::npos) << text;
  EXPECT_NE(text.find(": 78"), std::string::npos) << "what the program itself hands to the thread\n" << text;
  EXPECT_NE(text.find("4 steps of concern to one thread only"), std::string::npos) << text;
}

TEST(StepByStep, LeavesNothingOut) {
  const auto trace = trace::parse_text(kBegin +
                                           "T0 0 stack_object 0x5000 = 8 @1\nT0 0 store 0x5000 4 = 3 @1\n"
                                           "T0 1 thread_create = T0.0 @1\nT0.0 0 thread_start = T0\nend exit 0\n",
                                       "test");
  ASSERT_TRUE(trace) << trace.error().message;
  const StepByStep steps(*trace, {100, false});
  EXPECT_EQ(steps.lines(0), "") << "a stack object is no step";
  EXPECT_NE(steps.lines(1).find("stack T0#0 = 3"), std::string::npos) << steps.lines(1);
  EXPECT_NE(steps.lines(3).find("starts"), std::string::npos) << steps.lines(3);
  EXPECT_EQ(steps.lines(99), "");
}

}  // namespace
}  // namespace heddle::report
