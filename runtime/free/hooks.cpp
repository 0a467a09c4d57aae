// SPDX-License-Identifier: Apache-2.0
//
// The hooks in a free run: do it, and write it down.
#include "abi/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

#include "log.h"

using namespace heddle::free_run;

namespace {

template <typename T, typename Signed>
T modified(T old, T operand, uint32_t operation) {
  switch (operation) {
    case HEDDLE_RMW_EXCHANGE: return operand;
    case HEDDLE_RMW_ADD: return static_cast<T>(old + operand);
    case HEDDLE_RMW_SUB: return static_cast<T>(old - operand);
    case HEDDLE_RMW_AND: return old & operand;
    case HEDDLE_RMW_NAND: return static_cast<T>(~(old & operand));
    case HEDDLE_RMW_OR: return old | operand;
    case HEDDLE_RMW_XOR: return old ^ operand;
    case HEDDLE_RMW_MAX: return static_cast<Signed>(old) > static_cast<Signed>(operand) ? old : operand;
    case HEDDLE_RMW_MIN: return static_cast<Signed>(old) < static_cast<Signed>(operand) ? old : operand;
    case HEDDLE_RMW_UMAX: return old > operand ? old : operand;
    case HEDDLE_RMW_UMIN: return old < operand ? old : operand;
    default: break;
  }
  if constexpr (sizeof(T) == 8 || sizeof(T) == 4) {
    using Float = std::conditional_t<sizeof(T) == 8, double, float>;
    Float a, b;
    memcpy(&a, &old, sizeof a);
    memcpy(&b, &operand, sizeof b);
    const Float result = operation == HEDDLE_RMW_FADD   ? a + b
                         : operation == HEDDLE_RMW_FSUB ? a - b
                         : operation == HEDDLE_RMW_FMAX ? (a > b ? a : b)
                                                        : (a < b ? a : b);
    T bits;
    memcpy(&bits, &result, sizeof bits);
    return bits;
  }
  return operand;
}

template <typename T, typename Signed>
uint64_t logged_rmw(void* pointer, uint64_t operand, uint32_t operation, uint32_t order, uint32_t site) {
  T* word = static_cast<T*>(pointer);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED), value;
  do value = modified<T, Signed>(old, static_cast<T>(operand), operation);
  while (!__atomic_compare_exchange_n(word, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  record(own_log(), HEDDLE_RMW, sizeof(T), static_cast<uint8_t>(order), 0, site, reinterpret_cast<uint64_t>(pointer),
         old, value);
  return old;
}

template <typename T>
uint64_t logged_cas(void* pointer, uint64_t expected, uint64_t desired, uint32_t order, uint32_t site) {
  T old = static_cast<T>(expected);
  const bool done = __atomic_compare_exchange_n(static_cast<T*>(pointer), &old, static_cast<T>(desired), false,
                                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  record(own_log(), HEDDLE_CAS, sizeof(T), static_cast<uint8_t>(order), done ? 0 : HEDDLE_FLAG_FAILED, site,
         reinterpret_cast<uint64_t>(pointer), old, static_cast<T>(done ? desired : expected));
  return old;
}

uint32_t piece_at(const void* address, size_t left) {
  uint32_t size = 8;
  while (size > left || reinterpret_cast<uint64_t>(address) % size) size /= 2;
  return size;
}

// Writes a range down in pieces of at most 8 aligned bytes.
void log_range(uint8_t kind, const void* address, const void* bytes, size_t size, uint32_t site) {
  Log& log = own_log();
  const char* at = static_cast<const char*>(address);
  const char* from = static_cast<const char*>(bytes);
  while (size) {
    const uint32_t piece = piece_at(at, size);
    uint64_t value = 0;
    memcpy(&value, from, piece);
    record(log, kind, static_cast<uint8_t>(piece), 0, HEDDLE_FLAG_MODEL, site, reinterpret_cast<uint64_t>(at), value,
           0);
    at += piece, from += piece, size -= piece;
  }
}

}  // namespace

HEDDLE_EXPORT __attribute__((preserve_most)) void __heddle_free_append(uint64_t shape, uint32_t site, uint64_t address,
                                                                       uint64_t value) {
  record(own_log(), static_cast<uint8_t>(shape), static_cast<uint8_t>(shape >> 8), static_cast<uint8_t>(shape >> 16),
         static_cast<uint8_t>(shape >> 24), site, address, value, 0);
}

HEDDLE_EXPORT uint64_t __heddle_rmw(void* address, uint64_t operand, uint32_t size, uint32_t operation, uint32_t order,
                                    uint32_t site) {
  switch (size) {
    case 1: return logged_rmw<uint8_t, int8_t>(address, operand, operation, order, site);
    case 2: return logged_rmw<uint16_t, int16_t>(address, operand, operation, order, site);
    case 4: return logged_rmw<uint32_t, int32_t>(address, operand, operation, order, site);
    default: return logged_rmw<uint64_t, int64_t>(address, operand, operation, order, site);
  }
}

HEDDLE_EXPORT uint64_t __heddle_cas(void* address, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                    uint32_t, uint32_t site) {
  switch (size) {
    case 1: return logged_cas<uint8_t>(address, expected, desired, success, site);
    case 2: return logged_cas<uint16_t>(address, expected, desired, success, site);
    case 4: return logged_cas<uint32_t>(address, expected, desired, success, site);
    default: return logged_cas<uint64_t>(address, expected, desired, success, site);
  }
}

HEDDLE_EXPORT void __heddle_fence(uint32_t order, uint32_t site) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  record(own_log(), HEDDLE_FENCE, 0, static_cast<uint8_t>(order), 0, site, 0, 0, 0);
}

// 16-byte atomics go through libatomic, as the program itself would.
using Wide = unsigned __int128;
HEDDLE_EXPORT void __heddle_load16(const void* address, void* result, uint32_t order, uint32_t site) {
  const Wide value = __atomic_load_n(static_cast<const Wide*>(address), __ATOMIC_SEQ_CST);
  memcpy(result, &value, sizeof value);
  record(own_log(), HEDDLE_LOAD, 16, static_cast<uint8_t>(order), 0, site, reinterpret_cast<uint64_t>(address),
         static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64));
}
HEDDLE_EXPORT void __heddle_store16(void* address, const void* from, uint32_t order, uint32_t site) {
  Wide value;
  memcpy(&value, from, sizeof value);
  record(own_log(), HEDDLE_STORE, 16, static_cast<uint8_t>(order), 0, site, reinterpret_cast<uint64_t>(address),
         static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64));
  __atomic_store_n(static_cast<Wide*>(address), value, __ATOMIC_SEQ_CST);
}
namespace {
void log_wide(uint8_t kind, uint8_t flags, void* address, Wide old, Wide value, uint32_t order, uint32_t site) {
  Log& log = own_log();
  record(log, kind, 16, static_cast<uint8_t>(order), flags, site, reinterpret_cast<uint64_t>(address),
         static_cast<uint64_t>(old), static_cast<uint64_t>(old >> 64));
  append(log,
         HeddleRecord{HEDDLE_WIDE, 16, 0, 0, log.number, log.index, 0, 0, static_cast<uint64_t>(value),
                      static_cast<uint64_t>(value >> 64)},
         0);
}
}  // namespace
HEDDLE_EXPORT void __heddle_rmw16(void* address, const void* operand, void* result, uint32_t operation, uint32_t order,
                                  uint32_t site) {
  Wide* word = static_cast<Wide*>(address);
  Wide given, old = __atomic_load_n(word, __ATOMIC_RELAXED), value;
  memcpy(&given, operand, sizeof given);
  do value = modified<Wide, __int128>(old, given, operation);
  while (!__atomic_compare_exchange_n(word, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  memcpy(result, &old, sizeof old);
  log_wide(HEDDLE_RMW, 0, address, old, value, order, site);
}
HEDDLE_EXPORT void __heddle_cas16(void* address, const void* expected, const void* desired, void* result,
                                  uint32_t success, uint32_t, uint32_t site) {
  Wide old, wanted, value;
  memcpy(&wanted, expected, sizeof wanted);
  memcpy(&value, desired, sizeof value);
  old = wanted;
  const bool done =
      __atomic_compare_exchange_n(static_cast<Wide*>(address), &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  memcpy(result, &old, sizeof old);
  log_wide(HEDDLE_CAS, done ? 0 : HEDDLE_FLAG_FAILED, address, old, done ? value : wanted, success, site);
}

HEDDLE_EXPORT void __heddle_read(const void* address, void* private_copy, size_t size, uint32_t site) {
  memcpy(private_copy, address, size);
  log_range(HEDDLE_LOAD, address, private_copy, size, site);
}
HEDDLE_EXPORT void __heddle_write(void* address, const void* private_copy, size_t size, uint32_t site) {
  log_range(HEDDLE_STORE, address, private_copy, size, site);
  memcpy(address, private_copy, size);
}
HEDDLE_EXPORT void __heddle_memmove(void* to, const void* from, size_t size, uint32_t site) {
  log_range(HEDDLE_LOAD, from, from, size, site);
  memmove(to, from, size);
  log_range(HEDDLE_STORE, to, to, size, site);
}
HEDDLE_EXPORT void __heddle_memcpy(void* to, const void* from, size_t size, uint32_t site) {
  __heddle_memmove(to, from, size, site);
}
HEDDLE_EXPORT void __heddle_memset(void* to, int value, size_t size, uint32_t site) {
  memset(to, value, size);
  log_range(HEDDLE_STORE, to, to, size, site);
}

HEDDLE_EXPORT void __heddle_range_read(const void* address, size_t size, uint32_t site) {
  log_range(HEDDLE_LOAD, address, address, size, site);
}
HEDDLE_EXPORT void __heddle_range_written(const void* address, size_t size, uint32_t site) {
  log_range(HEDDLE_STORE, address, address, size, site);
}
HEDDLE_EXPORT void __heddle_string_read(const char* text, uint32_t site) {
  if (text) log_range(HEDDLE_LOAD, text, text, strlen(text) + 1, site);
}
HEDDLE_EXPORT void __heddle_string_written(const char* text, uint32_t site) {
  if (text) log_range(HEDDLE_STORE, text, text, strlen(text) + 1, site);
}

extern "C" __attribute__((weak)) void _ZSt17__throw_bad_allocv();
HEDDLE_EXPORT void* __heddle_allocate(size_t size, size_t alignment, uint32_t allocator, uint32_t throws,
                                      uint32_t site) {
  void* block =
      alignment > 16 ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : malloc(size);
  // Fresh memory is zero, here as in a controlled run (and as calloc wants it).
  if (block) memset(block, 0, size);
  record(own_log(), HEDDLE_ALLOC, 0, 0, block ? 0 : HEDDLE_FLAG_FAILED, site, reinterpret_cast<uint64_t>(block), size,
         allocator);
  if (!block && throws && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
  return block;
}
HEDDLE_EXPORT void __heddle_release(void* block, uint32_t allocator, uint32_t site) {
  if (!block) return;
  record(own_log(), HEDDLE_FREE, 0, 0, 0, site, reinterpret_cast<uint64_t>(block), 0, allocator);
  free(block);
}
HEDDLE_EXPORT void* __heddle_reallocate(void* block, size_t size, uint32_t site) {
  if (block)
    record(own_log(), HEDDLE_FREE, 0, 0, 0, site, reinterpret_cast<uint64_t>(block), 0, HEDDLE_ALLOCATOR_MALLOC);
  void* moved = realloc(block, size);
  record(own_log(), HEDDLE_ALLOC, 0, 0, moved ? 0 : HEDDLE_FLAG_FAILED, site, reinterpret_cast<uint64_t>(moved), size,
         HEDDLE_ALLOCATOR_MALLOC);
  return moved;
}
HEDDLE_EXPORT int __heddle_posix_memalign(void** result, size_t alignment, size_t size, uint32_t site) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1))) return EINVAL;
  void* block = __heddle_allocate(size, alignment, HEDDLE_ALLOCATOR_MALLOC, 0, site);
  if (!block) return ENOMEM;
  __heddle_store8(result, reinterpret_cast<uint64_t>(block), 0, site);
  return 0;
}

HEDDLE_EXPORT void __heddle_stack_object(const void* address, size_t size, uint32_t site) {
  Log& log = own_log();
  append(log,
         HeddleRecord{HEDDLE_STACK_OBJECT, 0, 0, 0, log.number, log.index, site, reinterpret_cast<uint64_t>(address),
                      size, 0},
         0);
}
HEDDLE_EXPORT void __heddle_stack_object_end(const void* address, size_t size, uint32_t site) {
  Log& log = own_log();
  append(log,
         HeddleRecord{HEDDLE_STACK_OBJECT_END, 0, 0, 0, log.number, log.index, site,
                      reinterpret_cast<uint64_t>(address), size, 0},
         0);
}
// The hardware has its own store buffers.
HEDDLE_EXPORT void __heddle_settle(const void*, size_t) {}
HEDDLE_EXPORT void __heddle_settle_stack() {}
