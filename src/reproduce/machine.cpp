// SPDX-License-Identifier: Apache-2.0
#include "reproduce/machine.h"

#include "abi/store_buffer.h"
#include "base/check.h"

namespace heddle::reproduce {

using schedule::MemoryModel;

Machine::Machine(const FailingRun& run, MemoryModel model, bool keeps_sources)
    : run_(run), model_(model), keeps_sources_(keeps_sources), threads_(run.threads.size()) {
  for (const auto& [address, bytes] : run.initial)
    for (size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i]) memory_[address + i].value = bytes[i];
  if (!threads_.empty()) threads_[0].is_created = true;
  for (uint32_t t = 0; t < threads_.size(); ++t)
    if (threads_[t].is_created) check_conditions(t);
}

bool Machine::has_failed() const {
  if (run_.failing_thread == kNobody || !has_ended(run_.failing_thread)) return false;
  for (uint32_t t = 0; t < threads_.size(); ++t)
    if (position(t) < run_.threads[t].certain) return false;
  return true;
}

uint64_t Machine::value(solve::Term term) const {
  return run_.terms.is_constant(term) ? run_.terms.value(term) : run_.terms.evaluate(term, values_);
}

uint64_t Machine::next_address(uint32_t thread) const {
  const ThreadState& state = threads_[thread];
  if (!state.next_address) state.next_address = value(run_.threads[thread].operations[state.position].address);
  return *state.next_address;
}

Machine::Byte Machine::byte_at(uint64_t address) const {
  const auto found = memory_.find(address);
  return found == memory_.end() ? Byte{} : found->second;
}

// Nothing: a store of the thread covers only some of these bytes, and must go first.
std::optional<std::vector<Machine::Byte>> Machine::seen(uint32_t thread, uint64_t address, uint32_t size) const {
  std::vector<Byte> bytes(size);
  const auto& buffer = threads_[thread].buffer;
  for (auto store = buffer.rbegin(); store != buffer.rend(); ++store) {
    if (store->address + store->size <= address || address + size <= store->address) continue;
    if (store->address > address || store->address + store->size < address + size) return std::nullopt;
    for (uint32_t i = 0; i < size; ++i)
      bytes[i] = {static_cast<uint8_t>(store->value >> (8 * (address + i - store->address))), {thread, store->index}};
    return bytes;
  }
  for (uint32_t i = 0; i < size; ++i) bytes[i] = byte_at(address + i);
  return bytes;
}

void Machine::read(uint32_t thread, const Operation& operation, OperationId id, uint64_t address) {
  const auto bytes = seen(thread, address, operation.size);
  HEDDLE_CHECK(bytes.has_value(), "a read that happens can see its bytes");
  uint64_t found = 0;
  for (uint32_t i = 0; i < operation.size; ++i) found |= uint64_t{(*bytes)[i].value} << (8 * i);
  if (keeps_sources_)
    for (const Byte& byte : *bytes) sources_[id].push_back(byte.source);
  values_[operation.read] = found;
}

uint64_t Machine::would_read(uint32_t thread) const {
  const Operation& next = run_.threads[thread].operations[threads_[thread].position];
  const auto bytes = seen(thread, next_address(thread), next.size);
  HEDDLE_CHECK(bytes.has_value(), "a read that can happen can see its bytes");
  uint64_t found = 0;
  for (uint32_t i = 0; i < next.size; ++i) found |= uint64_t{(*bytes)[i].value} << (8 * i);
  return found;
}

std::optional<uint32_t> Machine::waiting_store(uint32_t thread, uint64_t address) const {
  const auto& buffer = threads_[thread].buffer;
  for (auto store = buffer.rbegin(); store != buffer.rend(); ++store)
    if (store->address <= address && address < store->address + store->size) return store->index;
  return std::nullopt;
}

uint64_t Machine::in_memory(uint64_t address, uint32_t size) const {
  uint64_t found = 0;
  for (uint32_t i = 0; i < size; ++i) found |= uint64_t{byte_at(address + i).value} << (8 * i);
  return found;
}

void Machine::write(uint64_t address, uint64_t value, uint32_t size, OperationId source) {
  for (uint32_t i = 0; i < size; ++i) memory_[address + i] = {static_cast<uint8_t>(value >> (8 * i)), source};
}

void Machine::check_conditions(uint32_t thread) {
  ThreadState& state = threads_[thread];
  const std::vector<Condition>& conditions = run_.threads[thread].conditions;
  for (; state.next_condition < conditions.size() && conditions[state.next_condition].after <= state.position;
       ++state.next_condition)
    if (!value(conditions[state.next_condition].holds)) broken_.push_back({thread, state.next_condition});
}

bool Machine::fits(uint32_t thread) const {
  const ThreadState& state = threads_[thread];
  const Operation& next = run_.threads[thread].operations[state.position];
  const std::vector<Condition>& conditions = run_.threads[thread].conditions;
  if (!reads_memory(next) || state.next_condition == conditions.size() ||
      conditions[state.next_condition].after > state.position + 1)
    return true;
  const auto bytes = seen(thread, next_address(thread), next.size);
  if (!bytes) return false;
  uint64_t found = 0;
  for (uint32_t i = 0; i < next.size; ++i) found |= uint64_t{(*bytes)[i].value} << (8 * i);
  const auto tried = values_.emplace(next.read, found).first;
  bool all_hold = true;
  for (uint32_t i = state.next_condition;
       all_hold && i < conditions.size() && conditions[i].after <= state.position + 1; ++i)
    all_hold = value(conditions[i].holds) != 0;
  values_.erase(tried);
  return all_hold;
}

bool Machine::can_step(uint32_t thread) const {
  const ThreadState& state = threads_[thread];
  if (!state.is_created || has_ended(thread)) return false;
  const Operation& next = run_.threads[thread].operations[state.position];
  if (!state.buffer.empty() && heddle_waits_for_stores(next.kind, next.order, next.flags)) return false;
  if (reads_memory(next) && !seen(thread, next_address(thread), next.size)) return false;
  if (semantics::effect_of(next.kind) == HEDDLE_EFFECT_JOIN)
    return semantics::gave_up(next.flags) || next.other == kNobody || has_ended(next.other);
  return !semantics::uses_object(next.kind) || objects_.can_happen(next_use(thread));
}

ObjectUse Machine::next_use(uint32_t thread) const {
  const Operation& next = run_.threads[thread].operations[threads_[thread].position];
  const bool has_mutex = semantics::family_of(next.kind) == HEDDLE_FAMILY_CONDITION;
  return {next, thread, next_address(thread), has_mutex ? value(next.mutex) : 0};
}

void Machine::step(uint32_t thread) {
  ThreadState& state = threads_[thread];
  const OperationId id = {thread, state.position};
  const Operation& operation = run_.at(id);
  const bool accesses = reads_memory(operation) || writes_memory(operation);
  const uint64_t address = accesses ? next_address(thread) : 0;
  if (accesses && keeps_sources_) addresses_[id] = address;
  if (reads_memory(operation)) read(thread, operation, id, address);
  if (heddle_puts_marker(operation.kind, operation.order)) ++state.markers;
  if (writes_memory(operation)) {
    const bool writes = operation.kind != HEDDLE_CAS || value(operation.exchanged);
    if (model_ != MemoryModel::kSc && heddle_is_buffered(operation.kind, operation.order, operation.flags)) {
      state.buffer.push_back({id.index, address, value(operation.written), operation.size, state.markers});
    } else if (writes) {
      write(address, value(operation.written), operation.size, id);
    }
  }
  if (semantics::uses_object(operation.kind)) objects_.perform(next_use(thread));
  if (semantics::effect_of(operation.kind) == HEDDLE_EFFECT_CREATE && !semantics::gave_up(operation.flags) &&
      operation.other != kNobody) {
    threads_[operation.other].is_created = true;
    check_conditions(operation.other);
  }
  ++state.position;
  state.next_address.reset();
  check_conditions(thread);
}

bool Machine::can_flush(uint32_t thread, uint32_t index) const {
  const auto& buffer = threads_[thread].buffer;
  for (size_t i = 0; i < buffer.size(); ++i) {
    const Store& store = buffer[i];
    if (store.index != index) continue;
    if (model_ == MemoryModel::kTso) return i == 0;
    for (size_t older = 0; older < i; ++older) {
      const Store& other = buffer[older];
      const bool overlaps = other.address < store.address + store.size && store.address < other.address + other.size;
      if (overlaps || other.markers != store.markers) return false;
    }
    return true;
  }
  return false;
}

std::vector<uint32_t> Machine::flushable(uint32_t thread) const {
  std::vector<uint32_t> result;
  if (model_ == MemoryModel::kTso) return has_stores(thread) ? std::vector<uint32_t>{oldest_store(thread)} : result;
  for (const Store& store : threads_[thread].buffer)
    if (can_flush(thread, store.index)) result.push_back(store.index);
  return result;
}

void Machine::flush(uint32_t thread, uint32_t index) {
  auto& buffer = threads_[thread].buffer;
  for (auto store = buffer.begin(); store != buffer.end(); ++store) {
    if (store->index != index) continue;
    write(store->address, store->value, store->size, {thread, index});
    buffer.erase(store);
    return;
  }
  HEDDLE_CHECK(false, "the store is in the buffer");
}

}  // namespace heddle::reproduce
