// SPDX-License-Identifier: Apache-2.0
#include "report/circumstances.h"

#include <gtest/gtest.h>

#include "trace/text.h"

namespace heddle::report {
namespace {

const std::string kBegin =
    "heddle-trace text 1\nprogram \"p\"\nmodule \"\"\nmode controlled\nmemory \"sc\"\nstrategy \"default\"\nseed 0\n"
    "instrumentation 2\nthread T0\nthread T0.0\n"
    "site 0 \"\":0:0 \"\" \"\"\nsite 1 \"p.c\":7:1 \"main\" \"\"\nsite 2 \"p.c\":9:1 \"outer\" \"\"\nsite 3 "
    "\"q.c\":4:1 \"inner\" \"x\"\n"
    "site 4 \"p.c\":11:1 \"outer\" \"m\"\nsite 5 \"p.c\":13:1 \"outer\" \"\"\n"
    "global \"p.c:x\" 0x1000 4\nglobal \"p.c:m\" 0x2000 40\nglobal \"p.c:n\" 0x2040 40\n";

std::vector<Circumstances> read(const std::string& events, std::vector<causal::EventId> wanted) {
  const auto trace = trace::parse_text(kBegin + events, "test");
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
  return trace ? circumstances_of(naming::Names(*trace), wanted) : std::vector<Circumstances>(wanted.size());
}

std::string stack_text(const Circumstances& here) {
  std::string text;
  for (const Frame& frame : here.stack) text += frame.function + ":" + std::to_string(frame.line) + " ";
  return text;
}

TEST(Circumstances, FunctionsAndLocks) {
  const auto found = read(
      "T0 0 function_enter = 0x10 @1\n"
      "T0 0 mutex_lock 0x2040 = 1 @1\n"
      "T0 1 function_enter = 0x20, 1 @2\n"
      "T0 1 mutex_lock 0x2000 = 1 @4\n"
      "T0 2 function_enter = 0x30, 5 @3\n"
      "T0 2 store 0x1000 4 = 5 @3\n"
      "T0 3 function_exit @3\n"
      "T0 3 mutex_unlock 0x2000 = 0 @4\n"
      "T0 4 load 0x1000 4 = 5 @2\n"
      "end exit 0\n",
      {{0, 4}, {0, 2}});
  EXPECT_EQ(stack_text(found[1]), "inner:4 outer:13 main:7 ");
  EXPECT_EQ(found[1].action, "x = 5");
  ASSERT_EQ(found[1].locks.size(), 2u);
  EXPECT_EQ(found[1].locks[0].lock, "n");
  EXPECT_EQ(found[1].locks[1].lock, "m");
  EXPECT_EQ(found[1].locks[1].taken.line, 11u);
  EXPECT_EQ(stack_text(found[0]), "outer:9 main:7 ");
  ASSERT_EQ(found[0].locks.size(), 1u) << "m was given back";
  EXPECT_EQ(found[0].locks[0].lock, "n");
}

TEST(Circumstances, WhatWasLeftByAJumpIsNotOnTheStack) {
  const auto found = read(
      "T0 0 function_enter = 0x10 @1\n"
      "T0 0 function_enter = 0x20 @2\n"
      "T0 0 function_enter = 0x30 @3\n"
      "T0 0 function_exit @2\n"
      "T0 0 load 0x1000 4 = 5 @1\n"
      "end exit 0\n",
      {{0, 0}});
  EXPECT_EQ(stack_text(found[0]), "main:7 ");
}

TEST(Circumstances, WithoutRecordsThereIsTheFunctionItself) {
  const auto found = read("T0 0 load 0x1000 4 = 5 @3\nend exit 0\n", {{0, 0}, {1, 7}});
  EXPECT_EQ(stack_text(found[0]), "inner:4 ");
  EXPECT_TRUE(found[1].action.empty()) << "there is no such event";
}

}  // namespace
}  // namespace heddle::report
