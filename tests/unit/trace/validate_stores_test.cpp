// SPDX-License-Identifier: Apache-2.0
//
// Store buffers of hand-made traces under TSO and PSO.
#include <gtest/gtest.h>

#include "trace/validate.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

constexpr uint64_t kX = 0x1000;
constexpr uint64_t kY = 0x2000;

class Buffers {
 public:
  explicit Buffers(const char* model) { build_.trace().header.memory_model = model; }

  Buffers& store(uint64_t address, uint64_t value, HeddleOrder order = HEDDLE_ORDER_NOT_ATOMIC, uint8_t size = 4) {
    HeddleRecord& record = build_.add(0, HEDDLE_STORE, address, value);
    record.order = static_cast<uint8_t>(order);
    record.size = size;
    return *this;
  }
  Buffers& load(uint64_t address, uint64_t value, uint8_t size = 4) {
    build_.add(0, HEDDLE_LOAD, address, value).size = size;
    return *this;
  }
  Buffers& flush(uint32_t index, uint64_t address, uint64_t value, uint8_t flags = 0, uint8_t size = 4) {
    HeddleRecord& record = build_.add(0, HEDDLE_FLUSH, address, value);
    record.index = index;
    record.flags = flags;
    record.size = size;
    return *this;
  }
  Buffers& other(HeddleKind kind, HeddleOrder order = HEDDLE_ORDER_NOT_ATOMIC) {
    build_.add(0, kind).order = static_cast<uint8_t>(order);
    return *this;
  }
  std::string problems() { return problems_text(build_.trace(), validate(build_.trace())); }
  bool good() { return problems().empty(); }
  bool says(const std::string& what) { return problems().find(what) != std::string::npos; }

 private:
  TraceBuilder build_;
};

TEST(ValidateStores, MemoryChangesWhenTheStoreLeavesTheBuffer) {
  const auto start = [] { return Buffers("tso").store(kX, 1).flush(0, kX, 1).store(kX, 2).store(kY, 1); };
  EXPECT_TRUE(start().load(kX, 2).good()) << "the own buffer";
  EXPECT_TRUE(start().load(kX, 1).says("own buffered store wrote 0x2"));
  EXPECT_TRUE(start().flush(1, kX, 2).load(kX, 2).good());
  EXPECT_TRUE(start().flush(1, kX, 2).load(kX, 1).says("was last stored as"));
}

TEST(ValidateStores, OrderOfTso) {
  EXPECT_TRUE(Buffers("tso").store(kX, 1).store(kY, 1).flush(0, kX, 1).flush(1, kY, 1).good());
  EXPECT_TRUE(Buffers("tso").store(kX, 1).store(kY, 1).flush(1, kY, 1).says("it passes the older store 0"));
}

TEST(ValidateStores, OrderOfPso) {
  EXPECT_TRUE(Buffers("pso").store(kX, 1).store(kY, 1).flush(1, kY, 1).flush(0, kX, 1).good());
  EXPECT_TRUE(Buffers("pso").store(kX, 1).store(kX + 2, 1).flush(1, kX + 2, 1).says("it passes the older store 0"));
  EXPECT_TRUE(Buffers("pso").store(kX, 1).store(kY, 1, HEDDLE_ORDER_RELEASE).flush(1, kY, 1).says("it passes"));
  EXPECT_TRUE(Buffers("pso").store(kX, 1, HEDDLE_ORDER_RELEASE).store(kY, 1).flush(1, kY, 1).good());
  EXPECT_TRUE(Buffers("pso")
                  .store(kX, 1)
                  .other(HEDDLE_FENCE, HEDDLE_ORDER_RELEASE)
                  .store(kY, 1)
                  .flush(2, kY, 1)
                  .says("it passes"));
}

TEST(ValidateStores, WhatWaitsForAnEmptyBuffer) {
  EXPECT_TRUE(Buffers("tso").store(kX, 1).other(HEDDLE_EXIT).says("store 0 of its thread has not reached memory"));
  EXPECT_TRUE(Buffers("tso").store(kX, 1).store(kY, 1, HEDDLE_ORDER_SEQ_CST).says("has not reached memory"));
  EXPECT_TRUE(Buffers("tso").store(kX, 1).other(HEDDLE_FENCE, HEDDLE_ORDER_SEQ_CST).says("has not reached memory"));
  EXPECT_TRUE(Buffers("tso").store(kX, 1).other(HEDDLE_FENCE, HEDDLE_ORDER_ACQ_REL).good());
  EXPECT_TRUE(Buffers("tso").store(kX, 1).other(HEDDLE_YIELD).other(HEDDLE_CLOCK).good());
}

TEST(ValidateStores, APartlyCoveredLoadWaits) {
  EXPECT_TRUE(Buffers("tso").store(kX, 1).load(kX, 1, 8).says("to a part of these bytes"));
  EXPECT_TRUE(Buffers("tso").store(kX, 0x0102, HEDDLE_ORDER_NOT_ATOMIC, 2).load(kX + 1, 1, 1).good());
  EXPECT_TRUE(
      Buffers("tso").store(kX, 0x0102, HEDDLE_ORDER_NOT_ATOMIC, 2).load(kX + 1, 2, 1).says("own buffered store"));
}

TEST(ValidateStores, OnlyStoresThatAreThereLeave) {
  EXPECT_TRUE(Buffers("tso").flush(0, kX, 1).says("its store has not been issued"));
  EXPECT_TRUE(Buffers("tso").store(kX, 1).flush(0, kX, 2).says("another one"));
  EXPECT_TRUE(Buffers("tso").store(kX, 1).flush(0, kX, 1).flush(0, kX, 1).says("no such store"));
  EXPECT_TRUE(Buffers("sc").store(kX, 1).flush(0, kX, 1).says("no store buffers"));
}

TEST(ValidateStores, ADroppedStoreChangesNothing) {
  EXPECT_TRUE(Buffers("tso")
                  .store(kX, 1)
                  .flush(0, kX, 1)
                  .store(kY, 1)
                  .store(kX, 2)
                  .flush(2, kX, 2, HEDDLE_FLAG_FAILED)
                  .load(kX, 1)
                  .good());
}

}  // namespace
}  // namespace heddle::trace
