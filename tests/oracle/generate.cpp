// SPDX-License-Identifier: Apache-2.0
//
// A thread is made as a block: a sequence of operations and of constructs that
// contain blocks. What a thread holds is known at every place, so no rule can
// be broken.
#include "oracle/generate.h"

#include <algorithm>

#include "oracle/operations.h"
#include "oracle/random_numbers.h"

namespace heddle::oracle {
namespace {

// What the whole program has, drawn once.
struct Features {
  int variables;
  bool mixed_sizes;  // else each variable has one size
  int sizes[3];
  int atomic;  // percent of accesses
  bool updates, fences, mutexes, reader_writer, semaphores, conditions, barrier, branches, assertions, nested_threads;
  int kept_locks;    // percent of locks that are not released
  bool final_loads;  // main reads all variables after the joins
};

Features draw_features(RandomNumbers& random) {
  Features features = {};
  features.variables = random.one_of({1, 2, 2, 2, 3});
  features.mixed_sizes = random.chance(25);
  for (int& size : features.sizes) size = random.one_of({1, 2, 4, 4, 4, 8});
  features.atomic = random.one_of({0, 50, 80, 100});
  features.updates = random.chance(40);
  features.fences = random.chance(30);
  features.mutexes = random.chance(40);
  features.reader_writer = random.chance(15);
  features.semaphores = random.chance(20);
  features.conditions = random.chance(20);
  features.barrier = random.chance(15);
  features.branches = random.chance(50);
  features.assertions = random.chance(40);
  features.nested_threads = random.chance(20);
  features.kept_locks = random.chance(20) ? 25 : 0;
  features.final_loads = random.chance(40);
  // Synchronisation drains store buffers: many programs do without, so that these show.
  if (random.chance(40))
    features.updates = features.mutexes = features.reader_writer = features.semaphores = features.conditions =
        features.barrier = false;
  return features;
}

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

class ThreadMaker {
 public:
  ThreadMaker(RandomNumbers& random, const Features& features, bool is_main)
      : random_(random), features_(features), is_main_(is_main) {}

  void block(int budget) {
    while (budget > 0) budget -= construct(budget);
  }
  void append(const Operation& operation) { operations_.push_back(operation); }
  std::vector<Operation> take() { return std::move(operations_); }

  // Reads the whole of each variable, into registers of its own.
  void load_all() {
    for (int variable = 0; variable < features_.variables; ++variable)
      append(load(learned_++, variable * 8, MemoryOrder::kNotAtomic, 8));
  }

 private:
  // Appends one operation or construct of at most `budget` operations; how many it took.
  int construct(int budget) {
    const auto when = [](bool possible, int weight) { return possible ? weight : 0; };
    const bool may_lock = budget >= 3 && free_mutex() >= 0;
    switch (random_.weighted(
        {40, when(features_.fences, 6), when(features_.mutexes && may_lock, 16),
         when(features_.reader_writer && budget >= 3 && !reader_writer_used_, 20), when(features_.semaphores, 16),
         when(features_.conditions && budget >= 3 && !held_[0], 14), when(features_.barrier && barriers_ < 2, 8),
         when(features_.branches && learned_ && budget >= 1, 14), when(features_.conditions, 4)})) {
      case 0:
        return access();
      case 1:
        return single(fence(draw_fence_order()));
      case 2:
        return critical_section(budget);
      case 3:
        return reader_writer_section(budget);
      case 4:
        return use_semaphore();
      case 5:
        return wait_section(budget);
      case 6:
        ++barriers_;
        return learning(synchronise(OperationKind::kBarrier, 0, target()));
      case 7:
        return conditional(budget);
      default:
        return single(synchronise(random_.chance(70) ? OperationKind::kSignal : OperationKind::kBroadcast));
    }
  }

  int single(const Operation& operation) {
    append(operation);
    return 1;
  }

  int learning(const Operation& operation) {
    append(operation);
    learned_ = std::max(learned_, operation.target + 1);
    // Main's assertions could end the run last of all threads; then it would count as complete.
    if (features_.assertions && !is_main_ && random_.chance(20))
      append(assert_not(operation.target, static_cast<uint64_t>(random_.below(3))));
    return 1;
  }

  int access() {
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

  Operation placed(Operation operation) {
    const int variable = random_.below(features_.variables);
    operation.offset = variable * 8;
    operation.size = features_.sizes[variable];
    if (features_.mixed_sizes && random_.chance(60)) {
      operation.size = random_.one_of({1, 2, 4, 8});
      operation.offset += operation.size * random_.below(std::min(8 / operation.size, 2));
    }
    return operation;
  }

  Operation with_amount(Operation operation) {
    if (learned_ && random_.chance(25)) {
      operation.source = random_.below(learned_);
      operation.value = static_cast<uint64_t>(random_.below(2));
    } else {
      operation.value = draw_value(operation.size);
    }
    return operation;
  }

  // Mostly 1; where parts of it are accessed, also something in the upper parts.
  uint64_t draw_value(int size) {
    const auto value = static_cast<uint64_t>(random_.one_of({0, 1, 1, 1, 2}));
    if (!features_.mixed_sizes || size == 1 || random_.chance(50)) return value;
    return value | value << (size * 4);
  }

  MemoryOrder draw_fence_order() { return random_.chance(35) ? MemoryOrder::kSequential : draw_any_order(random_); }
  bool atomic() { return random_.chance(features_.atomic); }
  int target() { return random_.below(std::min(learned_ + 1, 3)); }

  int free_mutex() const { return held_[0] ? (held_[1] ? -1 : 1) : 0; }

  int draw_free_mutex() {
    if (held_[0] || held_[1]) return free_mutex();
    return random_.chance(65) ? 0 : 1;
  }

  bool keeps_lock() { return random_.chance(features_.kept_locks); }

  int critical_section(int budget) {
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

  int release(int mutex) {
    if (keeps_lock()) return 0;  // held_ stays: this thread never asks for it again
    held_[mutex] = false;
    return single(unlock(mutex));
  }

  int last_target() const {
    const Operation& last = operations_.back();
    return last.kind == OperationKind::kAssert ? last.source : last.target;
  }

  // `start` and a block that holds `mutex`, which is released in it.
  int section(const Operation& start, int mutex, int inside) {
    const size_t begin = operations_.size();
    append(start);
    held_[mutex] = true;
    block(inside);
    const int used = inside + release(mutex);
    operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
    return used;
  }

  int reader_writer_section(int budget) {
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

  int use_semaphore() {
    const int semaphore = random_.chance(75) ? 0 : 1;
    switch (random_.weighted({40, 40, 20})) {
      case 0:
        return single(synchronise(OperationKind::kSemaphoreWait, semaphore));
      case 1:
        return single(synchronise(OperationKind::kSemaphorePost, semaphore));
      default:
        return learning(synchronise(OperationKind::kSemaphoreTryWait, semaphore, target()));
    }
  }

  // Waiting with the mutex held, perhaps only if a flag is not set; or setting it and signalling.
  // All waiters use mutex 0: waiting on one condition with two mutexes is undefined.
  int wait_section(int budget) {
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

  int conditional(int budget) {
    const size_t begin = operations_.size();
    append(branch(random_.below(learned_), static_cast<uint64_t>(random_.below(2)), 0, random_.chance(60)));
    const int inside = random_.between(1, std::min(budget, 2));
    block(inside);
    operations_[begin].skip = static_cast<int>(operations_.size() - begin - 1);
    return inside;
  }

  RandomNumbers& random_;
  const Features& features_;
  bool is_main_;
  std::vector<Operation> operations_;
  int learned_ = 0;  // registers that may have been written, from 0
  bool held_[kMutexes] = {};
  bool reader_writer_used_ = false;
  int barriers_ = 0;
};

int barrier_users(const Program& program) {
  int users = 0;
  for (const Thread& thread : program.threads)
    users += std::any_of(thread.operations.begin(), thread.operations.end(),
                         [](const Operation& operation) { return operation.kind == OperationKind::kBarrier; });
  return users;
}

}  // namespace

Program generate(uint64_t seed, const Size& size) {
  RandomNumbers random(seed);
  const Features features = draw_features(random);
  const int workers = std::min(random.between(2, size.threads), random.between(2, size.threads));
  const int most = size.operations - (features.final_loads ? features.variables : 0);
  const int least = std::min(workers, most);
  int budget = std::max(random.between(least, most), random.between(least, most));
  budget = std::min(budget, workers * size.per_thread);

  // How many operations each thread gets; main only sometimes has any.
  std::vector<int> share(static_cast<size_t>(workers) + 1, 0);
  const int first = random.chance(25) ? 0 : 1;
  for (int next = 1; budget > 0; ++next) {
    const auto thread = static_cast<size_t>(next <= workers ? next : random.between(first, workers));
    if (share[thread] == size.per_thread) continue;
    ++share[thread];
    --budget;
  }

  // Who creates whom: main, or an earlier worker.
  std::vector<size_t> creator(share.size(), 0);
  for (size_t worker = 2; worker < share.size(); ++worker)
    if (features.nested_threads && random.chance(50))
      creator[worker] = 1 + static_cast<size_t>(random.below(static_cast<int>(worker) - 1));

  Program program;
  for (size_t thread = 0; thread < share.size(); ++thread) {
    ThreadMaker maker(random, features, thread == 0);
    int left = share[thread];
    for (size_t child = thread + 1; child < share.size(); ++child) {
      if (creator[child] != thread) continue;
      const int before = random.below(left + 1);
      maker.block(before);
      left -= before;
      maker.append(create(static_cast<int>(child)));
    }
    maker.block(left);
    if (thread == 0) {
      for (size_t child = 1; child < share.size(); ++child) maker.append(join(static_cast<int>(child)));
      if (features.final_loads) maker.load_all();
    }
    program.threads.push_back({maker.take(), 0});
  }
  for (int& value : program.semaphore_values) value = random.below(2);
  const int users = barrier_users(program);
  for (int& count : program.barrier_counts) count = users ? users + random.chance(10) : 0;
  number_operations(program);
  return program;
}

}  // namespace heddle::oracle
