// SPDX-License-Identifier: Apache-2.0
#include "oracle/state.h"

namespace heddle::oracle {

uint64_t keep_low_bytes(uint64_t value, int size) {
  return size == 8 ? value : value & ((uint64_t{1} << (8 * size)) - 1);
}

uint64_t read_bytes(const State& state, int offset, int size) {
  uint64_t value = 0;
  for (int byte = size - 1; byte >= 0; --byte) value = value << 8 | state.memory[static_cast<size_t>(offset + byte)];
  return value;
}

void write_bytes(State& state, int offset, int size, uint64_t value) {
  for (int byte = 0; byte < size; ++byte)
    state.memory[static_cast<size_t>(offset + byte)] = static_cast<uint8_t>(value >> (8 * byte));
}

namespace {

// Small numbers, which are most, take one byte.
void append(std::string& key, uint64_t value) {
  for (; value >= 0x80; value >>= 7) key += static_cast<char>(value | 0x80);
  key += static_cast<char>(value);
}

void append(std::string& key, const ThreadState& thread) {
  append(key,
         static_cast<uint64_t>(thread.stage) | uint64_t{thread.serial} << 3 | uint64_t{thread.marker_pending} << 4);
  append(key, thread.place);
  for (const uint64_t value : thread.registers) append(key, value);
  append(key, thread.buffered);
  for (size_t index = 0; index < thread.buffered; ++index) {
    const BufferedStore& store = thread.buffer[index];
    key += static_cast<char>(store.offset);
    key += static_cast<char>(store.size | (store.after_marker ? 0x40 : 0));
    append(key, store.value);
  }
}

template <typename Array>
void append_all(std::string& key, const Array& values) {
  for (const auto value : values) key += static_cast<char>(value);
}

void append_memory(std::string& key, const State& state) {
  const auto bytes = state.memory.begin();
  key.append(bytes, bytes + kMemoryBytes);
  key += static_cast<char>(state.allocated);
  if (!state.allocated) return;
  key += static_cast<char>(state.released);
  key.append(bytes + kMemoryBytes, state.memory.end());
}

}  // namespace

std::string to_key(const State& state, size_t threads) {
  std::string key;
  append_memory(key, state);
  append_all(key, state.mutex_owner);
  append_all(key, state.writer);
  append_all(key, state.readers);
  append_all(key, state.semaphore);
  append_all(key, state.arrived);
  for (size_t thread = 0; thread < threads; ++thread) append(key, state.threads[thread]);
  return key;
}

}  // namespace heddle::oracle
