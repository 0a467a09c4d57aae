// SPDX-License-Identifier: Apache-2.0
#include "propagate/sanitize/sanitizer.h"

#include <algorithm>
#include <array>

#include "naming/addresses.h"
#include "naming/objects.h"
#include "trace/kinds.h"

namespace heddle::propagate {

using naming::Object;
using naming::ObjectKind;
using Kind = Reference::Kind;

// Remembers which object the last look at some word found. An entry counts as
// long as its object lives and has the address.
class Sanitizer::Cache {
 public:
  uint32_t& slot(uint64_t address) { return slots_[(address >> 3) % kSlots]; }
  void clear() { slots_.fill(kNoObject); }
  Cache() { clear(); }

 private:
  static constexpr size_t kSlots = 1024;
  std::array<uint32_t, kSlots> slots_;
};

Sanitizer::Sanitizer(const trace::Trace& trace, const naming::EventOrder& order)
    : trace_(trace),
      order_(order),
      on_stack_(trace.threads.size()),
      allocations_(trace.threads.size(), 0),
      stack_counts_(trace.threads.size(), 0),
      last_visible_(trace.threads.size(), naming::kNoEvent),
      addresses_(trace.events.size()),
      values_(trace.events.size()) {
  for (size_t i = 0; i < trace.threads.size(); ++i) caches_.push_back(std::make_unique<Cache>());
  add_globals();
  for (const trace::Event& event : trace.events) {
    if (event.record.kind != HEDDLE_FUNCTION_ENTER || !functions_.emplace(event.record.value, event.record.site).second)
      continue;
    first_function_ = std::min(first_function_, event.record.value);
    last_function_ = std::max(last_function_, event.record.value);
  }
  for (const uint32_t event : order.events()) visit(event, trace.events[event].record);
  settle_misses();
}

Sanitizer::~Sanitizer() = default;

Reference Sanitizer::second_value(uint32_t event) const {
  const auto found = second_values_.find(event);
  return found == second_values_.end() ? Reference{} : found->second;
}

void Sanitizer::add_globals() {
  for (uint32_t i = 0; i < trace_.globals.size(); ++i) {
    const trace::Global& global = trace_.globals[i];
    objects_.push_back(
        {ObjectKind::kGlobal, HEDDLE_NO_THREAD, i, global.address, global.size, naming::kNoEvent, naming::kNoEvent});
    is_alive_.push_back(true);
    globals_.push_back(i);
    lowest_ = std::min(lowest_, global.address);
    highest_ = std::max(highest_, global.address + global.size);
  }
  std::sort(globals_.begin(), globals_.end(), [&](uint32_t a, uint32_t b) {
    return objects_[a].address != objects_[b].address ? objects_[a].address < objects_[b].address : a < b;
  });
}

void Sanitizer::visit(uint32_t event, const HeddleRecord& record) {
  const uint32_t thread = record.thread;
  switch (record.kind) {
    case HEDDLE_ALLOC: {
      const uint32_t index = allocations_[thread]++;
      if (record.address == 0 || (record.flags & HEDDLE_FLAG_FAILED)) break;
      begin(heap_, {ObjectKind::kHeap, thread, index, record.address, record.value, event, naming::kNoEvent});
      break;
    }
    case HEDDLE_STACK_OBJECT:
      on_stack_[thread].push_back(static_cast<uint32_t>(objects_.size()));
      begin(stacks_, {ObjectKind::kStack, thread, stack_counts_[thread]++, record.address, record.value, event,
                      naming::kNoEvent});
      break;
    case HEDDLE_THREAD_CREATE: note_handle(record); break;
    case HEDDLE_FUNCTION_ENTER:
    case HEDDLE_FUNCTION_EXIT: return;  // named by its site
    default: break;
  }
  const trace::KindInfo* info = trace::find_kind(record.kind);
  if (!info || record.kind == HEDDLE_TEXT) return;
  if ((info->has_address || record.address != 0) && info->family != trace::Family::kProgram &&
      record.address >= naming::kFirstPage) {
    addresses_[event] = find(event, record.address);
    if (addresses_[event].kind == Kind::kNumber) misses_.push_back({event, record.address, Miss::Field::kAddress});
  }
  if (info->value == trace::Meaning::kAddress || naming::may_hold_pointer(record)) {
    values_[event] = find_value(event, record.value, Miss::Field::kValue);
    if (record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS) {
      const Reference second = find_value(event, record.value2, Miss::Field::kSecondValue);
      if (second.kind != Kind::kNumber) second_values_[event] = second;
    }
  }
  // The event that ends an object still means it.
  if (record.kind == HEDDLE_FREE) end(heap_, record.address, event);
  if (record.kind == HEDDLE_STACK_OBJECT_END) end(stacks_, record.address, event);
  if (record.kind == HEDDLE_THREAD_END) end_thread(thread, event);
  if (trace::is_visible(record)) last_visible_[thread] = event;
}

// pthread_create stores the new thread's identity just before the thread begins.
void Sanitizer::note_handle(const HeddleRecord& record) {
  const uint32_t last = last_visible_[record.thread];
  if (last == naming::kNoEvent) return;
  const HeddleRecord& store = trace_.events[last].record;
  if (store.kind != HEDDLE_STORE || store.size != 8 || !(store.flags & HEDDLE_FLAG_MODEL)) return;
  const auto thread = static_cast<uint32_t>(record.value);
  if (thread >= trace_.threads.size()) return;
  handles_[store.value] = thread;
  has_wide_handles_ |= store.value >> kAddressBits != 0;
  values_[last] = {Kind::kThread, thread};
}

Reference Sanitizer::find_value(uint32_t event, uint64_t value, Miss::Field field) {
  if (value < naming::kFirstPage) return {};
  const bool may_be_address = value >> kAddressBits == 0;
  if (may_be_address || has_wide_handles_) {
    if (const auto handle = handles_.find(value); handle != handles_.end()) return {Kind::kThread, handle->second};
  }
  if (!may_be_address) return {};
  if (value >= first_function_ && value <= last_function_) {
    if (const auto function = functions_.find(value); function != functions_.end()) {
      return {Kind::kFunction, function->second};
    }
  }
  if (value < lowest_ || value > highest_) {
    misses_.push_back({event, value, field});  // may yet turn out to be an unknown object
    return {};
  }
  Reference found = find(event, value);
  if (found.kind == Kind::kNumber) found = ending_at(value, find(event, value - 1));
  if (found.kind == Kind::kNumber) misses_.push_back({event, value, field});
  return found;
}

// Loops and containers keep pointers to the end of their memory.
Reference Sanitizer::ending_at(uint64_t value, Reference before) const {
  if (before.kind != Kind::kObject) return {};
  const Object& object = objects_[before.number];
  return object.address + object.size == value ? before : Reference{};
}

Reference Sanitizer::find(uint32_t event, uint64_t address) {
  uint32_t& cached = caches_[trace_.events[event].record.thread]->slot(address);
  if (cached == kNoObject || !is_alive_[cached] || !covers(cached, address)) {
    const uint32_t found = find_slowly(address);
    if (found == kNoObject || !surely_born(found, event)) return {};
    cached = found;
  }
  return {Kind::kObject, cached};
}

uint32_t Sanitizer::find_slowly(uint64_t address) const {
  for (const Living* living : {&stacks_, &heap_}) {
    const auto after = living->upper_bound(address);
    if (after != living->begin() && covers(std::prev(after)->second, address)) return std::prev(after)->second;
  }
  return find_global(address);
}

uint32_t Sanitizer::find_global(uint64_t address) const {
  auto after = std::upper_bound(globals_.begin(), globals_.end(), address,
                                [&](uint64_t wanted, uint32_t object) { return wanted < objects_[object].address; });
  if (after == globals_.begin()) return kNoObject;
  const uint64_t begin = objects_[*std::prev(after)].address;
  uint32_t found = kNoObject;
  while (after != globals_.begin() && objects_[*std::prev(after)].address == begin) {
    --after;
    if (covers(*after, address)) found = *after;
  }
  return found;
}

// Whatever lies in its place has ended, as far as others can tell.
void Sanitizer::begin(Living& living, const Object& object) {
  const uint64_t size = std::max<uint64_t>(object.size, 1);
  auto next = living.lower_bound(object.address + size);
  while (next != living.begin()) {
    const auto older = std::prev(next);
    if (!covers(older->second, object.address) && older->first < object.address) break;
    is_alive_[older->second] = false;
    if (order_.surely_before(objects_[older->second].born, object.born)) {
      objects_[older->second].died = object.born;
    }
    disputed_[older->first].push_back(older->second);
    next = living.erase(older);
  }
  if (&living == &stacks_ && find_slowly(object.address) != kNoObject) {
    for (const auto& cache : caches_) cache->clear();  // a stack inside a heap block
  }
  const auto number = static_cast<uint32_t>(objects_.size());
  living.emplace_hint(next, object.address, number);
  objects_.push_back(object);
  is_alive_.push_back(true);
  lowest_ = std::min(lowest_, object.address);
  highest_ = std::max(highest_, object.address + size);
}

void Sanitizer::end(Living& living, uint64_t address, uint32_t event) {
  const auto found = living.find(address);
  if (found != living.end() && surely_born(found->second, event)) {
    objects_[found->second].died = event;
    is_alive_[found->second] = false;
    living.erase(found);
    return;
  }
  const auto disputed = disputed_.find(address);
  if (disputed == disputed_.end()) return;
  auto& objects = disputed->second;
  const auto meant =
      std::find_if(objects.rbegin(), objects.rend(), [&](uint32_t object) { return surely_born(object, event); });
  if (meant == objects.rend()) return;
  objects_[*meant].died = event;
  objects.erase(std::next(meant).base());
}

void Sanitizer::end_thread(uint32_t thread, uint32_t event) {
  for (const uint32_t object : on_stack_[thread]) {
    if (is_alive_[object]) end(stacks_, objects_[object].address, event);
  }
  on_stack_[thread].clear();
}

}  // namespace heddle::propagate
