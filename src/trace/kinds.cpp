// SPDX-License-Identifier: Apache-2.0
#include "trace/kinds.h"

#include <array>
#include <string>

#include "abi/semantics.h"

namespace heddle::trace {
namespace {

using enum Meaning;

// What a kind has beyond what its family says.
enum Properties : uint8_t {
  kReads = 1,
  kWrites = 2,
  kSynchronises = 4,  // every operation on threads and objects of synchronisation does
  kAddressed = 8,     // every operation on objects of synchronisation is
  kSized = 16,
  kOrdered = 32,
  kAccess = kAddressed | kSized,
};

struct Row {
  HeddleKind kind;
  const char* name;
  Meaning value;
  Meaning value2 = kNone;
  int properties = 0;
};

constexpr Row kRows[] = {
    {HEDDLE_LOAD, "load", kNumber, kNumber, kReads | kAccess | kOrdered},
    {HEDDLE_STORE, "store", kNumber, kNumber, kWrites | kAccess | kOrdered},
    {HEDDLE_RMW, "rmw", kNumber, kNumber, kReads | kWrites | kAccess | kOrdered},
    {HEDDLE_CAS, "cas", kNumber, kNumber, kReads | kWrites | kAccess | kOrdered},
    {HEDDLE_FENCE, "fence", kNone, kNone, kSynchronises | kOrdered},
    {HEDDLE_ALLOC, "alloc", kNumber, kNumber, kAddressed},
    {HEDDLE_FREE, "free", kNone, kNumber, kAddressed},
    {HEDDLE_THREAD_CREATE, "thread_create", kThreadNumber, kNumber},
    {HEDDLE_THREAD_START, "thread_start", kThreadNumber},
    {HEDDLE_THREAD_END, "thread_end", kNumber},
    {HEDDLE_THREAD_JOIN, "thread_join", kThreadNumber},
    {HEDDLE_THREAD_DETACH, "thread_detach", kThreadNumber},
    {HEDDLE_THREAD_CANCEL, "thread_cancel", kThreadNumber},
    {HEDDLE_MUTEX_INIT, "mutex_init", kNumber},
    {HEDDLE_MUTEX_DESTROY, "mutex_destroy", kNumber},
    {HEDDLE_MUTEX_LOCK, "mutex_lock", kNumber},
    {HEDDLE_MUTEX_TRYLOCK, "mutex_trylock", kNumber},
    {HEDDLE_MUTEX_TIMEDLOCK, "mutex_timedlock", kNumber},
    {HEDDLE_MUTEX_UNLOCK, "mutex_unlock", kNumber},
    {HEDDLE_RWLOCK_INIT, "rwlock_init", kNumber},
    {HEDDLE_RWLOCK_DESTROY, "rwlock_destroy", kNumber},
    {HEDDLE_RWLOCK_READ, "rwlock_read", kNumber},
    {HEDDLE_RWLOCK_TRYREAD, "rwlock_tryread", kNumber},
    {HEDDLE_RWLOCK_TIMEDREAD, "rwlock_timedread", kNumber},
    {HEDDLE_RWLOCK_WRITE, "rwlock_write", kNumber},
    {HEDDLE_RWLOCK_TRYWRITE, "rwlock_trywrite", kNumber},
    {HEDDLE_RWLOCK_TIMEDWRITE, "rwlock_timedwrite", kNumber},
    {HEDDLE_RWLOCK_UNLOCK, "rwlock_unlock", kNumber},
    {HEDDLE_RWLOCK_LINE_UP, "rwlock_line_up", kNone},
    {HEDDLE_COND_INIT, "cond_init", kNone},
    {HEDDLE_COND_DESTROY, "cond_destroy", kNone},
    {HEDDLE_COND_WAIT, "cond_wait", kAddress},
    {HEDDLE_COND_RESUME, "cond_resume", kAddress},
    {HEDDLE_COND_SIGNAL, "cond_signal", kThreadPlusOne},
    {HEDDLE_COND_BROADCAST, "cond_broadcast", kNumber},
    {HEDDLE_COND_LEAVE, "cond_leave", kNone},
    {HEDDLE_BARRIER_INIT, "barrier_init", kNumber},
    {HEDDLE_BARRIER_DESTROY, "barrier_destroy", kNone},
    {HEDDLE_BARRIER_ARRIVE, "barrier_arrive", kNumber, kNumber},
    {HEDDLE_BARRIER_LEAVE, "barrier_leave", kNumber},
    {HEDDLE_SEM_INIT, "sem_init", kNumber},
    {HEDDLE_SEM_DESTROY, "sem_destroy", kNumber},
    {HEDDLE_SEM_WAIT, "sem_wait", kNumber},
    {HEDDLE_SEM_TRYWAIT, "sem_trywait", kNumber},
    {HEDDLE_SEM_TIMEDWAIT, "sem_timedwait", kNumber},
    {HEDDLE_SEM_POST, "sem_post", kNumber},
    {HEDDLE_SEM_GETVALUE, "sem_getvalue", kNumber},
    {HEDDLE_ONCE_ENTER, "once_enter", kNumber},
    {HEDDLE_ONCE_DONE, "once_done", kNone},
    {HEDDLE_ONCE_INIT, "once_init", kNone},
    {HEDDLE_AWAIT, "await", kNumber, kNumber, kReads | kSized},
    {HEDDLE_AWAIT_RESUME, "await_resume", kNone},
    {HEDDLE_NOTIFY, "notify", kNumber, kNumber},
    {HEDDLE_YIELD, "yield", kNone},
    {HEDDLE_SLEEP, "sleep", kNumber},
    {HEDDLE_CLOCK, "clock", kNumber},
    {HEDDLE_SIGNAL_SEND, "signal_send", kNumber, kThreadPlusOne, kSynchronises},
    {HEDDLE_SIGNAL_WAIT, "signal_wait", kNumber, kNone, kSynchronises},
    {HEDDLE_NONDET, "nondet", kNumber, kNumber, kAddressed},
    {HEDDLE_OBSERVE, "observe", kNumber, kNone, kAddressed},
    {HEDDLE_ASSUME, "assume", kNone},
    {HEDDLE_ATOMIC_BEGIN, "atomic_begin", kNone, kNone, kSynchronises},
    {HEDDLE_ATOMIC_END, "atomic_end", kNone, kNone, kSynchronises},
    {HEDDLE_EXTERN_CALL, "extern_call", kNumber},
    {HEDDLE_EXTERN_WRITE, "extern_write", kNumber, kNone, kWrites | kAccess},
    {HEDDLE_EXIT, "exit", kNumber, kNone, kSynchronises},
    {HEDDLE_FAIL, "fail", kNumber, kNumber, kAddressed},
    {HEDDLE_DESCRIPTOR_READ, "descriptor_read", kNumber, kNumber, kSynchronises},
    {HEDDLE_DESCRIPTOR_WRITE, "descriptor_write", kNumber, kNumber, kSynchronises},
    {HEDDLE_DESCRIPTOR_POLL, "descriptor_poll", kNumber, kNumber, kSynchronises},
    {HEDDLE_DESCRIPTOR_ACCEPT, "descriptor_accept", kNumber, kNumber, kSynchronises},
    {HEDDLE_DESCRIPTOR_CONNECT, "descriptor_connect", kNumber, kNumber, kSynchronises},
    {HEDDLE_STACK_OBJECT, "stack_object", kNumber, kNone, kAddressed},
    {HEDDLE_FUNCTION_ENTER, "function_enter", kAddress},
    {HEDDLE_FUNCTION_EXIT, "function_exit", kAddress},
    {HEDDLE_BRANCH, "branch", kNumber},
    {HEDDLE_LOCAL_VALUE, "local_value", kNumber, kNone, kSized},
    {HEDDLE_WIDE, "wide", kNumber, kNumber},
    {HEDDLE_TEXT, "text", kNone, kNone, kSized},
    {HEDDLE_UNTRACKED, "untracked", kNumber, kNone, kWrites | kAccess},
    {HEDDLE_STACK_OBJECT_END, "stack_object_end", kNumber, kNone, kAddressed},
    {HEDDLE_WAITING, "waiting", kThreadPlusOne, kNumber, kAddressed},
    {HEDDLE_FLUSH, "flush", kNumber, kNumber, kAccess},
    {HEDDLE_REPEATS, "repeats", kNumber},
    {HEDDLE_STATE, "state", kNumber, kNumber},
    {HEDDLE_GAP_SEEN, "gap", kNumber},
};

constexpr Family to_family(HeddleFamily family) {
  switch (family) {
    case HEDDLE_FAMILY_NONE: return Family::kRecord;
    case HEDDLE_FAMILY_MEMORY: return Family::kMemory;
    case HEDDLE_FAMILY_HEAP: return Family::kHeap;
    case HEDDLE_FAMILY_THREAD: return Family::kThread;
    case HEDDLE_FAMILY_MUTEX: return Family::kMutex;
    case HEDDLE_FAMILY_RWLOCK: return Family::kRwlock;
    case HEDDLE_FAMILY_CONDITION: return Family::kCondition;
    case HEDDLE_FAMILY_BARRIER: return Family::kBarrier;
    case HEDDLE_FAMILY_SEMAPHORE: return Family::kSemaphore;
    case HEDDLE_FAMILY_ONCE: return Family::kOnce;
    case HEDDLE_FAMILY_WORD: return Family::kAwait;
    case HEDDLE_FAMILY_TIME:
    case HEDDLE_FAMILY_SIGNAL: return Family::kTime;
    case HEDDLE_FAMILY_PROGRAM: return Family::kProgram;
    case HEDDLE_FAMILY_EXTERN:
    case HEDDLE_FAMILY_DESCRIPTOR: return Family::kExtern;
    case HEDDLE_FAMILY_END: return Family::kEnd;
  }
  return Family::kRecord;
}

// The family in abi/semantics.h; heddle_meaning() is C and not constexpr.
constexpr HeddleFamily family_of(HeddleKind kind) {
#define FAMILY_CASE(KIND, FAMILY, EFFECT, FORM, LEARNS) \
  case HEDDLE_##KIND: return HEDDLE_FAMILY_##FAMILY;
  switch (kind) {
    HEDDLE_MEANINGS(FAMILY_CASE)
    default: return HEDDLE_FAMILY_NONE;
  }
#undef FAMILY_CASE
}

constexpr KindInfo make_info(const Row& row) {
  const HeddleFamily family = family_of(row.kind);
  const bool uses_object = family >= HEDDLE_FAMILY_MUTEX && family <= HEDDLE_FAMILY_WORD;
  const auto has = [&](Properties property) { return (row.properties & property) != 0; };
  return {.kind = row.kind,
          .name = row.name,
          .family = to_family(family),
          .reads = has(kReads),
          .writes = has(kWrites),
          .synchronises = has(kSynchronises) || uses_object || family == HEDDLE_FAMILY_THREAD,
          .has_address = has(kAddressed) || uses_object,
          .has_size = has(kSized),
          .has_order = has(kOrdered),
          .value = row.value,
          .value2 = row.value2};
}

constexpr std::array<KindInfo, std::size(kRows)> make_kinds() {
  std::array<KindInfo, std::size(kRows)> kinds{};
  for (size_t i = 0; i < kinds.size(); ++i) kinds[i] = make_info(kRows[i]);
  return kinds;
}
constexpr std::array<KindInfo, std::size(kRows)> kKinds = make_kinds();

// The index of each kind in kKinds, plus one.
constexpr std::array<uint8_t, 256> make_places() {
  std::array<uint8_t, 256> places{};
  for (size_t i = 0; i < std::size(kKinds); ++i) places[kKinds[i].kind] = static_cast<uint8_t>(i + 1);
  return places;
}
constexpr std::array<uint8_t, 256> kPlaces = make_places();
#define HEDDLE_CHECK_ROW(KIND, ...) static_assert(kPlaces[HEDDLE_##KIND] != 0, "every kind of operation has a row");
HEDDLE_MEANINGS(HEDDLE_CHECK_ROW)
#undef HEDDLE_CHECK_ROW

constexpr const char* kOrders[] = {"not_atomic", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
constexpr const char* kFlags[] = {"failed", "timeout", "spurious", "timed", "serial", "volatile", "model", "cancelled"};
static_assert(std::size(kFlags) == 8, "every bit has a name, so that texts lose none");
constexpr const char* kMisuse = "misuse";  // what the bit of "volatile" means where nothing is accessed
static_assert(HEDDLE_FLAG_MISUSE == HEDDLE_FLAG_VOLATILE);
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

const char* flag_name(uint8_t bit, uint8_t kind) {
  const KindInfo* info = find_kind(kind);
  const bool can_be_misused = info && (info->synchronises || info->family == Family::kHeap);
  return can_be_misused && bit < 8 && 1u << bit == HEDDLE_FLAG_MISUSE ? kMisuse : flag_name(bit);
}

std::optional<uint8_t> find_flag(std::string_view name) {
  if (name == kMisuse) return uint8_t{HEDDLE_FLAG_MISUSE};
  const auto place = place_of(kFlags, name);
  return place ? std::optional(static_cast<uint8_t>(1u << *place)) : std::nullopt;
}

const char* outcome_name(uint64_t outcome) { return outcome < std::size(kOutcomes) ? kOutcomes[outcome] : nullptr; }

std::optional<HeddleOutcome> find_outcome(std::string_view name) {
  const auto place = place_of(kOutcomes, name);
  return place ? std::optional(static_cast<HeddleOutcome>(*place)) : std::nullopt;
}

const char* failure_name(uint64_t failure) { return failure < std::size(kFailures) ? kFailures[failure] : nullptr; }

bool succeeded(const HeddleRecord& record) { return !(record.flags & HEDDLE_GAVE_UP_FLAGS); }

bool wrote_memory(const HeddleRecord& record) {
  const KindInfo* info = find_kind(record.kind);
  return info && info->writes && !(record.kind == HEDDLE_CAS && (record.flags & HEDDLE_FLAG_FAILED));
}

bool read_memory(const HeddleRecord& record) {
  const KindInfo* info = find_kind(record.kind);
  return info && info->reads;
}

}  // namespace heddle::trace
