// SPDX-License-Identifier: Apache-2.0
//
// A table from keys to numbers that many threads use at once: entries are added
// and their numbers change, but nothing is ever removed. Looking up takes no lock
// and writes nothing, so threads that look up what is there already do not slow
// each other down. Changes take the lock of a part of the table (a shard).
//
// When a shard is full, its entries are copied to a table twice as large. Who
// looks into the old one meanwhile finds what was there before; so old tables are
// kept, and find() may miss what another thread has just put in. Who has to know
// asks again by update().
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace heddle::base {

template <typename Key, typename Hash>
class SharedTable {
 public:
  static constexpr uint64_t kNone = ~uint64_t{0};  // no entry has this number
  static constexpr size_t kShards = 64;
  static size_t shard_of(const Key& key) { return mixed(key) >> 58; }

  SharedTable() {
    for (Shard& shard : shards_) replace_table(shard, kFirstSize);
  }

  // kNone: there was no such entry a moment ago.
  uint64_t find(const Key& key) const {
    const Table& table = *shards_[shard_of(key)].table.load(std::memory_order_acquire);
    for (size_t at = mixed(key) >> 16;; ++at) {
      const Place& place = table[at & (table.size() - 1)];
      const uint64_t number = place.number.load(std::memory_order_acquire);
      if (number == kNone || place.key == key) return number;
    }
  }

  // The entry's number becomes change(number), where kNone stands for a new entry.
  // Nobody else changes anything in the key's shard at the same time. Returns the new number.
  template <typename Change>
  uint64_t update(const Key& key, const Change& change) {
    Shard& shard = shards_[shard_of(key)];
    const std::lock_guard<std::mutex> guard(shard.lock);
    Place* place = &place_of(*shard.tables.back(), key);
    const uint64_t before = place->number.load(std::memory_order_relaxed);
    const uint64_t after = change(before);
    if (before == kNone) {
      if (2 * ++shard.count > shard.tables.back()->size())
        place = &place_of(replace_table(shard, 2 * shard.tables.back()->size()), key);
      place->key = key;  // before others can see that it is there
    }
    if (after != before) place->number.store(after, std::memory_order_release);
    return after;
  }

  // All entries, in no particular order.
  template <typename Visit>
  void for_each(const Visit& visit) {
    for (Shard& shard : shards_) {
      const std::lock_guard<std::mutex> guard(shard.lock);
      for (const Place& place : *shard.tables.back())
        if (const uint64_t number = place.number.load(std::memory_order_relaxed); number != kNone)
          visit(place.key, number);
    }
  }

 private:
  static constexpr size_t kFirstSize = 16;
  struct Place {
    Key key{};
    std::atomic<uint64_t> number = kNone;
  };
  using Table = std::vector<Place>;       // its size is a power of two; at most half of it is used
  struct alignas(64) Shard {              // a cache line to itself
    std::atomic<Table*> table = nullptr;  // the last of:
    std::mutex lock;                      // of what follows
    std::vector<std::unique_ptr<Table>> tables;
    size_t count = 0;
  };

  static uint64_t mixed(const Key& key) { return Hash()(key) * 0xd6e8feb86659fd93; }

  // Where the key is, or would be; only while nobody changes the table.
  static Place& place_of(Table& table, const Key& key) {
    for (size_t at = mixed(key) >> 16;; ++at) {
      Place& place = table[at & (table.size() - 1)];
      if (place.number.load(std::memory_order_relaxed) == kNone || place.key == key) return place;
    }
  }

  static Table& replace_table(Shard& shard, size_t size) {
    auto larger = std::make_unique<Table>(size);
    if (!shard.tables.empty()) {
      for (const Place& old : *shard.tables.back()) {
        const uint64_t number = old.number.load(std::memory_order_relaxed);
        if (number == kNone) continue;
        Place& place = place_of(*larger, old.key);
        place.key = old.key;
        place.number.store(number, std::memory_order_relaxed);
      }
    }
    shard.tables.push_back(std::move(larger));
    shard.table.store(shard.tables.back().get(), std::memory_order_release);
    return *shard.tables.back();
  }

  std::array<Shard, kShards> shards_;
};

}  // namespace heddle::base
