// SPDX-License-Identifier: Apache-2.0
//
// Events are small: at most eight bytes per memory access before packing on the
// kinds of loops that programs are made of, and nearly nothing where the next
// event can be foreseen. And the encoder keeps its promises at its limits.
#include <gtest/gtest.h>

#include <memory>

#include "trace/event_decoder.h"
#include "trace/event_encoder.h"
#include "trace/stats.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

class Random {
 public:
  uint64_t below(uint64_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % limit;
  }

 private:
  uint64_t state_ = 1;
};

class Loop {
 public:
  Loop() {
    for (uint32_t i = 1; i < 50; ++i) build_.site("loop.c", i);
  }
  void load(uint32_t site, uint64_t address, uint64_t value) { access(HEDDLE_LOAD, site, address, value); }
  void store(uint32_t site, uint64_t address, uint64_t value) { access(HEDDLE_STORE, site, address, value); }
  double bytes_per_access() { return collect_stats(build_.trace()).bytes_per_access(); }
  TraceBuilder& build() { return build_; }

 private:
  void access(HeddleKind kind, uint32_t site, uint64_t address, uint64_t value) {
    HeddleRecord& record = build_.add(0, kind, address, value);
    record.site = site;
    record.size = 8;
  }
  TraceBuilder build_;
};

constexpr uint64_t kHeap = 0x7f3a5c000000, kStack = 0x7ffd12345678;

TEST(Encoding, StridedLoopCostsAlmostNothing) {
  Loop loop;
  for (uint64_t i = 0; i < 50000; ++i) {
    loop.load(1, kHeap + 8 * i, 3 * i);
    loop.store(2, kHeap + 0x100000 + 8 * i, 3 * i);
  }
  EXPECT_LT(loop.bytes_per_access(), 0.05);
}

TEST(Encoding, CounterCostsAlmostNothing) {
  Loop loop;
  for (uint64_t i = 0; i < 50000; ++i) {
    loop.load(1, kHeap, i);
    loop.store(2, kHeap, i + 1);
  }
  EXPECT_LT(loop.bytes_per_access(), 0.05);
}

TEST(Encoding, SumOfRandomNumbers) {
  Loop loop;
  Random random;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 50000; ++i) {
    const uint64_t number = random.below(1'000'000);
    loop.load(1, kHeap + 8 * i, number);
    loop.load(2, kStack, sum);
    loop.store(3, kStack, sum += number);
  }
  EXPECT_LT(loop.bytes_per_access(), 8.0);
}

TEST(Encoding, HashTableWithRandomPlaces) {
  Loop loop;
  Random random;
  for (uint64_t i = 0; i < 50000; ++i) {
    const uint64_t bucket = kHeap + 16 * random.below(1 << 20);
    loop.load(1, bucket, random.below(1000));
    loop.store(2, bucket + 8, random.below(1000));
  }
  EXPECT_LT(loop.bytes_per_access(), 8.0);
}

TEST(Encoding, LinkedListOfScatteredNodes) {
  Loop loop;
  Random random;
  uint64_t node = kHeap;
  for (uint64_t i = 0; i < 50000; ++i) {
    const uint64_t next = kHeap + 32 * random.below(1 << 16);
    loop.load(1, node, random.below(100));
    loop.load(2, node + 8, next);
    node = next;
  }
  EXPECT_LT(loop.bytes_per_access(), 8.0);
}

TEST(Encoding, BranchesBetweenSites) {
  Loop loop;
  Random random;
  for (uint64_t i = 0; i < 50000; ++i) {
    const uint32_t site = static_cast<uint32_t>(1 + random.below(40));
    loop.load(site, kHeap + 64 * site + 8 * random.below(8), random.below(256));
  }
  EXPECT_LT(loop.bytes_per_access(), 8.0);
}

TEST(Encoding, ThreadsThatAlternateEveryEvent) {
  Loop loop;
  const uint32_t child = loop.build().thread(0);
  for (uint64_t i = 0; i < 50000; ++i) {
    HeddleRecord& record = loop.build().add(i % 2 ? child : 0, HEDDLE_LOAD, kHeap, 5);
    record.site = 1;
  }
  EXPECT_LT(loop.bytes_per_access(), 3.0);
}

TEST(Encoding, LockedUpdates) {
  Loop loop;
  Random random;
  for (uint64_t i = 0; i < 20000; ++i) {
    const uint64_t account = kHeap + 64 * random.below(1000);
    loop.build().add(0, HEDDLE_MUTEX_LOCK, account, 1).site = 1;
    loop.load(2, account + 40, random.below(10000));
    loop.store(3, account + 40, random.below(10000));
    loop.build().add(0, HEDDLE_MUTEX_UNLOCK, account, 0).site = 4;
  }
  EXPECT_LT(loop.bytes_per_access(), 8.0) << "the locks included";
}

TEST(Encoding, NoEventIsLongerThanPromised) {
  auto encoder = std::make_unique<EventEncoder>();
  unsigned char bytes[2 * kMaxEventBytes];
  encoder->begin(bytes, sizeof bytes, false);
  // Far from everything: each difference needs all its bytes.
  const uint64_t far = uint64_t{1} << 63;
  ASSERT_TRUE(encoder->append({HEDDLE_RMW, 255, 6, 255, 0, UINT32_MAX, 1u << 31, far, far, 0}, far));
  EXPECT_LE(encoder->size(), kMaxEventBytes);
  EXPECT_GT(encoder->size(), 40u) << "or this is not the worst case";
}

TEST(Encoding, FullChunkRefusesAndStaysWhole) {
  auto encoder = std::make_unique<EventEncoder>();
  unsigned char bytes[200];
  encoder->begin(bytes, sizeof bytes, false);
  Random random;
  std::vector<HeddleRecord> written;
  for (;;) {
    const HeddleRecord record{HEDDLE_STORE, 8, 0, 0, 0, 0, 1, random.below(1ull << 31), random.below(1ull << 31), 0};
    const size_t before = encoder->size();
    if (!encoder->append(record, written.size())) {
      EXPECT_EQ(encoder->size(), before);
      break;
    }
    written.push_back(record);
  }
  EXPECT_EQ(encoder->count(), written.size());
  auto decoder = std::make_unique<EventDecoder>();
  decoder->begin(bytes, encoder->size(), 0, false);
  HeddleRecord record{};
  uint64_t sequence = 0, count = 0;
  while (decoder->next(&record, &sequence)) {
    EXPECT_EQ(sequence, count);
    EXPECT_EQ(record.value, written.at(count).value);
    EXPECT_EQ(record.address, written.at(count).address);
    ++count;
  }
  EXPECT_EQ(decoder->problem(), nullptr);
  EXPECT_EQ(count, written.size());
}

TEST(Encoding, ChunkHasALimitedNumberOfEvents) {
  auto encoder = std::make_unique<EventEncoder>();
  std::vector<unsigned char> bytes(1 << 20);
  encoder->begin(bytes.data(), bytes.size(), false);
  uint32_t index = 0;
  while (encoder->append({HEDDLE_YIELD, 0, 0, 0, 0, index, 0, 0, 0, 0}, index)) ++index;
  EXPECT_EQ(index, kMaxEventsPerChunk);
  EXPECT_LT(encoder->size(), 1000u) << "a run costs a byte per 128 events";
}

TEST(Decoding, AnyBytesEndWithoutHarm) {
  auto decoder = std::make_unique<EventDecoder>();
  EXPECT_TRUE(rc::check([&decoder](const std::vector<unsigned char>& bytes, bool free_running) {
    decoder->begin(bytes.data(), bytes.size(), 3, free_running);
    HeddleRecord record{};
    uint64_t sequence = 0, count = 0;
    while (decoder->next(&record, &sequence)) {
      RC_ASSERT(record.thread == 3u);
      ++count;
    }
    RC_ASSERT(count <= 128 * bytes.size());
    RC_ASSERT(decoder->problem() != nullptr || decoder->offset() == bytes.size());
  }));
}

}  // namespace
}  // namespace heddle::trace
