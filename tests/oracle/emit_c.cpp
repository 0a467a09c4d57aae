// SPDX-License-Identifier: Apache-2.0
#include "oracle/emit_c.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::oracle {
namespace {

constexpr const char* kPrelude = R"(// Random concurrent programs; the first argument says which one runs.
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static _Alignas(64) unsigned char memory[{memory}];
static pthread_mutex_t mutexes[] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};
static pthread_rwlock_t rwlocks[] = {{PTHREAD_RWLOCK_INITIALIZER}};
static pthread_cond_t conditions[] = {{PTHREAD_COND_INITIALIZER}};
static sem_t semaphores[{semaphores}];
static pthread_barrier_t barriers[{barriers}];
static pthread_t handles[{threads}];
static uint64_t results[{threads}][{registers}];

#define PLAIN(type, place) (*(type *)(place))
#define ATOMIC(type, place) ((_Atomic(type) *)(place))
// Pointers carry the number of their block in the lowest four bits.
#define BLOCK(pointer) ((unsigned char *)((pointer) & ~(uint64_t)15))
#define ALLOCATE(number) ((uint64_t)malloc(16) | (number))
// Gives the old value, whether or not it was exchanged.
#define COMPARE_EXCHANGE(type, place, expected, value, success, failure)                                     \
  ({{                                                                                                        \
    type found = (expected);                                                                                 \
    atomic_compare_exchange_strong_explicit(ATOMIC(type, place), &found, (type)(value), (success), (failure)); \
    found;                                                                                                    \
  }})
)";

constexpr const char* kMain = R"(
int main(int count, char **arguments) {
  int number = 0;
  for (const char *digit = count > 1 ? arguments[1] : "0"; *digit; ++digit) number = number * 10 + (*digit - '0');
  switch (number) {
)";

const char* name_of(MemoryOrder order) {
  static constexpr const char* kNames[] = {"",
                                           "memory_order_relaxed",
                                           "memory_order_consume",
                                           "memory_order_acquire",
                                           "memory_order_release",
                                           "memory_order_acq_rel",
                                           "memory_order_seq_cst"};
  return kNames[static_cast<int>(order)];
}

std::string type_of(const Operation& operation) { return fmt::format("uint{}_t", operation.size * 8); }

std::string amount(const Operation& operation) {
  if (operation.source == kNoRegister) return fmt::format("({}){:#x}u", type_of(operation), operation.value);
  return fmt::format("({})(r{} + {:#x}u)", type_of(operation), operation.source, operation.value);
}

std::string access(const Operation& operation) {
  const std::string type = type_of(operation), order = name_of(operation.order);
  const bool plain = operation.order == MemoryOrder::kNotAtomic;
  const std::string place = operation.base == kNoRegister ? fmt::format("memory + {}", operation.offset)
                                                          : fmt::format("BLOCK(r{})", operation.base);
  switch (operation.kind) {
    case OperationKind::kLoad:
      if (plain) return fmt::format("PLAIN({}, {})", type, place);
      return fmt::format("atomic_load_explicit(ATOMIC({}, {}), {})", type, place, order);
    case OperationKind::kStore:
      if (plain) return fmt::format("PLAIN({}, {}) = {}", type, place, amount(operation));
      return fmt::format("atomic_store_explicit(ATOMIC({}, {}), {}, {})", type, place, amount(operation), order);
    case OperationKind::kAdd:
      return fmt::format("atomic_fetch_add_explicit(ATOMIC({}, {}), {}, {})", type, place, amount(operation), order);
    case OperationKind::kExchange:
      return fmt::format("atomic_exchange_explicit(ATOMIC({}, {}), {}, {})", type, place, amount(operation), order);
    default:
      return fmt::format("COMPARE_EXCHANGE({}, {}, ({})({}{:#x}u), {}, {}, {})", type, place, type,
                         operation.compared == kNoRegister ? "" : fmt::format("r{} + ", operation.compared),
                         operation.expected, amount(operation), order, name_of(operation.failure_order));
  }
}

std::string synchronisation(const Operation& operation, size_t program) {
  const int object = operation.object;
  switch (operation.kind) {
    case OperationKind::kLock: return fmt::format("pthread_mutex_lock(&mutexes[{}])", object);
    case OperationKind::kUnlock: return fmt::format("pthread_mutex_unlock(&mutexes[{}])", object);
    case OperationKind::kTryLock: return fmt::format("pthread_mutex_trylock(&mutexes[{}]) == 0", object);
    case OperationKind::kReadLock: return fmt::format("pthread_rwlock_rdlock(&rwlocks[{}])", object);
    case OperationKind::kWriteLock: return fmt::format("pthread_rwlock_wrlock(&rwlocks[{}])", object);
    case OperationKind::kReadWriteUnlock: return fmt::format("pthread_rwlock_unlock(&rwlocks[{}])", object);
    case OperationKind::kTryReadLock: return fmt::format("pthread_rwlock_tryrdlock(&rwlocks[{}]) == 0", object);
    case OperationKind::kTryWriteLock: return fmt::format("pthread_rwlock_trywrlock(&rwlocks[{}]) == 0", object);
    case OperationKind::kSemaphoreWait: return fmt::format("sem_wait(&semaphores[{}])", object);
    case OperationKind::kSemaphorePost: return fmt::format("sem_post(&semaphores[{}])", object);
    case OperationKind::kSemaphoreTryWait: return fmt::format("sem_trywait(&semaphores[{}]) == 0", object);
    case OperationKind::kConditionWait:
      return fmt::format("pthread_cond_wait(&conditions[{}], &mutexes[{}])", object, operation.mutex);
    case OperationKind::kSignal: return fmt::format("pthread_cond_signal(&conditions[{}])", object);
    case OperationKind::kBroadcast: return fmt::format("pthread_cond_broadcast(&conditions[{}])", object);
    case OperationKind::kBarrier:
      return fmt::format("pthread_barrier_wait(&barriers[{}]) == PTHREAD_BARRIER_SERIAL_THREAD", object);
    case OperationKind::kCreate:
      return fmt::format("pthread_create(&handles[{}], NULL, program{}_thread{}, NULL)", object, program,
                         operation.function ? operation.function : object);
    case OperationKind::kAllocate: return fmt::format("ALLOCATE({})", object);
    case OperationKind::kRelease: return fmt::format("free(BLOCK(r{}))", operation.source);
    default: return fmt::format("pthread_join(handles[{}], NULL)", object);
  }
}

std::string statement(const Operation& operation, size_t program) {
  if (operation.kind == OperationKind::kBranch)
    return fmt::format("if (r{} {} {:#x}u) {{", operation.source, operation.equal ? "==" : "!=", operation.expected);
  if (operation.kind == OperationKind::kAssert)
    return fmt::format("heddle_assert(r{} != {:#x}u);", operation.source, operation.expected);
  if (operation.kind == OperationKind::kFence) return fmt::format("atomic_thread_fence({});", name_of(operation.order));
  const std::string expression = is_access(operation.kind) ? access(operation) : synchronisation(operation, program);
  if (operation.target == kNoRegister) return expression + ";";
  return fmt::format("r{} = {};", operation.target, expression);
}

// The text, and the number of its next line.
class Source {
 public:
  void line(int depth, const std::string& text) {
    text_.append(static_cast<size_t>(depth) * 2, ' ').append(text).append("\n");
    ++next_;
  }
  void raw(const std::string& text) {
    text_ += text;
    next_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }
  int next() const { return next_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int next_ = 1;
};

void emit_body(Source& source, const Thread& thread, size_t program, std::vector<int>& lines) {
  for (int index = 0; index < thread.registers; ++index) source.line(1, fmt::format("uint64_t r{} = 0;", index));
  std::vector<size_t> ends;  // of the blocks that are open
  for (size_t place = 0; place < thread.operations.size(); ++place) {
    const Operation& operation = thread.operations[place];
    lines.push_back(source.next());
    source.line(static_cast<int>(ends.size()) + 1, statement(operation, program));
    if (operation.kind == OperationKind::kBranch) ends.push_back(place + static_cast<size_t>(operation.skip));
    while (!ends.empty() && ends.back() == place) {
      ends.pop_back();
      source.line(static_cast<int>(ends.size()) + 1, "}");
    }
  }
}

bool uses(const Program& program, OperationKind first, OperationKind last) {
  for (const Thread& thread : program.threads)
    for (const Operation& operation : thread.operations)
      if (operation.kind >= first && operation.kind <= last) return true;
  return false;
}

void emit_observations(Source& source, const Program& program) {
  const char* mask = program.has_pointers ? " & 15" : "";
  const size_t threads = program.has_twins ? 1 : program.threads.size();
  for (size_t thread = 0; thread < threads; ++thread)
    for (int index = 0; index < program.threads[thread].registers; ++index)
      source.line(1, thread ? fmt::format("heddle_observe(\"t{0}r{1}\", results[{0}][{1}]{2});", thread, index, mask)
                            : fmt::format("heddle_observe(\"t0r{0}\", r{0}{1});", index, mask));
}

std::vector<int> emit_program(Source& source, const Program& program, size_t number) {
  std::vector<int> lines;
  std::vector<std::vector<int>> worker_lines(program.threads.size());
  source.line(0, "");
  for (size_t thread = 1; thread < program.threads.size(); ++thread)
    if (!program.threads[thread].like)
      source.line(0, fmt::format("static void *program{}_thread{}(void *argument);", number, thread));
  for (size_t thread = 1; thread < program.threads.size(); ++thread) {
    if (const int like = program.threads[thread].like) {
      worker_lines[thread] = worker_lines[static_cast<size_t>(like)];
      continue;
    }
    source.line(0, fmt::format("static void *program{}_thread{}(void *argument) {{", number, thread));
    source.line(1, "(void)argument;");
    emit_body(source, program.threads[thread], number, worker_lines[thread]);
    for (int index = 0; index < program.threads[thread].registers && !program.has_twins; ++index)
      source.line(1, fmt::format("results[{0}][{1}] = r{1};", thread, index));
    source.line(1, "return NULL;");
    source.line(0, "}");
  }
  source.line(0, fmt::format("static void program{}(void) {{", number));
  if (uses(program, OperationKind::kSemaphoreWait, OperationKind::kSemaphoreTryWait))
    for (int index = 0; index < kSemaphores; ++index)
      source.line(1, fmt::format("sem_init(&semaphores[{}], 0, {});", index, program.semaphore_values[index]));
  if (uses(program, OperationKind::kBarrier, OperationKind::kBarrier))
    for (int index = 0; index < kBarriers; ++index)
      source.line(1,
                  fmt::format("pthread_barrier_init(&barriers[{}], NULL, {});", index, program.barrier_counts[index]));
  emit_body(source, program.threads[0], number, lines);
  emit_observations(source, program);
  source.line(0, "}");
  for (const auto& own : worker_lines) lines.insert(lines.end(), own.begin(), own.end());
  return lines;
}

}  // namespace

EmittedSet emit_c(const std::vector<Program>& programs) {
  EmittedSet set;
  Source source;
  source.raw(fmt::format(fmt::runtime(kPrelude), fmt::arg("memory", kMemoryBytes), fmt::arg("semaphores", kSemaphores),
                         fmt::arg("barriers", kBarriers), fmt::arg("threads", kMaximumThreads),
                         fmt::arg("registers", kMaximumRegisters)));
  for (size_t number = 0; number < programs.size(); ++number)
    set.lines.push_back(emit_program(source, programs[number], number));
  source.raw(kMain);
  for (size_t number = 0; number < programs.size(); ++number)
    source.raw(fmt::format("    case {0}:\n      program{0}();\n      return 0;\n", number));
  source.raw("  }\n  return 2;\n}\n");
  set.source = source.take();
  return set;
}

}  // namespace heddle::oracle
