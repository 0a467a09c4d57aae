// SPDX-License-Identifier: Apache-2.0
#include "oracle/trace_of_run.h"

#include <map>

#include "abi/event.h"

namespace heddle::oracle {
namespace {

constexpr uint64_t kMemory = 0x1000, kMutex = 0x2000, kLock = 0x3000, kSemaphore = 0x4000, kCondition = 0x5000,
                   kBarrier = 0x6000;

uint64_t object(uint64_t base, int number) { return base + 64 * static_cast<uint64_t>(number); }

class Converter {
 public:
  explicit Converter(const Program& program) : program_(program) {
    trace_.header.memory_model = "sc";
    trace_.header.strategy = "random";
    trace_.sites.emplace_back();
    for (const Thread& thread : program.threads)
      for (size_t i = 0; i < thread.operations.size(); ++i)
        trace_.sites.push_back({"program", static_cast<uint32_t>(trace_.sites.size()), 1, "", ""});
    trace_.threads.push_back({HEDDLE_NO_THREAD, 0});
    numbers_[0] = 0;
    for (int i = 0; i < kSemaphores; ++i)
      add(0, HEDDLE_SEM_INIT, object(kSemaphore, i)).value = static_cast<uint64_t>(program.semaphore_values[i]);
    for (int i = 0; i < kBarriers; ++i)
      add(0, HEDDLE_BARRIER_INIT, object(kBarrier, i)).value = static_cast<uint64_t>(program.barrier_counts[i]);
  }

  trace::Trace convert(const RandomRun& run) {
    for (const RunStep& step : run) {
      site_ = static_cast<uint32_t>(step.transition.operation->number + 1);
      is_access(step.transition.operation->kind) ? access(step) : synchronise(step);
      site_ = 0;
      end_if_done(step.transition.thread, step.after);
      if (step.transition.operation->kind == OperationKind::kCreate)
        end_if_done(step.transition.operation->object, step.after);
    }
    return std::move(trace_);
  }

 private:
  HeddleRecord& add(int thread, HeddleKind kind, uint64_t address = 0) {
    trace::Event event{};
    event.record.kind = static_cast<uint8_t>(kind);
    event.record.thread = numbers_.at(thread);
    event.record.index = next_[thread]++;
    event.record.site = site_;
    event.record.address = address;
    event.sequence = trace_.events.size();
    trace_.events.push_back(event);
    return trace_.events.back().record;
  }

  void end_if_done(int thread, const State& state) {
    const ThreadState& own = state.threads[static_cast<size_t>(thread)];
    const bool is_done =
        own.stage == Stage::kReady && own.place >= program_.threads[static_cast<size_t>(thread)].operations.size();
    if (thread != 0 && is_done) add(thread, HEDDLE_THREAD_END);
  }

  void access(const RunStep& step) {
    const Operation& operation = *step.transition.operation;
    const uint64_t old = read_bytes(step.before, operation.offset, operation.size);
    const uint64_t now = read_bytes(step.after, operation.offset, operation.size);
    const int thread = step.transition.thread;
    const uint64_t address = kMemory + static_cast<uint64_t>(operation.offset);
    const bool exchanges = operation.kind != OperationKind::kLoad && operation.kind != OperationKind::kStore;
    HeddleRecord& record = add(thread,
                               operation.kind == OperationKind::kLoad              ? HEDDLE_LOAD
                               : operation.kind == OperationKind::kStore           ? HEDDLE_STORE
                               : operation.kind == OperationKind::kCompareExchange ? HEDDLE_CAS
                                                                                   : HEDDLE_RMW,
                               address);
    record.size = static_cast<uint8_t>(operation.size);
    record.order = static_cast<uint8_t>(step.transition.success ? operation.order : operation.failure_order);
    record.value = operation.kind == OperationKind::kStore ? now : old;
    if (operation.kind == OperationKind::kStore) {
      record.flags = HEDDLE_FLAG_REPLACED;
      record.value2 = old;
    }
    if (exchanges) record.value2 = step.transition.success ? now : keep_low_bytes(operation.expected, operation.size);
    if (!step.transition.success) record.flags = HEDDLE_FLAG_FAILED;
  }

  void attempt(const RunStep& step, HeddleKind kind, uint64_t address) {
    HeddleRecord& record = add(step.transition.thread, kind, address);
    record.value = step.transition.success ? 1 : 0;
    if (!step.transition.success) record.flags = HEDDLE_FLAG_FAILED;
  }

  void use_semaphore(const RunStep& step, HeddleKind kind) {
    const int number = step.transition.operation->object;
    HeddleRecord& record = add(step.transition.thread, kind, object(kSemaphore, number));
    record.value = static_cast<uint64_t>(step.after.semaphore[static_cast<size_t>(number)]);
    if (!step.transition.success) record.flags = HEDDLE_FLAG_FAILED;
  }

  void synchronise(const RunStep& step) {
    const Operation& operation = *step.transition.operation;
    const int thread = step.transition.thread;
    const uint64_t mutex = object(kMutex, operation.object), lock = object(kLock, operation.object);
    switch (operation.kind) {
      case OperationKind::kFence: add(thread, HEDDLE_FENCE).order = static_cast<uint8_t>(operation.order); break;
      case OperationKind::kLock: add(thread, HEDDLE_MUTEX_LOCK, mutex).value = 1; break;
      case OperationKind::kUnlock: add(thread, HEDDLE_MUTEX_UNLOCK, mutex); break;
      case OperationKind::kTryLock: attempt(step, HEDDLE_MUTEX_TRYLOCK, mutex); break;
      case OperationKind::kReadLock: attempt(step, HEDDLE_RWLOCK_READ, lock); break;
      case OperationKind::kWriteLock: attempt(step, HEDDLE_RWLOCK_WRITE, lock); break;
      case OperationKind::kTryReadLock: attempt(step, HEDDLE_RWLOCK_TRYREAD, lock); break;
      case OperationKind::kTryWriteLock: attempt(step, HEDDLE_RWLOCK_TRYWRITE, lock); break;
      case OperationKind::kReadWriteUnlock: add(thread, HEDDLE_RWLOCK_UNLOCK, lock); break;
      case OperationKind::kSemaphoreWait: use_semaphore(step, HEDDLE_SEM_WAIT); break;
      case OperationKind::kSemaphorePost: use_semaphore(step, HEDDLE_SEM_POST); break;
      case OperationKind::kSemaphoreTryWait: use_semaphore(step, HEDDLE_SEM_TRYWAIT); break;
      case OperationKind::kConditionWait: {
        const bool resumes = step.transition.kind == Transition::Kind::kResume;
        add(thread, resumes ? HEDDLE_COND_RESUME : HEDDLE_COND_WAIT, object(kCondition, operation.object)).value =
            object(kMutex, operation.mutex);
        break;
      }
      case OperationKind::kSignal:
      case OperationKind::kBroadcast: wake(step); break;
      case OperationKind::kBarrier: use_barrier(step); break;
      default: use_thread(step); break;
    }
  }

  void wake(const RunStep& step) {
    const bool all = step.transition.operation->kind == OperationKind::kBroadcast;
    HeddleRecord& record = add(step.transition.thread, all ? HEDDLE_COND_BROADCAST : HEDDLE_COND_SIGNAL,
                               object(kCondition, step.transition.operation->object));
    for (const auto& [thread, number] : numbers_) {
      const auto place = static_cast<size_t>(thread);
      if (step.before.threads[place].stage != Stage::kQueued || step.after.threads[place].stage != Stage::kWoken)
        continue;
      record.value = all ? record.value + 1 : number + 1;
    }
  }

  void use_barrier(const RunStep& step) {
    const int thread = step.transition.thread;
    const uint64_t address = object(kBarrier, step.transition.operation->object);
    uint64_t& round = rounds_[{thread, address}];
    if (step.transition.kind == Transition::Kind::kLeave) {
      HeddleRecord& record = add(thread, HEDDLE_BARRIER_LEAVE, address);
      record.value = round - 1;
      if (step.transition.learned) record.flags = HEDDLE_FLAG_SERIAL;
    } else {
      add(thread, HEDDLE_BARRIER_ARRIVE, address).value = round++;
    }
  }

  void use_thread(const RunStep& step) {
    const int other = step.transition.operation->object;
    if (step.transition.operation->kind == OperationKind::kJoin) {
      add(step.transition.thread, HEDDLE_THREAD_JOIN).value = numbers_.at(other);
      return;
    }
    const uint32_t parent = numbers_.at(step.transition.thread);
    numbers_[other] = static_cast<uint32_t>(trace_.threads.size());
    trace_.threads.push_back({parent, children_[parent]++});
    add(step.transition.thread, HEDDLE_THREAD_CREATE).value = numbers_[other];
    site_ = 0;
    add(other, HEDDLE_THREAD_START).value = parent;
  }

  const Program& program_;
  trace::Trace trace_;
  std::map<int, uint32_t> numbers_;  // of threads, in the trace
  std::map<int, uint32_t> next_;     // index of a thread's next operation
  std::map<uint32_t, uint32_t> children_;
  std::map<std::pair<int, uint64_t>, uint64_t> rounds_;
  uint32_t site_ = 0;
};

}  // namespace

trace::Trace trace_of_run(const Program& program, const RandomRun& run) { return Converter(program).convert(run); }

}  // namespace heddle::oracle
