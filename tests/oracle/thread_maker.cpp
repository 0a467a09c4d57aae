// SPDX-License-Identifier: Apache-2.0
#include "oracle/thread_maker.h"

#include <algorithm>

#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

MemoryOrder draw_load_order(RandomNumbers& random) {
  return random.one_of({MemoryOrder::kRelaxed, MemoryOrder::kRelaxed, MemoryOrder::kConsume, MemoryOrder::kAcquire,
                        MemoryOrder::kAcquire, MemoryOrder::kSequential});
}

MemoryOrder draw_store_order(RandomNumbers& random) {
  return random.one_of({MemoryOrder::kRelaxed, MemoryOrder::kRelaxed, MemoryOrder::kRelaxed, MemoryOrder::kRelease,
                        MemoryOrder::kRelease, MemoryOrder::kSequential});
}

MemoryOrder draw_any_order(RandomNumbers& random) {
  return random.one_of({MemoryOrder::kRelaxed, MemoryOrder::kConsume, MemoryOrder::kAcquire, MemoryOrder::kRelease,
                        MemoryOrder::kAcquireRelease, MemoryOrder::kSequential});
}

// C11 wants the order of a failure to be no stronger than that of success, and no release.
MemoryOrder draw_failure_order(RandomNumbers& random, MemoryOrder success) {
  if (success == MemoryOrder::kSequential)
    return random.one_of({MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kSequential});
  if (success == MemoryOrder::kAcquire || success == MemoryOrder::kAcquireRelease)
    return random.one_of({MemoryOrder::kRelaxed, MemoryOrder::kAcquire});
  return MemoryOrder::kRelaxed;
}

}  // namespace

void ThreadMaker::block(int budget) {
  while (budget > 0) budget -= construct(budget);
}

void ThreadMaker::load_all() {
  for (int variable = 0; variable < features_.variables; ++variable)
    append(load(learned_++, variable * 8, MemoryOrder::kNotAtomic, 8));
}

int ThreadMaker::construct(int budget) {
  const auto when = [](bool possible, int weight) { return possible ? weight : 0; };
  const bool may_lock = budget >= 3 && free_mutex() >= 0;
  const bool may_use_pointers = features_.pointers && budget >= 2 && (!is_main_ || *features_.blocks < kMaximumBlocks);
  switch (random_.weighted(
      {40, when(features_.fences, 6), when(features_.mutexes && may_lock, 16),
       when(features_.reader_writer && budget >= 3 && !reader_writer_used_, 20), when(features_.semaphores, 16),
       when(features_.conditions && budget >= 3 && !held_[0], features_.pointers ? 40 : 14),
       when(features_.barrier && barriers_ < 2, 8), when(features_.branches && learned_, 14),
       when(features_.conditions, 4), when(budget >= 2 && features_.variables >= 2, 30), when(may_use_pointers, 50)})) {
    case 0: return access();
    case 1: return single(fence(draw_fence_order()));
    case 2: return critical_section(budget);
    case 3: return reader_writer_section(budget);
    case 4: return use_semaphore();
    case 5: return wait_section(budget);
    case 6: ++barriers_; return learning(synchronise(OperationKind::kBarrier, 0, target()));
    case 7: return conditional(budget);
    case 9: return crossing();
    case 10: return use_pointers(budget);
    default: return single(synchronise(random_.chance(70) ? OperationKind::kSignal : OperationKind::kBroadcast));
  }
}

int ThreadMaker::single(const Operation& operation) {
  append(operation);
  return 1;
}

int ThreadMaker::learning(const Operation& operation) {
  append(operation);
  learned_ = std::max(learned_, operation.target + 1);
  if (features_.assertions && !is_main_ && random_.chance(20))
    append(assert_not(operation.target, static_cast<uint64_t>(random_.below(3))));
  return 1;
}

int ThreadMaker::access() {
  const int kind = random_.weighted({45, 45, features_.updates ? 30 : 0});
  if (kind == 0) {
    const MemoryOrder order = atomic() ? draw_load_order(random_) : MemoryOrder::kNotAtomic;
    return learning(placed(load(target(), 0, order)));
  }
  if (kind == 1) {
    const MemoryOrder order = atomic() ? draw_store_order(random_) : MemoryOrder::kNotAtomic;
    return single(with_amount(placed(store(0, 0, order))));
  }
  Operation update = placed(add(target(), 0, 0, draw_any_order(random_)));
  update.kind = random_.one_of({OperationKind::kAdd, OperationKind::kExchange, OperationKind::kCompareExchange});
  if (update.kind == OperationKind::kCompareExchange) {
    update.failure_order = draw_failure_order(random_, update.order);
    update.expected = draw_value(update.size);
  }
  return learning(with_amount(update));
}

int ThreadMaker::crossing() {
  const int from = random_.below(features_.variables);
  const int to = (from + 1 + random_.below(features_.variables - 1)) % features_.variables;
  for (const int variable : {from, to}) {
    const bool reads = random_.chance(variable == from ? 30 : 60);
    const MemoryOrder order = atomic() && random_.chance(70) ? MemoryOrder::kRelaxed : MemoryOrder::kNotAtomic;
    if (reads)
      learning(load(target(), variable * 8, order, features_.sizes[variable]));
    else
      append(store(variable * 8, static_cast<uint64_t>(random_.between(1, 2)), order, features_.sizes[variable]));
  }
  return 2;
}

Operation ThreadMaker::placed(Operation operation) {
  // Going from one variable to another is what tells memory models apart.
  int variable = random_.below(features_.variables);
  if (variable == last_variable_ && random_.chance(60)) variable = random_.below(features_.variables);
  last_variable_ = variable;
  operation.offset = variable * 8;
  operation.size = features_.sizes[variable];
  if (features_.mixed_sizes && random_.chance(60)) {
    operation.size = random_.one_of({1, 2, 4, 8});
    operation.offset += operation.size * random_.below(std::min(8 / operation.size, 2));
  }
  return operation;
}

Operation ThreadMaker::with_amount(Operation operation) {
  if (learned_ && random_.chance(25)) {
    operation.source = random_.below(learned_);
    operation.value = static_cast<uint64_t>(random_.below(2));
  } else {
    operation.value = draw_value(operation.size);
  }
  return operation;
}

uint64_t ThreadMaker::draw_value(int size) {
  const auto value = static_cast<uint64_t>(random_.one_of({0, 1, 1, 1, 2}));
  if (!features_.mixed_sizes || size == 1 || random_.chance(50)) return value;
  return value | value << (size * 4);
}

MemoryOrder ThreadMaker::draw_fence_order() {
  return random_.chance(35) ? MemoryOrder::kSequential : draw_any_order(random_);
}

bool ThreadMaker::atomic() { return random_.chance(features_.atomic); }

int ThreadMaker::target() { return random_.below(std::min(learned_ + 1, 3)); }

int ThreadMaker::free_mutex() const { return held_[0] ? (held_[1] ? -1 : 1) : 0; }

int ThreadMaker::draw_free_mutex() {
  if (held_[0] || held_[1]) return free_mutex();
  return random_.chance(65) ? 0 : 1;
}

bool ThreadMaker::keeps_lock() { return random_.chance(features_.kept_locks); }

int ThreadMaker::critical_section(int budget) {
  const int mutex = draw_free_mutex();
  const int inside = random_.between(1, std::min(budget - 2, 3));
  if (random_.chance(30)) {
    // The try, and a branch that is taken when it succeeded.
    learning(synchronise(OperationKind::kTryLock, mutex, target()));
    const int result = last_target();
    return 1 + section(branch(result, 1, 0), mutex, inside);
  }
  append(lock(mutex));
  held_[mutex] = true;
  block(inside);
  return 1 + inside + release(mutex);
}

int ThreadMaker::release(int mutex) {
  if (keeps_lock()) return 0;  // held_ stays: this thread never asks for it again
  held_[mutex] = false;
  return single(unlock(mutex));
}

int ThreadMaker::last_target() const {
  const Operation& last = operations_.back();
  return last.kind == OperationKind::kAssert ? last.source : last.target;
}

int ThreadMaker::section(const Operation& start, int mutex, int inside) {
  const size_t begin = operations_.size();
  append(start);
  held_[mutex] = true;
  block(inside);
  const int used = inside + release(mutex);
  operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
  return used;
}

int ThreadMaker::reader_writer_section(int budget) {
  const bool write = random_.chance(50), attempt = random_.chance(30);
  const int inside = random_.between(1, std::min(budget - 2, 3));
  reader_writer_used_ = true;  // by this thread, at this place
  const auto kind = attempt ? (write ? OperationKind::kTryWriteLock : OperationKind::kTryReadLock)
                            : (write ? OperationKind::kWriteLock : OperationKind::kReadLock);
  size_t begin = 0;
  if (attempt) {
    learning(synchronise(kind, 0, target()));
    const int result = last_target();
    begin = operations_.size();
    append(branch(result, 1, 0));
  } else {
    append(synchronise(kind));
  }
  block(inside);
  int used = 1 + inside;
  if (!keeps_lock()) {
    used += single(synchronise(OperationKind::kReadWriteUnlock));
    reader_writer_used_ = false;
  }
  if (attempt) operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
  return used;
}

int ThreadMaker::use_semaphore() {
  const int semaphore = random_.chance(75) ? 0 : 1;
  switch (random_.weighted({40, 40, 20})) {
    case 0: return single(synchronise(OperationKind::kSemaphoreWait, semaphore));
    case 1: return single(synchronise(OperationKind::kSemaphorePost, semaphore));
    default: return learning(synchronise(OperationKind::kSemaphoreTryWait, semaphore, target()));
  }
}

int ThreadMaker::wait_section(int budget) {
  append(lock(0));
  held_[0] = true;
  int used = 1;
  if (random_.chance(50)) {
    if (budget >= 4 && random_.chance(60)) {
      used += learning(placed(load(target(), 0)));
      append(branch(last_target(), 0, 1));
    }
    used += single(condition_wait(0));
  } else {
    if (budget >= 4) used += single(with_amount(placed(store(0, 0))));
    used += single(synchronise(random_.chance(60) ? OperationKind::kSignal : OperationKind::kBroadcast));
  }
  return used + release(0);
}

int ThreadMaker::conditional(int budget) {
  const size_t begin = operations_.size();
  append(branch(random_.below(learned_), static_cast<uint64_t>(random_.below(2)), 0, random_.chance(60)));
  const int inside = random_.between(1, std::min(budget, 2));
  block(inside);
  operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
  return inside;
}

}  // namespace heddle::oracle
