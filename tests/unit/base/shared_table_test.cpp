// SPDX-License-Identifier: Apache-2.0
#include "base/shared_table.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace heddle::base {
namespace {

struct BadHash {
  size_t operator()(uint32_t key) const { return key % 7; }
};
struct Hash {
  size_t operator()(uint32_t key) const { return key; }
};

TEST(SharedTable, KeepsTheLatestNumberOfEachKeyAlsoWhereHashesMeet) {
  SharedTable<uint32_t, BadHash> table;
  EXPECT_EQ(table.find(3), table.kNone);
  for (uint32_t key = 0; key < 500; ++key) {
    EXPECT_EQ(table.update(key, [&](uint64_t before) { return before == table.kNone ? key : 0u; }), key);
  }
  for (uint32_t key = 0; key < 500; key += 2) table.update(key, [](uint64_t before) { return before + 1000; });
  for (uint32_t key = 0; key < 500; ++key) EXPECT_EQ(table.find(key), key % 2 ? key : key + 1000u);
  EXPECT_EQ(table.find(500), table.kNone);
  std::set<uint32_t> seen;
  table.for_each([&](uint32_t key, uint64_t number) {
    EXPECT_EQ(number, table.find(key));
    EXPECT_TRUE(seen.insert(key).second);
  });
  EXPECT_EQ(seen.size(), 500u);
}

// Each key gets its number once, whoever asks, and nobody ever sees that of another key.
TEST(SharedTable, ThreadsAgree) {
  constexpr uint32_t kKeys = 40000;
  constexpr uint64_t kWriter = uint64_t{1} << 32;
  SharedTable<uint32_t, Hash> table;
  std::vector<std::vector<uint64_t>> seen(4, std::vector<uint64_t>(kKeys));
  const auto work = [&](size_t worker) {
    for (uint32_t i = 0; i < kKeys; ++i) {
      const uint32_t key = static_cast<uint32_t>(worker % 2 ? i : kKeys - 1 - i);
      uint64_t number = table.find(key);
      if (number == table.kNone)
        number =
            table.update(key, [&](uint64_t before) { return before == table.kNone ? worker * kWriter + key : before; });
      seen[worker][key] = number;
    }
  };
  std::vector<std::thread> threads;
  for (size_t worker = 0; worker < seen.size(); ++worker) threads.emplace_back(work, worker);
  for (std::thread& thread : threads) thread.join();
  for (uint32_t key = 0; key < kKeys; ++key) {
    EXPECT_EQ(seen[0][key] % kWriter, key);
    for (size_t worker = 1; worker < seen.size(); ++worker) ASSERT_EQ(seen[worker][key], seen[0][key]);
  }
}

}  // namespace
}  // namespace heddle::base
