// SPDX-License-Identifier: Apache-2.0
//
// Where values and turns come from, in runs written by hand.
#include "report/causes.h"

#include <gtest/gtest.h>

#include "trace/text.h"

namespace heddle::report {
namespace {

std::string begin(const std::string& memory) {
  return "heddle-trace text 1\nprogram \"p\"\nmodule \"\"\nmode controlled\nmemory \"" + memory +
         "\"\nstrategy \"default\"\nseed 0\ninstrumentation 2\nthread T0\nthread T0.0\n"
         "site 0 \"\":0:0 \"\" \"\"\nglobal \"p.c:x\" 0x1000 8\nglobal \"p.c:m\" 0x2000 40\nglobal \"p.c:c\" 0x2040 "
         "48\n";
}

// "3<-1 reads": step 3 (from 0) has its value from step 1.
std::string causes_in(const std::string& text) {
  const auto trace = trace::parse_text(text, "test");
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
  if (!trace) return "";
  const naming::Names names(*trace);
  const auto steps = narrate(names);
  const auto causes = causes_of(*trace, steps);
  const char* words[] = {"none", "reads", "flush", "lock", "signal", "thread", "held"};
  std::string result;
  for (size_t i = 0; i < causes.size(); ++i)
    if (causes[i].kind != CauseKind::kNone)
      result += (result.empty() ? "" : ", ") + std::to_string(i) + "<-" + std::to_string(causes[i].step) + " " +
                words[static_cast<int>(causes[i].kind)];
  return result;
}

TEST(Causes, ReadsNameTheLastWriteOfTheirBytes) {
  EXPECT_EQ(causes_in(begin("sc") + "T0 0 load 0x1000 4 = 0\n"  // what was there before
                                    "T0 1 store 0x1000 4 = 5\n"
                                    "T0 2 store 0x1004 4 = 6\n"
                                    "T0 3 load 0x1000 4 = 5\n"
                                    "T0 4 load 0x1000 8 = 25769803781\n"  // of both; the later one
                                    "T0 5 rmw 0x1000 4 = 5, 6\n"
                                    "T0 6 load 0x1000 4 = 6\n"
                                    "end exit 0\n"),
            "3<-1 reads, 4<-2 reads, 5<-1 reads, 6<-5 reads");
}

TEST(Causes, BufferedStoresAreReadByTheirThreadAndFlushedForOthers) {
  EXPECT_EQ(causes_in(begin("tso") + "T0 0 thread_create = T0.0\n"
                                     "T0 1 store 0x1000 4 = 1 relaxed\n"
                                     "T0 2 load 0x1000 4 = 1 relaxed\n"    // its own store
                                     "T0.0 0 load 0x1000 4 = 0 relaxed\n"  // not in memory yet
                                     "T0 1 flush 0x1000 4 = 1\n"
                                     "T0.0 1 load 0x1000 4 = 1 relaxed\n"
                                     "end exit 0\n"),
            "2<-1 reads, 4<-1 flush, 5<-4 reads");
}

TEST(Causes, LocksFollowUnlocksAndWaitersFollowSignals) {
  EXPECT_EQ(causes_in(begin("sc") + "T0 0 thread_create = T0.0\n"
                                    "T0.0 0 thread_start = T0\n"
                                    "T0.0 1 mutex_lock 0x2000 = 1\n"
                                    "T0.0 2 cond_wait 0x2040 = 0x2000\n"  // gives up the mutex
                                    "T0 1 mutex_lock 0x2000 = 1\n"
                                    "T0 2 cond_signal 0x2040 = T0.0\n"
                                    "T0 3 mutex_unlock 0x2000 = 0\n"
                                    "T0.0 3 cond_resume 0x2040 = 0x2000\n"
                                    "T0.0 4 thread_end = 0\n"
                                    "T0 4 thread_join = T0.0\n"
                                    "end exit 0\n"),
            "1<-0 thread, 4<-3 lock, 7<-5 signal, 9<-8 thread");
}

TEST(Causes, WhoWaitsForEverWaitsForWhatWasTaken) {
  EXPECT_EQ(causes_in(begin("sc") + "T0 0 thread_create = T0.0\n"
                                    "T0.0 0 mutex_lock 0x2000 = 1\n"
                                    "T0 1 waiting 0x2000 = T0.0, 26\n"
                                    "end deadlock 0\n"),
            "2<-1 held");
}

TEST(Causes, AMutexThatIsMadeAnewRemembersNobody) {
  EXPECT_EQ(causes_in(begin("sc") + "T0 0 mutex_lock 0x2000 = 1\n"
                                    "T0 1 mutex_unlock 0x2000 = 0\n"
                                    "T0 2 mutex_destroy 0x2000\n"
                                    "T0 3 mutex_init 0x2000\n"
                                    "T0 4 mutex_lock 0x2000 = 1\n"
                                    "end exit 0\n"),
            "");
}

}  // namespace
}  // namespace heddle::report
