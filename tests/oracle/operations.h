// SPDX-License-Identifier: Apache-2.0
//
// Short ways to write operations by hand, in tests and in the generator. Sizes
// are 4 bytes and accesses plain unless said otherwise.
#pragma once

#include "oracle/program.h"

namespace heddle::oracle {

inline Operation load(int target, int offset, MemoryOrder order = MemoryOrder::kNotAtomic, int size = 4) {
  Operation operation;
  operation.kind = OperationKind::kLoad;
  operation.order = order;
  operation.offset = offset;
  operation.size = size;
  operation.target = target;
  return operation;
}

inline Operation store(int offset, uint64_t value, MemoryOrder order = MemoryOrder::kNotAtomic, int size = 4) {
  Operation operation;
  operation.kind = OperationKind::kStore;
  operation.order = order;
  operation.offset = offset;
  operation.size = size;
  operation.value = value;
  return operation;
}

inline Operation store_sum(int offset, int source, uint64_t value, MemoryOrder order = MemoryOrder::kNotAtomic) {
  Operation operation = store(offset, value, order);
  operation.source = source;
  return operation;
}

inline Operation add(int target, int offset, uint64_t value, MemoryOrder order = MemoryOrder::kSequential) {
  Operation operation = store(offset, value, order);
  operation.kind = OperationKind::kAdd;
  operation.target = target;
  return operation;
}

inline Operation exchange(int target, int offset, uint64_t value, MemoryOrder order = MemoryOrder::kSequential) {
  Operation operation = add(target, offset, value, order);
  operation.kind = OperationKind::kExchange;
  return operation;
}

inline Operation compare_exchange(int target, int offset, uint64_t expected, uint64_t value,
                                  MemoryOrder order = MemoryOrder::kSequential) {
  Operation operation = add(target, offset, value, order);
  operation.kind = OperationKind::kCompareExchange;
  operation.expected = expected;
  return operation;
}

inline Operation fence(MemoryOrder order = MemoryOrder::kSequential) {
  Operation operation;
  operation.kind = OperationKind::kFence;
  operation.order = order;
  return operation;
}

// The same through a pointer, with all eight bytes of its block.
inline Operation through(int base, Operation access) {
  access.base = base;
  access.offset = 0;
  access.size = kBlockBytes;
  return access;
}

inline Operation allocate(int target, int block) {
  Operation operation;
  operation.kind = OperationKind::kAllocate;
  operation.target = target;
  operation.object = block;
  return operation;
}

inline Operation release(int source) {
  Operation operation;
  operation.kind = OperationKind::kRelease;
  operation.source = source;
  return operation;
}

// Any synchronisation operation; `target` where it has a result.
inline Operation synchronise(OperationKind kind, int object = 0, int target = kNoRegister) {
  Operation operation;
  operation.kind = kind;
  operation.object = object;
  operation.target = target;
  return operation;
}

inline Operation lock(int mutex = 0) { return synchronise(OperationKind::kLock, mutex); }
inline Operation unlock(int mutex = 0) { return synchronise(OperationKind::kUnlock, mutex); }
inline Operation create(int thread) { return synchronise(OperationKind::kCreate, thread); }
inline Operation join(int thread) { return synchronise(OperationKind::kJoin, thread); }

inline Operation condition_wait(int mutex = 0) {
  Operation operation = synchronise(OperationKind::kConditionWait);
  operation.mutex = mutex;
  return operation;
}

// if (register == value) the next `skip` operations.
inline Operation branch(int source, uint64_t value, int skip, bool equal = true) {
  Operation operation;
  operation.kind = OperationKind::kBranch;
  operation.source = source;
  operation.expected = value;
  operation.skip = skip;
  operation.equal = equal;
  return operation;
}

inline Operation assert_not(int source, uint64_t value) {
  Operation operation;
  operation.kind = OperationKind::kAssert;
  operation.source = source;
  operation.expected = value;
  return operation;
}

// Main creates all others, and joins them; before the joins it does `own`.
inline Program with_main(std::vector<std::vector<Operation>> workers, std::vector<Operation> own = {}) {
  Program program;
  const int count = static_cast<int>(workers.size());
  std::vector<Operation> main;
  for (int thread = 1; thread <= count; ++thread) main.push_back(create(thread));
  main.insert(main.end(), own.begin(), own.end());
  for (int thread = 1; thread <= count; ++thread) main.push_back(join(thread));
  program.threads.push_back({std::move(main), 0});
  for (auto& operations : workers) program.threads.push_back({std::move(operations), 0});
  number_operations(program);
  return program;
}

}  // namespace heddle::oracle
