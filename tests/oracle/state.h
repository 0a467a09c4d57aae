// SPDX-License-Identifier: Apache-2.0
//
// Where a run of a Program stands: memory, store buffers, synchronisation
// objects, and each thread's place and registers. A plain value of fixed size;
// to_key() is a short text that is equal exactly for equal states.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "oracle/program.h"

namespace heddle::oracle {

inline constexpr int kMaximumBuffered = 12;
inline constexpr int kNobody = -1;

struct BufferedStore {
  int8_t offset = 0;
  int8_t size = 0;
  bool after_marker = false;  // a store-store marker lies right before it
  uint64_t value = 0;
};

enum class Stage : uint8_t {
  kAbsent,    // not created
  kReady,     // its next operation is the one at `place`
  kQueued,    // waits on a condition variable
  kWoken,     // was signalled, wants its mutex back
  kArrived,   // waits at a barrier
  kReleased,  // the barrier has opened
};

struct ThreadState {
  Stage stage = Stage::kAbsent;
  bool serial = false;          // while kReleased: was the last to arrive
  bool marker_pending = false;  // the next buffered store lies behind a marker
  uint8_t place = 0;            // of the next operation
  uint8_t buffered = 0;         // stores in the buffer, oldest first
  std::array<uint64_t, kMaximumRegisters> registers = {};
  std::array<BufferedStore, kMaximumBuffered> buffer = {};
};

struct State {
  std::array<uint8_t, kMemoryBytes + kMaximumBlocks * kBlockBytes> memory = {};  // variables, then blocks
  uint8_t allocated = 0, released = 0;                                           // bit b: block b + 1
  std::array<int8_t, kMutexes> mutex_owner;
  std::array<int8_t, kReaderWriterLocks> writer;
  std::array<int8_t, kReaderWriterLocks> readers = {};
  std::array<int8_t, kSemaphores> semaphore = {};
  std::array<int8_t, kBarriers> arrived = {};
  std::array<ThreadState, kMaximumThreads> threads = {};
  int failed = -1;  // number of the assertion that ended the run

  State() {
    mutex_owner.fill(kNobody);
    writer.fill(kNobody);
  }
};

// Bytes are stored lowest first.
uint64_t read_bytes(const State& state, int offset, int size);
void write_bytes(State& state, int offset, int size, uint64_t value);
uint64_t keep_low_bytes(uint64_t value, int size);
inline int offset_of_block(uint64_t pointer) { return kMemoryBytes + (static_cast<int>(pointer) - 1) * kBlockBytes; }

// `threads`: how many the program has.
std::string to_key(const State& state, size_t threads);

}  // namespace heddle::oracle
