// SPDX-License-Identifier: Apache-2.0
//
// Memory, store buffers and control; machine_synchronisation.cpp has the rest.
#include "oracle/machine.h"

#include "base/check.h"
#include "oracle/machine_step.h"

namespace heddle::oracle {

namespace {

bool overlap(int offset, int size, int other_offset, int other_size) {
  return offset < other_offset + other_size && other_offset < offset + size;
}

// May this buffered store reach memory before those in front of it?
bool may_flush(const ThreadState& thread, size_t index, MemoryModel model) {
  if (index == 0) return true;
  if (model == MemoryModel::kTso) return false;
  const BufferedStore& store = thread.buffer[index];
  for (size_t earlier = 0; earlier < index; ++earlier) {
    const BufferedStore& other = thread.buffer[earlier];
    if (overlap(store.offset, store.size, other.offset, other.size)) return false;
  }
  for (size_t later = 1; later <= index; ++later)
    if (thread.buffer[later].after_marker) return false;
  return true;
}

void remove_from_buffer(ThreadState& thread, size_t index) {
  for (size_t next = index + 1; next < thread.buffered; ++next) thread.buffer[next - 1] = thread.buffer[next];
  thread.buffer[--thread.buffered] = BufferedStore{};
  // A marker that nothing is in front of means nothing.
  thread.buffer[0].after_marker = false;
  if (!thread.buffered) thread.marker_pending = false;
}

}  // namespace

State Machine::initial() const {
  State state;
  for (size_t index = 0; index < kSemaphores; ++index)
    state.semaphore[index] = static_cast<int8_t>(program_.semaphore_values[index]);
  state.threads[0].stage = Stage::kReady;
  run_control(state, 0);
  return state;
}

const Operation* Machine::operation_at(const State& state, int thread) const {
  const auto& operations = program_.threads[static_cast<size_t>(thread)].operations;
  const size_t place = state.threads[static_cast<size_t>(thread)].place;
  return place < operations.size() ? &operations[place] : nullptr;
}

const Operation* Machine::next_operation(const State& state, int thread) const {
  return state.threads[static_cast<size_t>(thread)].stage == Stage::kReady ? operation_at(state, thread) : nullptr;
}

bool Machine::complete(const State& state) const {
  if (state.failed >= 0) return false;
  for (size_t thread = 0; thread < program_.threads.size(); ++thread) {
    const ThreadState& own = state.threads[thread];
    if (own.stage == Stage::kAbsent) continue;  // nobody created it
    if (own.stage != Stage::kReady || own.buffered || own.place < program_.threads[thread].operations.size())
      return false;
  }
  return true;
}

void Machine::successors(const State& state, std::vector<Successor>& found) const {
  found.clear();
  if (state.failed >= 0) return;
  for (int thread = 0; thread < static_cast<int>(program_.threads.size()); ++thread) {
    flushes(state, thread, found);
    perform(state, thread, found);
  }
}

void Machine::flushes(const State& state, int thread, std::vector<Successor>& found) const {
  const ThreadState& own = state.threads[static_cast<size_t>(thread)];
  for (size_t index = 0; index < own.buffered; ++index) {
    if (!may_flush(own, index, model_)) continue;
    State after = state;
    const BufferedStore& store = own.buffer[index];
    write_bytes(after, store.offset, store.size, store.value);
    remove_from_buffer(after.threads[static_cast<size_t>(thread)], index);
    Transition transition;
    transition.kind = Transition::Kind::kFlush;
    transition.thread = thread;
    transition.buffered = static_cast<int>(index);
    found.push_back({transition, after});
  }
}

void Machine::perform(const State& state, int thread, std::vector<Successor>& found) const {
  const Operation* operation = operation_at(state, thread);
  if (!operation || state.threads[static_cast<size_t>(thread)].stage == Stage::kAbsent) return;
  Transition transition;
  transition.thread = thread;
  transition.operation = operation;
  if (points_nowhere(state, thread, *operation)) {
    State after = state;
    after.failed = operation->number;
    found.push_back({transition, after});
    return;
  }
  Step step{*this, state, found, *operation, transition};
  switch (operation->kind) {
    case OperationKind::kLoad: return perform_load(step);
    case OperationKind::kStore: return perform_store(step);
    case OperationKind::kAdd:
    case OperationKind::kExchange:
    case OperationKind::kCompareExchange: return perform_update(step);
    case OperationKind::kFence: return perform_fence(step);
    case OperationKind::kAssert: {  // control has stopped here, so it fails
      State after = state;
      after.failed = operation->number;
      found.push_back({transition, after});
      return;
    }
    case OperationKind::kAllocate:
    case OperationKind::kRelease: return use_block(step);
    default: return synchronise(step);
  }
}

// An access through a pointer that is 0 or whose block was released, or a second release.
bool Machine::points_nowhere(const State& state, int thread, const Operation& operation) const {
  const bool releases = operation.kind == OperationKind::kRelease;
  const int base = releases ? operation.source : operation.base;
  if (base == kNoRegister) return false;
  const uint64_t pointer = state.threads[static_cast<size_t>(thread)].registers[static_cast<size_t>(base)];
  if (!pointer) return !releases;
  HEDDLE_CHECK(pointer <= kMaximumBlocks, "only pointers to blocks are used as pointers");
  return state.released >> (pointer - 1) & 1;
}

void Machine::perform_load(Step& step) const {
  const Operation& load = step.operation;
  const int offset = step.offset();
  const ThreadState& own = step.thread();
  State after = step.before;
  for (int index = own.buffered - 1; index >= 0; --index) {
    const BufferedStore& store = own.buffer[static_cast<size_t>(index)];
    if (!overlap(offset, load.size, store.offset, store.size)) continue;
    const bool covers = store.offset <= offset && offset + load.size <= store.offset + store.size;
    if (!covers) return;
    step.transition.buffered = index;
    step.learn(after, keep_low_bytes(store.value >> (8 * (offset - store.offset)), load.size));
    return step.take(after);
  }
  step.learn(after, read_bytes(step.before, offset, load.size));
  step.take(after);
}

void Machine::perform_store(Step& step) const {
  const Operation& store = step.operation;
  const ThreadState& own = step.thread();
  State after = step.before;
  if (model_ == MemoryModel::kSc || store.order == MemoryOrder::kSequential) {
    if (own.buffered) return;
    write_bytes(after, step.offset(), store.size, step.amount());
    return step.take(after);
  }
  HEDDLE_CHECK(own.buffered < kMaximumBuffered, "no thread buffers more stores than that");
  ThreadState& changed = step.own(after);
  const bool marker = model_ == MemoryModel::kPso && (own.marker_pending || releases(store.order));
  changed.buffer[own.buffered] = {static_cast<int8_t>(step.offset()), static_cast<int8_t>(store.size),
                                  marker && own.buffered > 0, step.amount()};
  step.transition.buffered = changed.buffered++;
  changed.marker_pending = false;
  step.take(after);
}

void Machine::perform_update(Step& step) const {
  if (step.thread().buffered) return;
  const Operation& update = step.operation;
  State after = step.before;
  const uint64_t old = read_bytes(step.before, step.offset(), update.size);
  uint64_t next = step.amount();
  if (update.kind == OperationKind::kAdd) next = keep_low_bytes(next + old, update.size);
  if (update.kind == OperationKind::kCompareExchange) step.transition.success = old == step.expected();
  if (step.transition.success) write_bytes(after, step.offset(), update.size, next);
  step.learn(after, old);
  step.take(after);
}

void Machine::perform_fence(Step& step) const {
  const MemoryOrder order = step.operation.order;
  const bool buffered = step.thread().buffered;
  if (order == MemoryOrder::kSequential && buffered) return;
  State after = step.before;
  if (model_ == MemoryModel::kPso && releases(order) && buffered) step.own(after).marker_pending = true;
  step.transition.alone = true;
  step.take(after);
}

void Machine::go_on(State& state, int thread) const {
  ThreadState& own = state.threads[static_cast<size_t>(thread)];
  own.stage = Stage::kReady;
  own.serial = false;
  ++own.place;
  run_control(state, thread);
}

void Machine::run_control(State& state, int thread) const {
  ThreadState& own = state.threads[static_cast<size_t>(thread)];
  while (const Operation* operation = operation_at(state, thread)) {
    if (!is_control(operation->kind)) return;
    const bool same = own.registers[static_cast<size_t>(operation->source)] == operation->expected;
    if (operation->kind == OperationKind::kAssert && same) return;
    const bool skips = operation->kind == OperationKind::kBranch && same != operation->equal;
    own.place = static_cast<uint8_t>(own.place + 1 + (skips ? operation->skip : 0));
  }
}

}  // namespace heddle::oracle
