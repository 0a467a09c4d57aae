// SPDX-License-Identifier: Apache-2.0
#include "trace/validate_stores.h"

#include <fmt/format.h>

#include <algorithm>

#include "abi/store_buffer.h"

namespace heddle::trace {
namespace {

bool overlap(const HeddleRecord& a, const HeddleRecord& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

bool covers(const HeddleRecord& store, const HeddleRecord& load) {
  return store.address <= load.address && load.address + load.size <= store.address + store.size;
}

bool same_store(const HeddleRecord& flush, const HeddleRecord& store) {
  return flush.address == store.address && flush.size == store.size && flush.value == store.value &&
         flush.value2 == store.value2;
}

}  // namespace

std::string StoreBuffers::take(const HeddleRecord& record) {
  Buffer& buffer = threads_[record.thread];
  std::string problem;
  if (heddle_waits_for_stores(record.kind, record.order, record.flags) && record.kind != HEDDLE_EXTERN_WRITE &&
      !buffer.stores.empty()) {
    problem = fmt::format("store {} of its thread has not reached memory", buffer.stores.front().record.index);
  }
  if (record.kind == HEDDLE_LOAD) {
    const Store* store = newest_overlapping(record);
    if (store && !covers(store->record, record))
      problem =
          fmt::format("store {} of its thread, to a part of these bytes, has not reached memory", store->record.index);
  }
  if (heddle_puts_marker(record.kind, record.order)) ++buffer.markers;
  if (heddle_is_buffered(record.kind, record.order, record.flags)) buffer.stores.push_back({record, buffer.markers});
  return problem;
}

std::string StoreBuffers::flush(const HeddleRecord& record) {
  auto& stores = threads_[record.thread].stores;
  const auto leaving = std::find_if(stores.begin(), stores.end(),
                                    [&](const Store& store) { return store.record.index == record.index; });
  if (leaving == stores.end()) return "no such store is in the buffer of its thread";
  std::string problem;
  if (!same_store(record, leaving->record)) problem = "the store was another one";
  const bool dropped = record.flags & HEDDLE_FLAG_FAILED;  // its variable is gone: it passes all others
  for (auto older = stores.begin(); older != leaving && !dropped; ++older) {
    if (by_location_ && older->markers == leaving->markers && !overlap(older->record, leaving->record)) continue;
    problem = fmt::format("it passes the older store {}", older->record.index);
  }
  stores.erase(leaving);
  return problem;
}

const StoreBuffers::Store* StoreBuffers::newest_overlapping(const HeddleRecord& load) const {
  const auto& stores = threads_[load.thread].stores;
  const auto newest =
      std::find_if(stores.rbegin(), stores.rend(), [&](const Store& store) { return overlap(store.record, load); });
  return newest == stores.rend() ? nullptr : &*newest;
}

std::optional<std::array<uint64_t, 2>> StoreBuffers::forwarded(const HeddleRecord& load) const {
  const Store* store = newest_overlapping(load);
  if (!store || !covers(store->record, load)) return std::nullopt;
  const auto byte = [&](uint64_t i) {
    const uint64_t at = load.address + i - store->record.address;
    return (at < 8 ? store->record.value >> (8 * at) : store->record.value2 >> (8 * (at - 8))) & 0xff;
  };
  std::array<uint64_t, 2> values{};
  for (unsigned i = 0; i < load.size && i < 16; ++i) values[i / 8] |= byte(i) << (8 * (i % 8));
  return values;
}

}  // namespace heddle::trace
