// SPDX-License-Identifier: Apache-2.0
//
// The processor's trace, decoded, beside what a real process with several threads was seen to execute one
// instruction at a time. tests/pt steps the process and encodes what the trace units of two cores
// would have written; it shares no code with the decoder.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "base/files.h"
#include "base/process.h"
#include "build/recording_target.h"
#include "build/sources.h"
#include "paths.h"
#include "record/pt/core_times.h"
#include "record/pt/decode_run.h"
#include "record/pt/perf_data.h"

namespace heddle::record::pt {
namespace {

constexpr const char* kSource = R"(
#include <pthread.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*volatile twice)(int);
static int doubled(int x) { return 2 * x; }
static void *work(void *given) {
  long n = (long)given;
  for (long i = 0; i < 30; ++i) {
    pthread_mutex_lock(&lock);
    if (i * n % 3 == 0) total += twice((int)i);
    else if (i % 5 == 2) total ^= 3;
    switch (i % 4) { case 0: ++total; break; case 1: total += 2; break; case 3: --total; }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  twice = doubled;
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return total == 0;
}
)";

using Sequences = std::map<int32_t, std::vector<uint64_t>>;

class PtDecoding : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto made = base::TemporaryDirectory::create("pt-decoding");
    ASSERT_TRUE(made);
    directory_ = new base::TemporaryDirectory(std::move(*made));
    ::setenv("XDG_CACHE_HOME", directory_->path().c_str(), 1);
    const std::string source = directory_->path() + "/program.c";
    ASSERT_TRUE(base::write_file(source, kSource));
    build::IntakeOptions options;
    options.optimised = true;
    options.cflags = {"-O2"};
    auto program = build::intake({source}, options);
    ASSERT_TRUE(program);
    auto target = build::make_recording_target(std::move(*program), {.marks_cores = false, .marks_ways = true});
    ASSERT_TRUE(target) << target.error().message;
    target_ = new build::Target(std::move(*target));
  }
  static void TearDownTestSuite() {
    delete target_;
    delete directory_;
  }

  // Runs the program; what was executed, and what decoding makes of the packets.
  struct Outcome {
    Sequences truth, seen;
    DecodedPaths decoded;
  };
  static Outcome run(unsigned seed, const char* mishaps) {
    Outcome outcome;
    const std::string file = directory_->path() + "/perf.data";
    ::setenv("STEPPING_SEED", std::to_string(seed).c_str(), 1);
    ::setenv("STEPPING_MISHAPS", mishaps, 1);
    auto ran = base::run_process({tests::kSteppingPerf, "record", "-o", file, "--", target_->executable});
    EXPECT_TRUE(ran && ran->exit_code == 0);
    auto truth = base::read_file(file + ".truth");
    EXPECT_TRUE(truth);
    for (size_t at = 0; at + 16 <= truth->size(); at += 16) {
      uint64_t entry[2];
      std::memcpy(entry, truth->data() + at, 16);
      outcome.truth[static_cast<int32_t>(entry[0])].push_back(entry[1]);
    }
    auto trace = read_trace(*target_, file);
    EXPECT_TRUE(trace) << trace.error().message;
    auto marks = build::marks_of(target_->executable);
    EXPECT_TRUE(marks);
    auto decoded = decode_paths(*trace, *marks,
                                [&](int32_t thread, uint64_t address) { outcome.seen[thread].push_back(address); });
    EXPECT_TRUE(decoded) << decoded.error().message;
    if (decoded) outcome.decoded = std::move(*decoded);
    return outcome;
  }

  static inline base::TemporaryDirectory* directory_ = nullptr;
  static inline build::Target* target_ = nullptr;
};

TEST_F(PtDecoding, FindsEveryInstructionOfEveryThread) {
  const Outcome outcome = run(1, "0,0,0");
  EXPECT_EQ(outcome.truth.size(), 3u);
  EXPECT_EQ(outcome.truth, outcome.seen);
  EXPECT_EQ(outcome.decoded.losses, 0u);
  for (const auto& [thread, path] : outcome.decoded.threads) EXPECT_TRUE(path.is_whole);
  uint64_t bits = 0, changes = 0;
  for (const auto& [thread, path] : outcome.decoded.threads) {
    bits += path.path.size();
    changes += path.changes.size();
  }
  EXPECT_GT(bits, 200u);
  EXPECT_GT(changes, 3u);  // threads moved between cores
}

TEST_F(PtDecoding, WhatIsLostCutsThoseWhoHadTheCore) {
  const std::pair<unsigned, const char*> runs[] = {{202, "40,0,0"}, {3, "0,40,0"}, {4, "0,0,40"}, {5, "15,15,15"}};
  uint64_t losses = 0, cut = 0, kept = 0;
  for (const auto& [seed, mishaps] : runs) {
    SCOPED_TRACE(mishaps);
    Outcome outcome = run(seed, mishaps);
    losses += outcome.decoded.losses;
    for (const auto& [thread, path] : outcome.decoded.threads) {
      const std::vector<uint64_t>&truth = outcome.truth[thread], &seen = outcome.seen[thread];
      if (path.is_whole) EXPECT_EQ(truth, seen);
      ASSERT_LE(seen.size(), truth.size());
      EXPECT_TRUE(std::equal(seen.begin(), seen.end(), truth.begin()));  // never anything that did not happen
      cut += !path.is_whole;
      kept += seen.size();
    }
    for (const auto& [thread, truth] : outcome.truth)
      EXPECT_TRUE(outcome.decoded.threads.contains(thread) || truth.empty());
  }
  EXPECT_GT(losses, 0u);
  EXPECT_GT(cut, 0u);
  EXPECT_GT(kept, 0u);
}

TEST(CoreTimes, ATurnReachesFromTheEndOfTheOneBefore) {
  const CoreTimes times({{10, 0, 7, true}, {20, 0, 7, false}, {30, 0, 8, true}, {35, 1, 7, true}, {40, 0, 8, false}});
  const auto thread = [&](uint32_t core, uint64_t time) {
    return times.turn_at(core, time) ? times.turn_at(core, time)->thread : 0;
  };
  EXPECT_EQ(thread(0, 5), 7);
  EXPECT_EQ(thread(0, 20), 7);
  EXPECT_EQ(thread(0, 21), 8);
  EXPECT_EQ(thread(0, 41), 0);
  EXPECT_EQ(thread(1, 1000), 7);
  EXPECT_EQ(thread(2, 1000), 0);
  EXPECT_EQ(times.turns_between(0, 20, 21).size(), 2u);
  EXPECT_EQ(times.turns_between(0, 41, 50).size(), 0u);
}

TEST(CoreTimes, NobodyComesToACoreThatAnotherHas) {
  EXPECT_TRUE(CoreTimes({{10, 0, 7, true}, {20, 0, 7, false}, {30, 0, 8, true}}).fits_together());
  EXPECT_FALSE(CoreTimes({{10, 0, 7, true}, {30, 0, 8, true}}).fits_together());
}

TEST(DecodedPaths, WhereThreadsRanAndNothingWasTracedAllIsLost) {
  Trace trace;
  trace.switches = {{10, 3, 7, true}, {20, 3, 7, false}};
  auto decoded = decode_paths(trace, {});
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_TRUE(decoded->threads.contains(7));
  EXPECT_FALSE(decoded->threads[7].is_whole);
  trace.lost_switches = true;
  EXPECT_FALSE(decode_paths(trace, {}));
}

TEST(PerfData, DamageIsAnError) {
  EXPECT_FALSE(read_perf_data(""));
  EXPECT_FALSE(read_perf_data("PERFILE2"));
  EXPECT_FALSE(read_perf_data(std::string(200, '\0')));
  std::string head = "PERFILE2";
  const uint64_t fields[] = {104, 200, 104, 200, 104, 1u << 30};  // data behind the end
  head.append(reinterpret_cast<const char*>(fields), sizeof fields);
  head.resize(304, '\0');
  EXPECT_FALSE(read_perf_data(head));
}

}  // namespace
}  // namespace heddle::record::pt
