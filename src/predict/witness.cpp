// SPDX-License-Identifier: Apache-2.0
#include "predict/witness.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <vector>

namespace heddle::predict {

namespace {

// What memory held before anybody wrote to it, as far as reads and stores of the trace tell.
WitnessMachine::Memory initial_memory(const trace::Trace& trace) {
  WitnessMachine::Memory known;
  std::unordered_set<uint64_t> seen;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    const bool reads = record.kind == HEDDLE_LOAD || record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS ||
                       record.kind == HEDDLE_AWAIT;
    if (!reads && record.kind != HEDDLE_STORE && record.kind != HEDDLE_EXTERN_WRITE) continue;
    const bool replaced = record.kind == HEDDLE_STORE && (record.flags & HEDDLE_FLAG_REPLACED);
    for (uint32_t byte = 0; byte < record.size; ++byte) {
      if (!seen.insert(record.address + byte).second) continue;
      if (replaced) known[record.address + byte] = byte_of(byte, record.value2, 0);
      if (reads && (byte < 8 || record.kind == HEDDLE_LOAD))
        known[record.address + byte] = byte_of(byte, record.value, record.value2);
    }
  }
  return known;
}

// The operation that a thread waits to do at the end of the trace.
HeddleRecord waited_for(HeddleRecord waiting) {
  waiting.kind = static_cast<uint8_t>(waiting.value2);
  if (waiting.kind == HEDDLE_THREAD_JOIN) {
    waiting.value = waiting.value ? waiting.value - 1 : ~uint64_t{0};
  } else {
    waiting.value = waiting.kind == HEDDLE_ONCE_ENTER ? 1 : 0;
  }
  waiting.value2 = 0;
  waiting.flags = 0;
  return waiting;
}

}  // namespace

Witness::Witness(const trace::Trace& trace) : trace_(trace) {}

WitnessMachine Witness::machine_at(size_t begin) {
  if (!initial_) initial_ = initial_memory(trace_);
  if (!history_ || history_end_ > begin) {
    history_.emplace(trace_.threads.size(), *initial_);
    history_end_ = 0;
  }
  for (; history_end_ < begin; ++history_end_) {
    const HeddleRecord& record = trace_.events[history_end_].record;
    if (trace::is_visible(record)) history_->perform(record);
  }
  WitnessMachine machine = *history_;
  machine.end_history();
  return machine;
}

std::string Witness::check(size_t begin, std::span<const property::PlannedStep> plan,
                           std::span<const causal::EventId> last) {
  WitnessMachine machine = machine_at(begin);
  return follow(machine, begin, plan, last);
}

std::vector<std::optional<HeddleRecord>> Witness::next_operations(const WitnessMachine& machine) const {
  std::vector<std::optional<HeddleRecord>> next(trace_.threads.size());
  std::vector<uint64_t> mutexes(trace_.threads.size(), 0);  // of the condition that a thread waited for last
  for (const trace::Event& event : trace_.events) {
    const HeddleRecord& record = event.record;
    if (record.kind == HEDDLE_COND_WAIT) mutexes[record.thread] = record.value;
    if (record.index != machine.next(record.thread)) continue;
    if (trace::is_visible(record)) next[record.thread] = record;
    if (record.kind != HEDDLE_WAITING || next[record.thread]) continue;
    next[record.thread] = waited_for(record);
    if (next[record.thread]->kind == HEDDLE_COND_RESUME) next[record.thread]->value = mutexes[record.thread];
  }
  return next;
}

std::string Witness::check_circle(size_t begin, std::span<const property::PlannedStep> plan,
                                  std::span<const uint32_t> threads) {
  WitnessMachine machine = machine_at(begin);
  if (std::string refused = follow(machine, begin, plan, {}); !refused.empty()) return refused;
  const std::vector<std::optional<HeddleRecord>> next = next_operations(machine);
  const auto is_of_it = [&](uint32_t other) {
    return std::find(threads.begin(), threads.end(), other) != threads.end();
  };
  for (const uint32_t thread : threads) {
    if (!machine.exists(thread) || machine.has_ended(thread)) return trace_.thread_name(thread) + ": it is not there";
    if (!next[thread]) return trace_.thread_name(thread) + ": what it does next is not known";
    const std::vector<uint32_t> keepers = machine.kept_waiting_by(*next[thread]);
    if (std::none_of(keepers.begin(), keepers.end(), is_of_it))
      return trace_.thread_name(thread) + ": none of them keeps it waiting";
  }
  return threads.empty() ? "nobody waits" : "";
}

std::string Witness::check_halt(std::span<const property::PlannedStep> plan) {
  WitnessMachine machine = machine_at(0);
  if (std::string refused = follow(machine, 0, plan, {}); !refused.empty()) return refused;
  const std::vector<std::optional<HeddleRecord>> next = next_operations(machine);
  for (uint32_t thread = 0; thread < next.size(); ++thread) {
    if (!machine.exists(thread) || machine.has_ended(thread)) continue;
    if (!next[thread]) return trace_.thread_name(thread) + ": what it does next is not known";
    if (machine.refusal(*next[thread], true).empty()) return trace_.thread_name(thread) + ": it can go on";
  }
  return "";
}

std::string Witness::check_use_after_free(std::span<const property::PlannedStep> plan) {
  WitnessMachine machine = machine_at(0);
  if (plan.empty()) return "nothing is planned";
  if (std::string refused = follow(machine, 0, plan.first(plan.size() - 1), {}); !refused.empty()) return refused;
  const causal::EventId use = plan.back().event;
  for (const trace::Event& event : trace_.events) {
    const HeddleRecord& record = event.record;
    if (!trace::is_visible(record) || record.thread != use.thread || record.index != use.index) continue;
    return machine.next(use.thread) == use.index && machine.is_freed(record.address) ? "" : "its memory is not freed";
  }
  return "it is not in the trace";
}

std::string Witness::follow(WitnessMachine& machine, size_t begin, std::span<const property::PlannedStep> plan,
                            std::span<const causal::EventId> last) {
  std::map<causal::EventId, size_t> places;  // of the planned operations
  for (const property::PlannedStep& step : plan) places[step.event] = trace_.events.size();
  for (size_t at = begin, left = places.size(); at < trace_.events.size() && left > 0; ++at) {
    const HeddleRecord& record = trace_.events[at].record;
    const auto place = trace::is_visible(record) ? places.find({record.thread, record.index}) : places.end();
    if (place == places.end()) continue;
    place->second = at;
    --left;
  }
  const auto refuse = [&](causal::EventId event, const std::string& why) {
    return trace_.thread_name(event.thread) + " " + std::to_string(event.index) + ": " + why;
  };
  for (const property::PlannedStep& step : plan) {
    if (step.kind == schedule::StepKind::kWake) {
      machine.wake(step.event.thread);
      continue;
    }
    size_t place = places[step.event];
    if (place == trace_.events.size()) return refuse(step.event, "it is not in the trace");
    if (machine.next(step.event.thread) != step.event.index)
      return refuse(step.event, "it is not what its thread does next");
    const bool matters = std::find(last.begin(), last.end(), step.event) == last.end();
    const std::string why = machine.refusal(trace_.events[place].record, matters);
    if (!why.empty()) return refuse(step.event, why);
    machine.perform(trace_.events[place].record);
    // What a library function wrote is part of its call.
    for (++place; place < trace_.events.size(); ++place) {
      const HeddleRecord& record = trace_.events[place].record;
      if (record.thread != step.event.thread) continue;
      if (record.kind != HEDDLE_EXTERN_WRITE) break;
      machine.perform(record);
    }
  }
  return "";
}

}  // namespace heddle::predict
