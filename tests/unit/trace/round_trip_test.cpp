// SPDX-License-Identifier: Apache-2.0
//
// What is written is what is read, in the binary and in the text form, for any
// trace; and a large trace survives groups, checkpoints and many chunks.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "trace/reader.h"
#include "trace/text.h"
#include "trace/writer.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

class RoundTrip : public testing::Test {
 protected:
  RoundTrip() : directory_(std::move(*base::TemporaryDirectory::create("trace"))) {}
  std::string path() const { return directory_.path() + "/a.trace"; }

  void expect_binary(const Trace& trace) {
    auto written = write_trace(path(), trace);
    RC_ASSERT(static_cast<bool>(written));
    auto read = read_trace(path());
    RC_ASSERT(static_cast<bool>(read));
    RC_ASSERT(*read == trace);
  }

  base::TemporaryDirectory directory_;
};

TEST_F(RoundTrip, AnyControlledTraceInBinary) {
  EXPECT_TRUE(rc::check([this] { expect_binary(*arbitrary_trace(Mode::kControlled)); }));
}

TEST_F(RoundTrip, AnyFreeTraceInBinary) {
  EXPECT_TRUE(rc::check([this] { expect_binary(*arbitrary_trace(Mode::kFree)); }));
}

TEST_F(RoundTrip, AnyTraceInText) {
  EXPECT_TRUE(rc::check([](bool free_running) {
    const Trace trace = *arbitrary_trace(free_running ? Mode::kFree : Mode::kControlled);
    auto parsed = parse_text(write_text(trace), "text");
    if (!parsed) RC_FAIL(parsed.error().message);
    RC_ASSERT(*parsed == trace);
  }));
}

TEST_F(RoundTrip, ReadTraceTakesTextAsWell) {
  const Trace trace = counter_trace();
  ASSERT_TRUE(base::write_file(path(), write_text(trace)));
  auto read = read_trace(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, trace);
}

// Several groups, several chunks per thread and group.
Trace large_trace(Mode mode) {
  TraceBuilder build(mode);
  for (int i = 1; i < 5; ++i) build.site("large.c", static_cast<uint32_t>(i));
  for (int i = 0; i < 3; ++i) build.thread(0);
  uint64_t state = 1;
  for (uint32_t i = 0; i < 300000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto& record = build.add(static_cast<uint32_t>(state >> 62), HEDDLE_STORE, 0x1000 + (state >> 40), state >> 20);
    record.site = 1 + i % 4;
  }
  if (mode == Mode::kFree) {
    std::sort(build.trace().events.begin(), build.trace().events.end(), [](const Event& a, const Event& b) {
      return std::pair(a.record.thread, a.record.index) < std::pair(b.record.thread, b.record.index);
    });
  }
  return build.trace();
}

TEST_F(RoundTrip, LargeControlledTrace) {
  const Trace trace = large_trace(Mode::kControlled);
  ASSERT_TRUE(write_trace(path(), trace));
  auto read = read_trace(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == trace);
}

TEST_F(RoundTrip, LargeFreeTrace) {
  const Trace trace = large_trace(Mode::kFree);
  ASSERT_TRUE(write_trace(path(), trace));
  auto read = read_trace(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == trace);
}

TEST_F(RoundTrip, ReaderGivesTheTotalOrderInPieces) {
  const Trace trace = large_trace(Mode::kControlled);
  ASSERT_TRUE(write_trace(path(), trace));
  auto reader = Reader::open(path());
  ASSERT_TRUE(reader) << reader.error().message;
  std::vector<Event> piece;
  size_t pieces = 0, count = 0;
  for (;;) {
    auto more = reader->next(&piece);
    ASSERT_TRUE(more) << more.error().message;
    if (!*more) break;
    ++pieces;
    for (const Event& event : piece) ASSERT_EQ(event, trace.events[count++]);
  }
  EXPECT_EQ(count, trace.events.size());
  EXPECT_GE(pieces, 3u);
  EXPECT_TRUE(reader->tables().complete);
}

TEST_F(RoundTrip, VisitSeesEveryEventOfBothForms) {
  const Trace trace = counter_trace();
  for (const bool text : {false, true}) {
    ASSERT_TRUE(text ? base::write_file(path(), write_text(trace)) : write_trace(path(), trace));
    std::vector<Event> seen;
    auto rest = visit_trace(path(), [&](const Trace& tables, const Event& event) {
      EXPECT_EQ(tables.threads.size(), trace.threads.size());
      seen.push_back(event);
    });
    ASSERT_TRUE(rest) << rest.error().message;
    EXPECT_EQ(seen, trace.events);
    EXPECT_TRUE(rest->complete);
    EXPECT_TRUE(rest->events.empty());
  }
}

TEST_F(RoundTrip, MoreEventsThanAllowedIsAnError) {
  const Trace trace = counter_trace();
  ASSERT_TRUE(write_trace(path(), trace));
  ReadOptions options;
  options.max_events = trace.events.size();
  EXPECT_TRUE(read_trace(path(), options));
  options.max_events = trace.events.size() - 1;
  EXPECT_FALSE(read_trace(path(), options));
}

TEST_F(RoundTrip, SameTraceSameBytes) {
  const Trace trace = counter_trace();
  ASSERT_TRUE(write_trace(path(), trace));
  const std::string first = *base::read_file(path());
  ASSERT_TRUE(write_trace(path(), *read_trace(path())));
  EXPECT_EQ(*base::read_file(path()), first);
}

}  // namespace
}  // namespace heddle::trace
