// SPDX-License-Identifier: Apache-2.0
//
// Exports: Perfetto's JSON, and RAPID's STD form out and in.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "trace/export_perfetto.h"
#include "trace/export_std.h"
#include "trace/validate.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

using nlohmann::json;

json perfetto(const Trace& trace) {
  std::string text;
  export_perfetto(trace, [&text](std::string_view piece) { text += piece; });
  return json::parse(text, nullptr, false);
}

std::vector<json> having(const json& document, const char* phase, const char* name = nullptr) {
  std::vector<json> found;
  for (const json& item : document["traceEvents"]) {
    if (item["ph"] == phase && (!name || item["name"] == name)) found.push_back(item);
  }
  return found;
}

TEST(Perfetto, OneTrackPerThread) {
  const json document = perfetto(counter_trace());
  ASSERT_FALSE(document.is_discarded());
  const auto names = having(document, "M", "thread_name");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[0]["args"]["name"], "T0");
  EXPECT_EQ(names[1]["args"]["name"], "T0.0");
  EXPECT_NE(names[0]["tid"], names[1]["tid"]);
}

TEST(Perfetto, CriticalSectionsEncloseTheirEvents) {
  const json document = perfetto(counter_trace());
  const auto sections = having(document, "X", "holds 0x404200");
  ASSERT_EQ(sections.size(), 2u);
  const auto loads = having(document, "i", "load");
  ASSERT_EQ(loads.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const double begin = sections[i]["ts"], end = begin + double(sections[i]["dur"]);
    EXPECT_EQ(sections[i]["tid"], loads[i]["tid"]);
    EXPECT_LT(begin, double(loads[i]["ts"]));
    EXPECT_GT(end, double(loads[i]["ts"]));
  }
}

TEST(Perfetto, ArrowsHaveBothEnds) {
  const json document = perfetto(counter_trace());
  // create to start, unlock of T0 to lock of T0.0, end to join; the last unlock leads nowhere.
  const auto ends = having(document, "f");
  ASSERT_EQ(ends.size(), 3u);
  for (const json& end : ends) {
    int beginnings = 0;
    for (const json& begin : having(document, "s")) {
      if (begin["id"] != end["id"]) continue;
      ++beginnings;
      EXPECT_EQ(begin["name"], end["name"]);
      EXPECT_NE(begin["tid"], end["tid"]);
      EXPECT_LT(double(begin["ts"]), double(end["ts"]));
    }
    EXPECT_EQ(beginnings, 1);
  }
}

// Slices of one thread either nest or are apart, also when locks do not nest.
TEST(Perfetto, SlicesNestWhenLocksDoNot) {
  TraceBuilder build;
  build.add(0, HEDDLE_MUTEX_LOCK, 0xa, 1);
  build.add(0, HEDDLE_MUTEX_LOCK, 0xb, 1);
  build.add(0, HEDDLE_MUTEX_UNLOCK, 0xa, 0);
  build.add(0, HEDDLE_MUTEX_LOCK, 0xc, 1);
  build.add(0, HEDDLE_MUTEX_UNLOCK, 0xb, 0);
  const json document = perfetto(build.trace());
  const auto slices = having(document, "X");
  ASSERT_EQ(having(document, "X", "holds 0xb").size(), 2u) << "cut in two";
  ASSERT_EQ(having(document, "X", "holds 0xc (to the end)").size(), 1u);
  for (const json& a : slices) {
    for (const json& b : slices) {
      const double a_begin = a["ts"], a_end = a_begin + double(a["dur"]);
      const double b_begin = b["ts"], b_end = b_begin + double(b["dur"]);
      const bool crossing = a_begin < b_begin && b_begin < a_end - 1e-9 && a_end + 1e-9 < b_end;
      EXPECT_FALSE(crossing) << a << "\n" << b;
    }
  }
}

TEST(Perfetto, AnyTraceGivesJson) {
  EXPECT_TRUE(rc::check([](bool free_running) {
    const Trace trace = *arbitrary_trace(free_running ? Mode::kFree : Mode::kControlled);
    const json document = perfetto(trace);
    RC_ASSERT(!document.is_discarded());
    size_t events = 0;
    for (const json& item : document["traceEvents"]) events += item.contains("args") && item["args"].contains("event");
    RC_ASSERT(events == trace.events.size());
  }));
}

TEST(Perfetto, FreeTraceKeepsOrderOfThreadsAndNumbers) {
  TraceBuilder build(Mode::kFree);
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_YIELD);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.trace().events.back().sequence = 1;
  build.add(child, HEDDLE_THREAD_START);
  build.trace().events.back().sequence = 2;
  build.add(child, HEDDLE_SLEEP);
  const json document = perfetto(build.trace());
  const double create = having(document, "X", "thread_create").at(0)["ts"];
  const double start = having(document, "X", "thread_start").at(0)["ts"];
  EXPECT_LT(double(having(document, "i", "yield").at(0)["ts"]), create);
  EXPECT_LT(create, start);
  EXPECT_LT(start, double(having(document, "i", "sleep").at(0)["ts"]));
}

std::string std_text(const Trace& trace, StdExport* result = nullptr) {
  std::string text;
  auto exported = export_std(trace, [&text](std::string_view piece) { text += piece; });
  EXPECT_TRUE(exported);
  if (result) *result = *exported;
  return text;
}

constexpr const char* kCounterStd =
    "T0|fork(T0.0)|0\n"
    "T0|acq(L1)|1\n"
    "T0|r(V1)|2\n"
    "T0|w(V1)|3\n"
    "T0|rel(L1)|0\n"
    "T0.0|acq(L1)|1\n"
    "T0.0|r(V1)|2\n"
    "T0.0|w(V1)|3\n"
    "T0.0|rel(L1)|0\n"
    "T0|join(T0.0)|0\n";

TEST(Std, Golden) {
  StdExport result;
  EXPECT_EQ(std_text(counter_trace(), &result), kCounterStd);
  EXPECT_EQ(result.lines, 10u);
  EXPECT_EQ(result.left_out, (std::map<std::string, uint64_t>{{"exit", 1}}));
}

TEST(Std, OverlappingAccessesAreOneVariable) {
  TraceBuilder build;
  build.add(0, HEDDLE_STORE, 0x100, 1).size = 8;
  build.add(0, HEDDLE_LOAD, 0x101, 0).size = 1;
  build.add(0, HEDDLE_LOAD, 0x104, 0).size = 2;
  build.add(0, HEDDLE_LOAD, 0x108, 0).size = 4;
  EXPECT_EQ(std_text(build.trace()), "T0|w(V1)|0\nT0|r(V1)|0\nT0|r(V1)|0\nT0|r(V2)|0\n");
}

TEST(Std, UpdatesRecursionAndWaits) {
  TraceBuilder build;
  build.add(0, HEDDLE_MUTEX_LOCK, 0x10, 1);
  build.add(0, HEDDLE_MUTEX_LOCK, 0x10, 2);
  build.add(0, HEDDLE_COND_WAIT, 0x20, 0x10);
  build.add(0, HEDDLE_COND_RESUME, 0x20, 0x10);
  build.add(0, HEDDLE_RMW, 0x30, 1, 2);
  build.add(0, HEDDLE_CAS, 0x30, 2, 7).flags = HEDDLE_FLAG_FAILED;
  build.add(0, HEDDLE_MUTEX_UNLOCK, 0x10, 1);
  build.add(0, HEDDLE_MUTEX_UNLOCK, 0x10, 0);
  build.add(0, HEDDLE_MUTEX_TRYLOCK, 0x10, 0).flags = HEDDLE_FLAG_FAILED;
  build.add(0, HEDDLE_RWLOCK_READ, 0x40, 1);
  StdExport result;
  EXPECT_EQ(
      std_text(build.trace(), &result),
      "T0|acq(L1)|0\nT0|rel(L1)|0\nT0|acq(L1)|0\nT0|r(V1)|0\nT0|w(V1)|0\nT0|r(V1)|0\nT0|rel(L1)|0\nT0|acq(L2)|0\n");
  EXPECT_EQ(result.left_out.at("mutex_trylock"), 1u);
  EXPECT_EQ(result.approximated.at("rwlock_read"), 1u);
}

TEST(Std, FreeTraceIsRefused) {
  TraceBuilder build(Mode::kFree);
  EXPECT_FALSE(export_std(build.trace(), [](std::string_view) {}));
}

TEST(Std, ImportIsAValidTrace) {
  auto trace = import_std(kCounterStd, "input");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(problems_text(*trace, validate(*trace)), "");
  EXPECT_TRUE(trace->complete);
  EXPECT_EQ(trace->thread_name(1), "T0.0");
  uint64_t stored = 0;
  for (const Event& event : trace->events) {
    if (event.record.kind == HEDDLE_STORE) stored = event.record.value;
    if (event.record.kind == HEDDLE_LOAD) EXPECT_EQ(event.record.value, stored);
  }
  EXPECT_EQ(stored, 2u);
}

TEST(Std, WhatGoesOutComesBackTheSame) {
  auto trace = import_std(kCounterStd, "input");
  ASSERT_TRUE(trace) << trace.error().message;
  // Places are numbered as they occur: 0, 1, 2, 3 become 1, 2, 3, 4.
  std::string text = std_text(*trace), expected = kCounterStd;
  for (size_t at = expected.find('\n'); at != std::string::npos; at = expected.find('\n', at + 1)) ++expected[at - 1];
  EXPECT_EQ(text, expected);
}

TEST(Std, ThreadsThatNobodyForksAreCreatedAtTheBeginning) {
  auto trace = import_std("T1|w(x)|1\nT2|r(x)|2\nT3|fork(T4)|3\nT4|r(x)|4\n", "input");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(problems_text(*trace, validate(*trace)), "");
  EXPECT_EQ(trace->threads.size(), 4u);
  EXPECT_EQ(trace->thread_name(3), "T0.1.0");
}

TEST(Std, BadLinesAreRefusedWithTheirNumber) {
  const auto message = [](const char* text) {
    auto trace = import_std(text, "input");
    return trace ? std::string("accepted") : trace.error().message;
  };
  EXPECT_EQ(message(""), "input is empty");
  EXPECT_EQ(message("T0|r(x)|1\nT0 r(x) 2\n"), "input, line 2: expected \"thread|operation|place\"");
  EXPECT_EQ(message("T0|jump(x)|1\n"), "input, line 1: expected r, w, acq, rel, fork or join, not \"jump\"");
  EXPECT_EQ(message("T0|r|1\n"), "input, line 1: expected an operation such as \"r(V1)\"");
  EXPECT_EQ(message("T0|r()|1\n"), "input, line 1: expected a name in the parentheses");
  EXPECT_EQ(message("|r(x)|1\n"), "input, line 1: expected the name of a thread");
  EXPECT_EQ(message("T0|fork(T1)|1\nT0|fork(T1)|1\n"), "input: line 2: T1 is forked twice or by itself");
  EXPECT_EQ(message("T0|fork(T0)|1\n"), "input: line 1: T0 is forked twice or by itself");
  EXPECT_EQ(message("T0|fork(T1)|1\nT1|fork(T0)|1\n"),
            "input: every thread is forked by another: there is no first one");
  EXPECT_EQ(message("T0|r(x)|1\nT1|r(x)|1\nT0|fork(T1)|1\n"), "input: line 2: T1 runs before it is forked");
  EXPECT_EQ(message("T0|join(T1)|1\n"), "input: line 1: T1 is joined before it is forked");
}

TEST(Std, AnyLinesEndWithoutHarm) {
  EXPECT_TRUE(rc::check([] {
    const auto thread = rc::gen::element<std::string>("T0", "T1", "T2", "T3");
    const auto operation = rc::gen::element<std::string>("r", "w", "acq", "rel", "fork", "join");
    std::string text;
    const int count = *rc::gen::inRange(1, 30);
    for (int i = 0; i < count; ++i) text += *thread + "|" + *operation + "(" + *thread + ")|1\n";
    auto trace = import_std(text, "any");
    if (!trace) return;
    // Nothing but locks can be wrong in what was accepted: the form says who holds what.
    for (const Problem& problem : validate(*trace)) {
      RC_ASSERT(problem.rule == "locks" || problem.text.find("has not ended") != std::string::npos);
    }
  }));
}

}  // namespace
}  // namespace heddle::trace
