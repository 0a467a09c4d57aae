// SPDX-License-Identifier: Apache-2.0
//
// Memory of the machine: loads and stores of up to 16 bytes, anywhere.
#include "check/learn/machine.h"

namespace heddle::check::learn {

// `size` bytes, at most 8, of the memory of the point's operation, from `offset` on.
uint64_t Machine::read(const State& state, const Point& point, uint32_t offset, uint32_t size) const {
  const uint32_t first = point.address % 8;
  if (first + offset + size <= 8) {  // most accesses
    const uint64_t word = model_.numbers.value(state[point.words[0]]) ^ model_.layout.initial(point.words[0]);
    return low_bytes(word >> (8 * (first + offset)), size);
  }
  uint64_t result = 0;
  for (uint32_t done = 0; done < size;) {
    const uint64_t address = point.address + offset + done;
    const uint32_t byte = address % 8, part = std::min(size - done, 8 - byte);
    const uint32_t slot = point.words[address / 8 - point.address / 8];
    const uint64_t word = model_.numbers.value(state[slot]) ^ model_.layout.initial(slot);
    result |= low_bytes(word >> (8 * byte), part) << (8 * done);
    done += part;
  }
  return result;
}

void Machine::write(State& state, const Point& point, uint32_t offset, uint32_t size, uint64_t value) const {
  for (uint32_t done = 0; done < size;) {
    const uint64_t address = point.address + offset + done;
    const uint32_t byte = address % 8, part = std::min(size - done, 8 - byte);
    const uint32_t slot = point.words[address / 8 - point.address / 8];
    const uint64_t mask = low_bytes(~uint64_t{0}, part) << (8 * byte);
    const uint64_t initial = model_.layout.initial(slot);
    const uint64_t fresh = low_bytes(value >> (8 * done), part) << (8 * byte);
    const uint64_t changes = model_.numbers.value(state[slot]);
    state.set(slot, model_.numbers.number((changes & ~mask) | ((fresh ^ initial) & mask)));
    done += part;
  }
}

void Machine::write_all(State& state, const Point& point, uint64_t low, uint64_t high) const {
  if (is_within_word(point)) return write_word(state, point, low);
  write(state, point, 0, std::min<uint32_t>(point.size, 8), low);
  if (point.size > 8) write(state, point, 8, point.size - 8u, high);
}

bool Machine::see(const State& state, const Point& point, uint64_t& low, uint64_t& high) const {
  const uint32_t low_size = std::min<uint32_t>(point.size, 8);
  if (const uint32_t buffer = buffer_of(state, point.thread)) {
    const StoreBuffers::Content& content = model_.buffers.content(buffer);
    for (size_t i = content.size(); i-- > 0;) {
      if (content[i] == StoreBuffers::kMarker) continue;
      const Point& store = model_.automata[StoreBuffers::point(content[i])];
      if (store.address >= point.address + point.size || point.address >= store.address + store.size) continue;
      if (store.address > point.address || point.address + point.size > store.address + store.size) return false;
      const uint64_t shift = 8 * (point.address - store.address);
      if (shift >= 64) {
        low = low_bytes(store.value2 >> (shift - 64), low_size);
      } else {
        low = low_bytes(store.value >> shift | (shift ? store.value2 << (64 - shift) : 0), low_size);
      }
      high = point.size > 8 ? store.value2 : 0;  // it has all 16 bytes, then
      return true;
    }
  }
  low = read(state, point, 0, low_size);
  high = point.size > 8 ? read(state, point, 8, point.size - 8u) : 0;
  return true;
}

Prediction Machine::predict_memory(const State& state, const Point& point) const {
  if (is_bad_for_block(state, point)) return predict_bad_block(state, point);
  switch (point.kind) {
    case HEDDLE_LOAD: {
      uint64_t low = 0, high = 0;
      if (!see(state, point, low, high)) return {false, true, {}};
      return {true, true, {Way::kDone, {low, high}}};
    }
    case HEDDLE_RMW:
    case HEDDLE_CAS: return {true, true, {Way::kDone, {read(state, point, 0, std::min<uint32_t>(point.size, 8)), 0}}};
    case HEDDLE_ALLOC: return predict_allocation(state, point);
    default: return {};
  }
}

void Machine::perform_memory(State& state, PointId id, const Edge& edge) const {
  const Point& point = model_.automata[id];
  switch (point.kind) {
    case HEDDLE_STORE:
      if (model_.memory != MemoryModel::kSc && heddle_is_buffered(point.kind, point.order, point.flags)) {
        const uint32_t buffer = model_.buffer_slots[point.thread];
        const bool marked = model_.memory == MemoryModel::kPso && heddle_puts_marker(point.kind, point.order);
        state.set(buffer, model_.buffers.with_store(state[buffer], id, marked));
      } else {
        write_all(state, point, point.value, point.value2);
      }
      break;
    case HEDDLE_EXTERN_WRITE: write_all(state, point, point.value, point.value2); break;
    case HEDDLE_RMW: write_all(state, point, edge.value2, 0); break;
    case HEDDLE_CAS:
      if (!(edge.flags & HEDDLE_FLAG_FAILED)) write_all(state, point, edge.value2, 0);
      break;
    case HEDDLE_FENCE:
      if (model_.memory == MemoryModel::kPso && heddle_puts_marker(point.kind, point.order)) {
        const uint32_t buffer = model_.buffer_slots[point.thread];
        state.set(buffer, model_.buffers.with_marker(state[buffer]));
      }
      break;
    case HEDDLE_ALLOC: allocate(state, point, edge); break;
    case HEDDLE_FREE: release(state, point); break;
    default: break;
  }
}

}  // namespace heddle::check::learn
