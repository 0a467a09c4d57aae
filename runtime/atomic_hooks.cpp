// SPDX-License-Identifier: Apache-2.0
//
// Hooks of read-modify-writes, compare-and-exchange, fences, and 16-byte atomics.
#include "access.h"
#include "private_state.h"

using namespace heddle::rt;

namespace {

using Wide = unsigned __int128;

uint64_t low_half(Wide value) { return static_cast<uint64_t>(value); }
uint64_t high_half(Wide value) { return static_cast<uint64_t>(value >> 64); }

template <typename Float, typename Bits>
Bits float_result(Bits old_bits, Bits operand_bits, uint32_t operation) {
  Float old, operand, result;
  memcpy(&old, &old_bits, sizeof old);
  memcpy(&operand, &operand_bits, sizeof operand);
  switch (operation) {
    case HEDDLE_RMW_FADD: result = old + operand; break;
    case HEDDLE_RMW_FSUB: result = old - operand; break;
    case HEDDLE_RMW_FMAX: result = old > operand ? old : operand; break;
    default: result = old < operand ? old : operand; break;
  }
  Bits bits;
  memcpy(&bits, &result, sizeof bits);
  return bits;
}

template <typename T, typename Signed>
T integer_result(T old, T operand, uint32_t operation) {
  switch (operation) {
    case HEDDLE_RMW_EXCHANGE: return operand;
    case HEDDLE_RMW_ADD: return old + operand;
    case HEDDLE_RMW_SUB: return old - operand;
    case HEDDLE_RMW_AND: return old & operand;
    case HEDDLE_RMW_NAND: return static_cast<T>(~(old & operand));
    case HEDDLE_RMW_OR: return old | operand;
    case HEDDLE_RMW_XOR: return old ^ operand;
    case HEDDLE_RMW_MAX: return static_cast<Signed>(old) > static_cast<Signed>(operand) ? old : operand;
    case HEDDLE_RMW_MIN: return static_cast<Signed>(old) < static_cast<Signed>(operand) ? old : operand;
    case HEDDLE_RMW_UMAX: return old > operand ? old : operand;
    default: return old < operand ? old : operand;
  }
}

template <typename T, typename Signed>
T modified(T old, T operand, uint32_t operation) {
  if (operation < HEDDLE_RMW_FADD) return integer_result<T, Signed>(old, operand, operation);
  if constexpr (sizeof(T) == 8) return float_result<double>(old, operand, operation);
  if constexpr (sizeof(T) == 4) return float_result<float>(old, operand, operation);
  unsupported("an atomic floating-point operation of this width");
}

template <typename T, typename Signed>
uint64_t perform_rmw(Thread& self, void* pointer, uint64_t operand, uint32_t operation, uint32_t order, uint32_t site) {
  begin_look(self, HEDDLE_RMW, pointer, sizeof(T), order, site, operand);
  T old;
  memcpy(&old, pointer, sizeof old);
  const T result = modified<T, Signed>(old, static_cast<T>(operand), operation);
  memcpy(pointer, &result, sizeof result);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  track_write(address, sizeof(T), result);
  record(self, HEDDLE_RMW, sizeof(T), static_cast<uint8_t>(order), access_flags(order), site, address, old, result);
  if (old != result) {
    note_change(self, address);
  } else {
    note_read(self, site, address, old);  // a test-and-set that finds the lock taken
  }
  return old;
}

template <typename T>
uint64_t perform_cas(Thread& self, void* pointer, uint64_t expected_bits, uint64_t desired_bits, uint32_t success,
                     uint32_t failure, uint32_t site) {
  begin_look(self, HEDDLE_CAS, pointer, sizeof(T), success, site, mixed(mixed(0, expected_bits), desired_bits));
  const T expected = static_cast<T>(expected_bits);
  const T desired = static_cast<T>(desired_bits);
  T old;
  memcpy(&old, pointer, sizeof old);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (old == expected) {
    memcpy(pointer, &desired, sizeof desired);
    track_write(address, sizeof(T), desired);
    record(self, HEDDLE_CAS, sizeof(T), static_cast<uint8_t>(success), access_flags(success), site, address, old,
           desired);
    note_change(self, address);
  } else {
    track_read(self, address, sizeof(T), old);
    record(self, HEDDLE_CAS, sizeof(T), static_cast<uint8_t>(failure), HEDDLE_FLAG_FAILED | access_flags(success), site,
           address, old, expected);
    note_read(self, site, address, old);
  }
  return old;
}

void record_wide(Thread& self, Wide value) {
  append(HeddleRecord{HEDDLE_WIDE, 16, 0, 0, self.number, self.index, 0, 0, low_half(value), high_half(value)});
}

Wide load_wide(const void* pointer) {
  Wide value;
  memcpy(&value, pointer, sizeof value);
  return value;
}

}  // namespace

HEDDLE_EXPORT uint64_t __heddle_rmw(void* address, uint64_t operand, uint32_t size, uint32_t operation, uint32_t order,
                                    uint32_t site) {
  Thread& self = *g.current;
  switch (size) {
    case 1: return perform_rmw<uint8_t, int8_t>(self, address, operand, operation, order, site);
    case 2: return perform_rmw<uint16_t, int16_t>(self, address, operand, operation, order, site);
    case 4: return perform_rmw<uint32_t, int32_t>(self, address, operand, operation, order, site);
    default: return perform_rmw<uint64_t, int64_t>(self, address, operand, operation, order, site);
  }
}

HEDDLE_EXPORT uint64_t __heddle_cas(void* address, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                    uint32_t failure, uint32_t site) {
  Thread& self = *g.current;
  switch (size) {
    case 1: return perform_cas<uint8_t>(self, address, expected, desired, success, failure, site);
    case 2: return perform_cas<uint16_t>(self, address, expected, desired, success, failure, site);
    case 4: return perform_cas<uint32_t>(self, address, expected, desired, success, failure, site);
    default: return perform_cas<uint64_t>(self, address, expected, desired, success, failure, site);
  }
}

HEDDLE_EXPORT void __heddle_fence(uint32_t order, uint32_t site) {
  Thread& self = *g.current;
  announce(self, HEDDLE_FENCE, 0, site, 0, static_cast<uint8_t>(order));
  take_turn(self);
  buffer_fence(self, order);
  record(self);
}

HEDDLE_EXPORT void __heddle_load16(const void* pointer, void* result, uint32_t order, uint32_t site) {
  Thread& self = *g.current;
  begin_access(self, HEDDLE_LOAD, pointer, 16, order, site);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  Wide value;
  copy_seen(self, address, sizeof value, &value);
  memcpy(result, &value, sizeof value);
  record(self, HEDDLE_LOAD, 16, static_cast<uint8_t>(order), 0, site, address, low_half(value), high_half(value));
  note_read(self, site, address, low_half(value) ^ high_half(value));
}

HEDDLE_EXPORT void __heddle_store16(void* pointer, const void* from, uint32_t order, uint32_t site) {
  Thread& self = *g.current;
  begin_access(self, HEDDLE_STORE, pointer, 16, order, site);
  const Wide value = load_wide(from);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (HEDDLE_UNLIKELY(g.memory) && heddle_is_buffered(HEDDLE_STORE, static_cast<uint8_t>(order), 0)) {
    buffer_store(self, address, sizeof value, low_half(value), high_half(value), order, site);
  } else {
    memcpy(pointer, &value, sizeof value);
    track_write(address, 8, low_half(value));
    track_write(address + 8, 8, high_half(value));
  }
  record(self, HEDDLE_STORE, 16, static_cast<uint8_t>(order), 0, site, address, low_half(value), high_half(value));
  note_change(self, address);
}

HEDDLE_EXPORT void __heddle_rmw16(void* pointer, const void* operand, void* result, uint32_t operation, uint32_t order,
                                  uint32_t site) {
  Thread& self = *g.current;
  if (operation >= HEDDLE_RMW_FADD) unsupported("an atomic floating-point operation of 16 bytes");
  begin_access(self, HEDDLE_RMW, pointer, 16, order, site);
  const Wide old = load_wide(pointer);
  const Wide value = integer_result<Wide, __int128>(old, load_wide(operand), operation);
  memcpy(pointer, &value, sizeof value);
  memcpy(result, &old, sizeof old);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  track_write(address, 8, low_half(value));
  track_write(address + 8, 8, high_half(value));
  record(self, HEDDLE_RMW, 16, static_cast<uint8_t>(order), 0, site, address, low_half(old), high_half(old));
  record_wide(self, value);
  note_change(self, address);
}

HEDDLE_EXPORT void __heddle_cas16(void* pointer, const void* expected, const void* desired, void* result,
                                  uint32_t success, uint32_t failure, uint32_t site) {
  Thread& self = *g.current;
  begin_access(self, HEDDLE_CAS, pointer, 16, success, site);
  const Wide old = load_wide(pointer);
  const bool equal = old == load_wide(expected);
  const Wide value = equal ? load_wide(desired) : load_wide(expected);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  memcpy(result, &old, sizeof old);
  if (equal) {
    memcpy(pointer, &value, sizeof value);
    track_write(address, 8, low_half(value));
    track_write(address + 8, 8, high_half(value));
  }
  record(self, HEDDLE_CAS, 16, static_cast<uint8_t>(equal ? success : failure), equal ? 0 : HEDDLE_FLAG_FAILED, site,
         address, low_half(old), high_half(old));
  record_wide(self, value);
  if (equal) {
    note_change(self, address);
  } else {
    note_read(self, site, address, low_half(old) ^ high_half(old));
  }
}
