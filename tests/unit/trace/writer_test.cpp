// SPDX-License-Identifier: Apache-2.0
//
// The writer: names of files, refusals, full disks, and the bytes on disk that
// docs/reference/trace_format.md shows.
#include "trace/writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/files.h"
#include "trace/format.h"
#include "trace/reader.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

class WriterTest : public testing::Test {
 protected:
  WriterTest() : directory_(std::move(*base::TemporaryDirectory::create("writer"))) {}
  std::string path() const { return directory_.path() + "/a.trace"; }
  std::string partial() const { return path() + ".partial"; }
  static bool exists(const std::string& file) { return std::filesystem::exists(file); }

  base::TemporaryDirectory directory_;
};

// A trace that does not pack well, in several groups.
Trace bulky_trace() {
  TraceBuilder build;
  build.thread(0);
  uint64_t state = 1;
  for (int i = 0; i < 400000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    build.add(static_cast<uint32_t>(state >> 63), HEDDLE_STORE, state >> 8, state * 7).size = 8;
  }
  return build.trace();
}

TEST_F(WriterTest, ShortestTraceIsTheOneInTheDocument) {
  Trace trace;
  trace.threads.push_back({});
  trace.complete = true;
  ASSERT_TRUE(write_trace(path(), trace));
  const std::string bytes = *base::read_file(path());
  ASSERT_EQ(bytes.size(), 16u + 3 * 32 + 7 + 2 + 4);
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x89HEDDLE\n\x01\0\0\0", 12));
  const std::string none = "\xff\xff\xff\xff";
  const auto number = [](char low) { return std::string{low, 0, 0, 0}; };
  EXPECT_EQ(bytes.substr(16, 20), number(1) + none + number(0) + number(7) + number(7));
  EXPECT_EQ(bytes.substr(16 + 32, 7), std::string(7, '\0'));
  EXPECT_EQ(bytes.substr(16 + 39, 20), number(2) + none + number(1) + number(2) + number(2));
  EXPECT_EQ(bytes.substr(16 + 39 + 32, 2), std::string(2, '\0'));
  EXPECT_EQ(bytes.substr(16 + 39 + 34, 20), number(7) + none + number(2) + number(4) + number(4));
  EXPECT_EQ(bytes.substr(16 + 39 + 34 + 32, 4), std::string(4, '\0'));
}

TEST_F(WriterTest, FileHasItsNameOnlyWhenFinished) {
  const Trace trace = counter_trace();
  auto writer = Writer::open(path(), trace.header);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->add_threads(trace.threads));
  ASSERT_TRUE(writer->add_sites(trace.sites));
  ASSERT_TRUE(writer->append(trace.events));
  EXPECT_TRUE(exists(partial()));
  EXPECT_FALSE(exists(path()));
  ASSERT_TRUE(writer->finish(trace.ending));
  EXPECT_FALSE(exists(partial()));
  EXPECT_TRUE(exists(path()));
  EXPECT_EQ(writer->events_written(), trace.events.size());
  EXPECT_EQ(writer->bytes_written(), std::filesystem::file_size(path()));
  EXPECT_FALSE(writer->append(trace.events[0])) << "nothing can follow";
}

TEST_F(WriterTest, AbandonedFileIsReadable) {
  const Trace trace = counter_trace();
  {
    auto writer = Writer::open(path(), trace.header);
    ASSERT_TRUE(writer->add_threads(trace.threads));
    ASSERT_TRUE(writer->add_sites(trace.sites));
    ASSERT_TRUE(writer->append(trace.events));
  }
  EXPECT_FALSE(exists(path()));
  auto read = read_trace(partial());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->events, trace.events);
  EXPECT_FALSE(read->complete);
}

TEST_F(WriterTest, FlushedEventsAreInTheFile) {
  const Trace trace = counter_trace();
  auto writer = Writer::open(path(), trace.header);
  ASSERT_TRUE(writer->add_threads(trace.threads));
  ASSERT_TRUE(writer->add_sites(trace.sites));
  ASSERT_TRUE(writer->append(std::span(trace.events).subspan(0, 5)));
  EXPECT_EQ(read_trace(partial())->events.size(), 0u);
  ASSERT_TRUE(writer->flush());
  EXPECT_EQ(read_trace(partial())->events.size(), 5u);
}

TEST_F(WriterTest, RefusesWhatNoReaderWouldTake) {
  const auto refused = [this](auto change) {
    Trace trace = counter_trace();
    change(trace);
    auto written = write_trace(path(), trace);
    return !written && !exists(path());
  };
  EXPECT_TRUE(refused([](Trace& trace) { trace.events[3].record.thread = 9; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.events[3].record.site = 99; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.events[3].record.kind = 250; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.events[3].record.order = 9; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.events[3].sequence = trace.events[2].sequence; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.events.back().sequence = UINT64_MAX; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.threads[1].parent = 1; }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.sites[1].file.assign(kMaxString + 1, 'x'); }));
  EXPECT_TRUE(refused([](Trace& trace) { trace.ending.message.assign(kMaxString + 1, 'x'); }));
  EXPECT_FALSE(refused([](Trace& trace) { trace.sites[1].file.assign(kMaxString, 'x'); }));
}

TEST_F(WriterTest, UnwritableDirectoryIsAnError) {
  auto writer = Writer::open(directory_.path() + "/no/such/a.trace", {});
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message.find("cannot create"), std::string::npos) << writer.error().message;
}

TEST_F(WriterTest, FullDeviceIsAnErrorThatStays) {
  std::filesystem::create_symlink("/dev/full", partial());
  auto writer = Writer::open(path(), {});
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message.find("No space left"), std::string::npos) << writer.error().message;
}

// In a child with a limit on the size of files, as a full disk would be.
TEST_F(WriterTest, FullDiskKeepsWhatIsWhole) {
  const Trace trace = bulky_trace();
  ASSERT_TRUE(write_trace(path(), trace));
  const uint64_t whole_size = std::filesystem::file_size(path());
  std::filesystem::remove(path());
  ASSERT_GT(whole_size, 3u << 20);

  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{whole_size / 2, whole_size / 2};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto written = write_trace(path(), trace);
    const bool good = !written && written.error().message.find("File too large") != std::string::npos &&
                      written.error().hint.find("can be read") != std::string::npos;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the writer reports the full disk";
  EXPECT_FALSE(exists(path()));
  auto read = read_trace(partial());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->complete);
  EXPECT_GE(read->events.size(), 128u << 10) << "at least the first group";
  ASSERT_LT(read->events.size(), trace.events.size());
  EXPECT_TRUE(std::equal(read->events.begin(), read->events.end(), trace.events.begin()));
}

TEST_F(WriterTest, MemoryStaysBounded) {
  // A hundred million events would be 5 GB; what is held is written long before.
  auto writer = Writer::open(path(), {});
  ASSERT_TRUE(writer->add_threads(std::vector<Thread>(1)));
  Event event{};
  event.record.kind = HEDDLE_YIELD;
  uint64_t most_held = 0;
  for (uint64_t i = 0; i < 1'000'000; ++i) {
    event.sequence = i;
    event.record.index = static_cast<uint32_t>(i);
    ASSERT_TRUE(writer->append(event));
    most_held = std::max(most_held, i + 1 - writer->events_written());
  }
  EXPECT_LE(most_held, 128u << 10);
}

}  // namespace
}  // namespace heddle::trace
