// SPDX-License-Identifier: Apache-2.0
//
// What threads of a free run write by abi/slot_coding.h comes back as it was,
// is small, and damaged bytes are refused.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <memory>
#include <vector>

#include "trace/slot_decoder.h"

namespace heddle::trace {
namespace {

struct Numbered {
  HeddleRecord record;
  uint64_t sequence;
};

// Writes a chunk as the runtime does.
class Chunk {
 public:
  void add(HeddleRecord record, uint64_t sequence = 0) {
    bytes_.resize(used_ + HEDDLE_SLOT_EVENT_BYTES);
    unsigned char* end =
        heddle_slot_put_event(bytes_.data() + used_, slots_.data(), &record, sequence, &last_sequence_, used_ == 0);
    used_ = static_cast<size_t>(end - bytes_.data());
    ASSERT_LE(used_, bytes_.size());
  }
  size_t size() const { return used_; }
  unsigned char* bytes() { return bytes_.data(); }

 private:
  std::vector<unsigned char> bytes_;
  std::vector<HeddleSlot> slots_ = std::vector<HeddleSlot>(HEDDLE_SLOTS);
  size_t used_ = 0;
  uint64_t last_sequence_ = 0;
};

HeddleRecord access(uint32_t index, uint32_t site, uint8_t size, uint64_t address, uint64_t value) {
  return {HEDDLE_LOAD, size, 0, 0, 7, index, site, address, value, 0};
}

bool same(const HeddleRecord& a, const HeddleRecord& b) {
  return a.kind == b.kind && a.size == b.size && a.order == b.order && a.flags == b.flags && a.thread == b.thread &&
         a.index == b.index && a.site == b.site && a.address == b.address && a.value == b.value && a.value2 == b.value2;
}

std::vector<Numbered> decode(Chunk& chunk, const char** problem = nullptr) {
  auto decoder = std::make_unique<SlotDecoder>();
  decoder->begin(chunk.bytes(), chunk.size(), 7);
  std::vector<Numbered> events;
  Numbered event{};
  while (decoder->next(&event.record, &event.sequence)) events.push_back(event);
  if (problem) *problem = decoder->problem();
  return events;
}

TEST(SlotCoding, ArbitraryEventsComeBack) {
  EXPECT_TRUE(rc::check([] {
    static constexpr uint8_t kKinds[] = {HEDDLE_LOAD,       HEDDLE_STORE, HEDDLE_RMW,
                                         HEDDLE_MUTEX_LOCK, HEDDLE_ALLOC, HEDDLE_STACK_OBJECT};
    static constexpr uint8_t kSizes[] = {0, 1, 2, 4, 8, 16};
    Chunk chunk;
    std::vector<Numbered> written;
    uint32_t index = *rc::gen::arbitrary<uint32_t>() >> 1;
    const int count = *rc::gen::inRange(0, 200);
    for (int i = 0; i < count; ++i) {
      HeddleRecord record{};
      record.kind = kKinds[*rc::gen::inRange(0, 6)];
      record.size = kSizes[*rc::gen::inRange(0, 6)];
      record.order = *rc::gen::arbitrary<uint8_t>();
      record.flags = *rc::gen::arbitrary<uint8_t>();
      record.thread = 7;
      // Few sites, among them some that share a slot.
      record.site = static_cast<uint32_t>(*rc::gen::inRange(0, 4)) +
                    HEDDLE_SLOTS * static_cast<uint32_t>(*rc::gen::inRange(0, 3));
      record.index = index;
      if (record.kind <= HEDDLE_LAST_VISIBLE) ++index;
      record.address = *rc::gen::arbitrary<uint64_t>();
      record.value = *rc::gen::arbitrary<uint64_t>();
      const unsigned bits = heddle_slot_value_bits(record.kind, record.size);
      record.value = record.value << (64 - bits) >> (64 - bits);
      if (*rc::gen::arbitrary<bool>()) record.value2 = *rc::gen::arbitrary<uint64_t>();
      const uint64_t sequence = *rc::gen::arbitrary<bool>() ? *rc::gen::arbitrary<uint64_t>() : 0;
      chunk.add(record, sequence);
      written.push_back({record, sequence});
    }
    const char* problem = nullptr;
    const std::vector<Numbered> read = decode(chunk, &problem);
    RC_ASSERT(problem == nullptr);
    RC_ASSERT(read.size() == written.size());
    for (size_t i = 0; i < read.size(); ++i) {
      RC_ASSERT(same(read[i].record, written[i].record));
      RC_ASSERT(read[i].sequence == written[i].sequence);
    }
    RC_ASSERT(count_slot_events(chunk.bytes(), chunk.size()) == written.size());
  }));
}

TEST(SlotCoding, ExtremesOfEachWidthComeBack) {
  for (const uint8_t size : {1, 2, 4, 8}) {
    const uint64_t top = size == 8 ? UINT64_MAX : (uint64_t{1} << (8 * size)) - 1;
    Chunk chunk;
    uint32_t index = 0;
    const uint64_t values[] = {0, top, 0, top / 2, top / 2 + 1, top, 1, top - 1};
    for (const uint64_t value : values) chunk.add(access(index++, 5, size, 0, value));
    const auto read = decode(chunk);
    ASSERT_EQ(read.size(), std::size(values));
    for (size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].record.value, values[i]) << "size " << int(size);
  }
}

TEST(SlotCoding, ArraysOfRandomWordsCostEightBytes) {
  Chunk chunk;
  uint64_t state = 1;
  constexpr uint32_t kCount = 20000;
  for (uint32_t i = 0; i < kCount; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    chunk.add(access(i, 9, 4, 0x7f3a5c000000 + 4 * i, state >> 32));
  }
  EXPECT_LE(double(chunk.size()) / kCount, 8.1);
}

TEST(SlotCoding, RefusesASlotThatIsNotDeclared) {
  Chunk chunk;
  chunk.add(access(0, 5, 8, 0x1000, 1));
  chunk.bytes()[2] &= 0x0f;  // what else there is: nothing
  const char* problem = nullptr;
  EXPECT_TRUE(decode(chunk, &problem).empty());
  ASSERT_TRUE(problem);
  EXPECT_STREQ(problem, "an event of a slot that is not declared");
}

TEST(SlotCoding, RefusesASiteInTheSlotOfAnother) {
  Chunk chunk;
  chunk.add(access(0, 5, 8, 0x1000, 1));
  chunk.bytes()[0] = 6;
  const char* problem = nullptr;
  EXPECT_TRUE(decode(chunk, &problem).empty());
  ASSERT_TRUE(problem);
  EXPECT_STREQ(problem, "a site is declared in the slot of another");
}

TEST(SlotCoding, AnyBytesEndWithoutHarm) {
  auto decoder = std::make_unique<SlotDecoder>();
  EXPECT_TRUE(rc::check([&decoder](const std::vector<unsigned char>& bytes) {
    decoder->begin(bytes.data(), bytes.size(), 3);
    HeddleRecord record{};
    uint64_t sequence = 0, count = 0;
    while (decoder->next(&record, &sequence)) ++count;
    RC_ASSERT(count * HEDDLE_SLOT_HEAD_BYTES <= bytes.size());
  }));
}

TEST(SlotCoding, EveryPrefixOfAChunkGivesAPrefixOfItsEvents) {
  Chunk chunk;
  for (uint32_t i = 0; i < 20; ++i) chunk.add(access(i, i % 3 + 1, 8, 0x1000 + 64 * i, i * 1000), i % 4 ? 0 : i + 1);
  const auto whole = decode(chunk);
  ASSERT_EQ(whole.size(), 20u);
  for (size_t size = 0; size < chunk.size(); ++size) {
    auto decoder = std::make_unique<SlotDecoder>();
    decoder->begin(chunk.bytes(), size, 7);
    Numbered event{};
    size_t count = 0;
    while (decoder->next(&event.record, &event.sequence)) {
      ASSERT_LT(count, whole.size());
      EXPECT_TRUE(same(event.record, whole[count].record));
      ++count;
    }
  }
}

}  // namespace
}  // namespace heddle::trace
