// SPDX-License-Identifier: Apache-2.0
#include "trace/kinds.h"

#include <array>
#include <string>

namespace heddle::trace {
namespace {

using enum Family;
using enum Meaning;

constexpr bool kYes = true;
constexpr bool kNo = false;

// kind, name, family, reads, writes, synchronises, address, size, order, value, value2
constexpr KindInfo kKinds[] = {
    {HEDDLE_LOAD, "load", kMemory, kYes, kNo, kNo, kYes, kYes, kYes, kNumber, kNumber},
    {HEDDLE_STORE, "store", kMemory, kNo, kYes, kNo, kYes, kYes, kYes, kNumber, kNumber},
    {HEDDLE_RMW, "rmw", kMemory, kYes, kYes, kNo, kYes, kYes, kYes, kNumber, kNumber},
    {HEDDLE_CAS, "cas", kMemory, kYes, kYes, kNo, kYes, kYes, kYes, kNumber, kNumber},
    {HEDDLE_FENCE, "fence", kMemory, kNo, kNo, kYes, kNo, kNo, kYes, kNone, kNone},
    {HEDDLE_ALLOC, "alloc", kHeap, kNo, kNo, kNo, kYes, kNo, kNo, kNumber, kNumber},
    {HEDDLE_FREE, "free", kHeap, kNo, kNo, kNo, kYes, kNo, kNo, kNone, kNumber},
    {HEDDLE_THREAD_CREATE, "thread_create", kThread, kNo, kNo, kYes, kNo, kNo, kNo, kThreadNumber, kNumber},
    {HEDDLE_THREAD_START, "thread_start", kThread, kNo, kNo, kYes, kNo, kNo, kNo, kThreadNumber, kNone},
    {HEDDLE_THREAD_END, "thread_end", kThread, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_THREAD_JOIN, "thread_join", kThread, kNo, kNo, kYes, kNo, kNo, kNo, kThreadNumber, kNone},
    {HEDDLE_THREAD_DETACH, "thread_detach", kThread, kNo, kNo, kYes, kNo, kNo, kNo, kThreadNumber, kNone},
    {HEDDLE_THREAD_CANCEL, "thread_cancel", kThread, kNo, kNo, kYes, kNo, kNo, kNo, kThreadNumber, kNone},
    {HEDDLE_MUTEX_INIT, "mutex_init", kMutex, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_MUTEX_DESTROY, "mutex_destroy", kMutex, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_MUTEX_LOCK, "mutex_lock", kMutex, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_MUTEX_TRYLOCK, "mutex_trylock", kMutex, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_MUTEX_TIMEDLOCK, "mutex_timedlock", kMutex, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_MUTEX_UNLOCK, "mutex_unlock", kMutex, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_INIT, "rwlock_init", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_DESTROY, "rwlock_destroy", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_READ, "rwlock_read", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_TRYREAD, "rwlock_tryread", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_TIMEDREAD, "rwlock_timedread", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_WRITE, "rwlock_write", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_TRYWRITE, "rwlock_trywrite", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_TIMEDWRITE, "rwlock_timedwrite", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_RWLOCK_UNLOCK, "rwlock_unlock", kRwlock, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_COND_INIT, "cond_init", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kNone, kNone},
    {HEDDLE_COND_DESTROY, "cond_destroy", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kNone, kNone},
    {HEDDLE_COND_WAIT, "cond_wait", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kAddress, kNone},
    {HEDDLE_COND_RESUME, "cond_resume", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kAddress, kNone},
    {HEDDLE_COND_SIGNAL, "cond_signal", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kThreadPlusOne, kNone},
    {HEDDLE_COND_BROADCAST, "cond_broadcast", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_COND_LEAVE, "cond_leave", kCondition, kNo, kNo, kYes, kYes, kNo, kNo, kNone, kNone},
    {HEDDLE_BARRIER_INIT, "barrier_init", kBarrier, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_BARRIER_DESTROY, "barrier_destroy", kBarrier, kNo, kNo, kYes, kYes, kNo, kNo, kNone, kNone},
    {HEDDLE_BARRIER_ARRIVE, "barrier_arrive", kBarrier, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNumber},
    {HEDDLE_BARRIER_LEAVE, "barrier_leave", kBarrier, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_INIT, "sem_init", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_DESTROY, "sem_destroy", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_WAIT, "sem_wait", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_TRYWAIT, "sem_trywait", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_TIMEDWAIT, "sem_timedwait", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_POST, "sem_post", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_SEM_GETVALUE, "sem_getvalue", kSemaphore, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_ONCE_ENTER, "once_enter", kOnce, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_ONCE_DONE, "once_done", kOnce, kNo, kNo, kYes, kYes, kNo, kNo, kNone, kNone},
    {HEDDLE_AWAIT, "await", kAwait, kYes, kNo, kYes, kYes, kYes, kNo, kNumber, kNumber},
    {HEDDLE_AWAIT_RESUME, "await_resume", kAwait, kNo, kNo, kYes, kYes, kNo, kNo, kNone, kNone},
    {HEDDLE_NOTIFY, "notify", kAwait, kNo, kNo, kYes, kYes, kNo, kNo, kNumber, kNumber},
    {HEDDLE_YIELD, "yield", kTime, kNo, kNo, kNo, kNo, kNo, kNo, kNone, kNone},
    {HEDDLE_SLEEP, "sleep", kTime, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_CLOCK, "clock", kTime, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_SIGNAL_SEND, "signal_send", kTime, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kThreadPlusOne},
    {HEDDLE_SIGNAL_WAIT, "signal_wait", kTime, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_NONDET, "nondet", kProgram, kNo, kNo, kNo, kYes, kNo, kNo, kNumber, kNumber},
    {HEDDLE_OBSERVE, "observe", kProgram, kNo, kNo, kNo, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_ASSUME, "assume", kProgram, kNo, kNo, kNo, kNo, kNo, kNo, kNone, kNone},
    {HEDDLE_ATOMIC_BEGIN, "atomic_begin", kProgram, kNo, kNo, kYes, kNo, kNo, kNo, kNone, kNone},
    {HEDDLE_ATOMIC_END, "atomic_end", kProgram, kNo, kNo, kYes, kNo, kNo, kNo, kNone, kNone},
    {HEDDLE_EXTERN_CALL, "extern_call", kExtern, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_EXTERN_WRITE, "extern_write", kExtern, kNo, kYes, kNo, kYes, kYes, kNo, kNumber, kNone},
    {HEDDLE_EXIT, "exit", kEnd, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_FAIL, "fail", kEnd, kNo, kNo, kNo, kYes, kNo, kNo, kNumber, kNumber},
    {HEDDLE_DESCRIPTOR_READ, "descriptor_read", kExtern, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNumber},
    {HEDDLE_DESCRIPTOR_WRITE, "descriptor_write", kExtern, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNumber},
    {HEDDLE_DESCRIPTOR_POLL, "descriptor_poll", kExtern, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNumber},
    {HEDDLE_DESCRIPTOR_ACCEPT, "descriptor_accept", kExtern, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNumber},
    {HEDDLE_DESCRIPTOR_CONNECT, "descriptor_connect", kExtern, kNo, kNo, kYes, kNo, kNo, kNo, kNumber, kNumber},
    {HEDDLE_STACK_OBJECT, "stack_object", kRecord, kNo, kNo, kNo, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_FUNCTION_ENTER, "function_enter", kRecord, kNo, kNo, kNo, kNo, kNo, kNo, kAddress, kNone},
    {HEDDLE_FUNCTION_EXIT, "function_exit", kRecord, kNo, kNo, kNo, kNo, kNo, kNo, kAddress, kNone},
    {HEDDLE_BRANCH, "branch", kRecord, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_LOCAL_VALUE, "local_value", kRecord, kNo, kNo, kNo, kNo, kYes, kNo, kNumber, kNone},
    {HEDDLE_WIDE, "wide", kRecord, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNumber},
    {HEDDLE_TEXT, "text", kRecord, kNo, kNo, kNo, kNo, kYes, kNo, kNone, kNone},
    {HEDDLE_UNTRACKED, "untracked", kRecord, kNo, kYes, kNo, kYes, kYes, kNo, kNumber, kNone},
    {HEDDLE_STACK_OBJECT_END, "stack_object_end", kRecord, kNo, kNo, kNo, kYes, kNo, kNo, kNumber, kNone},
    {HEDDLE_WAITING, "waiting", kRecord, kNo, kNo, kNo, kYes, kNo, kNo, kThreadPlusOne, kNumber},
    {HEDDLE_FLUSH, "flush", kRecord, kNo, kNo, kNo, kYes, kYes, kNo, kNumber, kNumber},
    {HEDDLE_REPEATS, "repeats", kRecord, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNone},
    {HEDDLE_STATE, "state", kRecord, kNo, kNo, kNo, kNo, kNo, kNo, kNumber, kNumber},
};

// Where each number stands in kKinds, plus one.
constexpr std::array<uint8_t, 256> make_places() {
  std::array<uint8_t, 256> places{};
  for (uint8_t i = 0; i < std::size(kKinds); ++i) places[kKinds[i].kind] = static_cast<uint8_t>(i + 1);
  return places;
}
constexpr std::array<uint8_t, 256> kPlaces = make_places();

constexpr const char* kOrders[] = {"not_atomic", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
constexpr const char* kFlags[] = {"failed", "timeout", "spurious", "timed", "serial", "volatile", "model", "cancelled"};
static_assert(std::size(kFlags) == 8, "every bit has a name, so that texts lose none");
constexpr const char* kOutcomes[] = {"exit",  "failure",  "deadlock",    "livelock", "blocked",
                                     "bound", "diverged", "unsupported", "killed",   "hang"};
constexpr const char* kFailures[] = {nullptr,          "assertion",   "abort",    "signal", "exception",    "null",
                                     "use_after_free", "double_free", "bad_free", "misuse", "out_of_bounds"};

template <size_t N>
std::optional<uint8_t> place_of(const char* const (&names)[N], std::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] && name == names[i]) return static_cast<uint8_t>(i);
  }
  return std::nullopt;
}

}  // namespace

std::span<const KindInfo> all_kinds() { return kKinds; }

const KindInfo* find_kind(uint8_t kind) { return kPlaces[kind] ? &kKinds[kPlaces[kind] - 1] : nullptr; }

const KindInfo* find_kind(std::string_view name) {
  for (const KindInfo& info : kKinds) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

std::string kind_name(uint8_t kind) {
  const KindInfo* info = find_kind(kind);
  return info ? info->name : "kind " + std::to_string(kind);
}

const char* order_name(uint8_t order) { return order < std::size(kOrders) ? kOrders[order] : nullptr; }

std::optional<HeddleOrder> find_order(std::string_view name) {
  const auto place = place_of(kOrders, name);
  return place ? std::optional(static_cast<HeddleOrder>(*place)) : std::nullopt;
}

const char* flag_name(uint8_t bit) { return bit < std::size(kFlags) ? kFlags[bit] : nullptr; }

std::optional<uint8_t> find_flag(std::string_view name) {
  const auto place = place_of(kFlags, name);
  return place ? std::optional(static_cast<uint8_t>(1u << *place)) : std::nullopt;
}

const char* outcome_name(uint64_t outcome) { return outcome < std::size(kOutcomes) ? kOutcomes[outcome] : nullptr; }

std::optional<HeddleOutcome> find_outcome(std::string_view name) {
  const auto place = place_of(kOutcomes, name);
  return place ? std::optional(static_cast<HeddleOutcome>(*place)) : std::nullopt;
}

const char* failure_name(uint64_t failure) { return failure < std::size(kFailures) ? kFailures[failure] : nullptr; }

bool succeeded(const HeddleRecord& record) {
  return !(record.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED));
}

bool wrote_memory(const HeddleRecord& record) {
  const KindInfo* info = find_kind(record.kind);
  return info && info->writes && !(record.kind == HEDDLE_CAS && (record.flags & HEDDLE_FLAG_FAILED));
}

bool read_memory(const HeddleRecord& record) {
  const KindInfo* info = find_kind(record.kind);
  return info && info->reads;
}

}  // namespace heddle::trace
