// SPDX-License-Identifier: Apache-2.0
//
// Memory with wrong values: each lane marks the places that it corrupts, so that a
// thread which loads one of them knows whom it has the error from.
#include <initializer_list>

#include "lane.h"

namespace heddle::compare {
namespace {

constexpr uint32_t kMostTries = 64;
constexpr uint64_t kLastAddress = uint64_t{1} << 47;

// Where the search for a place begins: all its marks are found from there on.
uint64_t first_try(uint64_t address) { return (address >> 3) * 0x9e3779b97f4a7c15u >> 40; }

HeddleMark& mark_number(uint64_t at) { return channel->mark[at & (HEDDLE_MOST_MARKS - 1)]; }

void mark(uint64_t address, uint64_t position, uint32_t by, bool joined) {
  if (address < 8 || address >= kLastAddress) return;
  const uint64_t key = heddle_mark_key(address, by);
  uint64_t at = first_try(address);
  for (uint32_t tries = 0; tries < kMostTries; ++tries, ++at) {
    HeddleMark& mark = mark_number(at);
    uint64_t there = 0;
    if (mark.key != key &&
        !__atomic_compare_exchange_n(&mark.key, &there, key, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      continue;
    if (mark.order == 0) {
      __atomic_fetch_add(&channel->marks, 1u, __ATOMIC_RELAXED);
      mark.lane = by;
      mark.exact = address;
      mark.word = position;
      mark.joined = joined;
    }
    __atomic_store_n(&mark.order, __atomic_add_fetch(&channel->orders, 1u, __ATOMIC_RELAXED), __ATOMIC_SEQ_CST);
    return;
  }
}

}  // namespace

void mark_memory(uint64_t address, uint64_t position) { mark(address, position, lane.number, false); }

void mark_result(uint64_t address, uint32_t joined_lane) {
  mark(address, channel->known[joined_lane].words, joined_lane, true);
}

void note_source(uint64_t address, uint32_t size) {
  uint64_t latest = 0;
  for (const uint64_t end : {address, address + (size ? size - 1 : 0)}) {
    uint64_t at = first_try(end);
    for (uint32_t tries = 0; tries < kMostTries; ++tries, ++at) {
      const HeddleMark& mark = mark_number(at);
      if (mark.key == 0) break;
      const uint64_t order = __atomic_load_n(&mark.order, __ATOMIC_SEQ_CST);
      if (order <= latest || mark.key != heddle_mark_key(end, mark.lane)) continue;
      latest = order;
      channel->run[lane.number].source = mark.lane + 1;
    }
  }
}

}  // namespace heddle::compare
