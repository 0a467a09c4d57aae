// SPDX-License-Identifier: Apache-2.0
//
// A small concurrent program as a value: what the generator makes, brute force
// explores and emit_c prints as C. There are no loops, so each operation
// happens at most once in a run, and its number names it in all runs.
//
//   Program program;                        // store buffering
//   program.threads.resize(3);
//   program.threads[0].operations = {create(1), create(2), join(1), join(2)};
//   program.threads[1].operations = {store(0, 1), load(0, 8)};
//   program.threads[2].operations = {store(8, 1), load(0, 0)};
//   number_operations(program);
//
// Thread 0 is main. All shared variables lie in one array of bytes that starts
// as zeros; an access names its offset and size and is naturally aligned, so
// accesses may overlap in part. Registers are 64 bits wide and start as 0; a
// load extends with zeros, a store keeps the low bytes.
//
// Programs may also allocate blocks of eight bytes, put pointers to them where
// others find them, and release them. A pointer is the number of its block, from
// 1; 0 points nowhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::oracle {

inline constexpr int kMemoryBytes = 32;
inline constexpr int kMaximumBlocks = 6;
inline constexpr int kBlockBytes = 8;
inline constexpr int kMaximumThreads = 8;
inline constexpr int kMaximumRegisters = 6;
inline constexpr int kMutexes = 2;
inline constexpr int kReaderWriterLocks = 1;
inline constexpr int kSemaphores = 2;
inline constexpr int kConditions = 1;
inline constexpr int kBarriers = 1;

enum class MemoryOrder : uint8_t { kNotAtomic, kRelaxed, kConsume, kAcquire, kRelease, kAcquireRelease, kSequential };

bool acquires(MemoryOrder order);  // consume counts: compilers make acquire of it
bool releases(MemoryOrder order);

enum class OperationKind : uint8_t {
  // Memory: offset, size, order. Reads put what they found into `target`.
  kLoad,
  kStore,            // value
  kAdd,              // value: what is added
  kExchange,         // value
  kCompareExchange,  // expected, value, failure_order
  kFence,            // order

  // Synchronisation: object. Those that may fail put 1 (success) or 0 into `target`.
  kLock,
  kUnlock,
  kTryLock,
  kReadLock,
  kWriteLock,
  kReadWriteUnlock,
  kTryReadLock,
  kTryWriteLock,
  kSemaphoreWait,
  kSemaphorePost,
  kSemaphoreTryWait,
  kConditionWait,  // mutex: which the thread holds
  kSignal,
  kBroadcast,
  kBarrier,  // target: 1 for the last to arrive, else 0
  kCreate,   // object: the thread
  kJoin,
  kAllocate,  // object: the block; target: the pointer to it
  kRelease,   // source: the pointer; 0 does nothing

  // Control; no other thread sees these.
  kBranch,  // skips the next `skip` operations unless register `source` is (or, !equal, is not) `expected`
  kAssert,  // register `source` is not `expected`
};

inline constexpr int kNoRegister = -1;

struct Operation {
  OperationKind kind = OperationKind::kLoad;
  MemoryOrder order = MemoryOrder::kNotAtomic;
  MemoryOrder failure_order = MemoryOrder::kRelaxed;
  int offset = 0;
  int size = 4;
  int target = kNoRegister;
  int source = kNoRegister;    // what is stored or added is value, plus this register if there is one
  int base = kNoRegister;      // of an access to a block: the register that points to it; offset is 0 then
  int compared = kNoRegister;  // what a compare-exchange expects is expected, plus this register if there is one
  uint64_t value = 0;
  uint64_t expected = 0;
  int object = 0;
  int mutex = 0;
  int skip = 0;
  int function = 0;  // of a creation: the thread runs the body of that one; 0: its own
  bool equal = true;
  int number = 0;  // in the program, by thread and place
};

struct Thread {
  std::vector<Operation> operations;
  int registers = 0;
  int like = 0;  // runs the body of that thread; 0: its own
};

struct Program {
  std::vector<Thread> threads;
  int semaphore_values[kSemaphores] = {};
  int barrier_counts[kBarriers] = {};
  bool has_twins = false;     // threads that run the same body: only the registers of main are observed
  bool has_pointers = false;  // only the lowest four bits of registers are observed: the numbers of blocks
};

bool is_access(OperationKind kind);  // touches the shared bytes
bool is_control(OperationKind kind);
bool writes(const Operation& operation);  // or may write
bool overlap(const Operation& one, const Operation& other);

// Gives every operation its number and every thread the registers that it uses.
void number_operations(Program& program);
const Operation& operation_with_number(const Program& program, int number);

// How many operations other threads could see; creations and joins do not count.
int visible_operations(const Program& program);

// One operation a line, as a person would write them.
std::string to_text(const Operation& operation);
std::string to_text(const Program& program);

}  // namespace heddle::oracle
