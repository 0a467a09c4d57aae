// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_witness.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::predict {
namespace {

class Replay {
 public:
  Replay(const trace::Trace& trace, const symbolic::WalkedTrace& recipe)
      : trace_(trace), recipe_(recipe), next_(trace.threads.size(), 0), conditions_(trace.threads.size(), 0) {
    std::unordered_map<uint64_t, bool> seen;
    for (const trace::Event& event : trace.events) learn(event.record, seen);
  }

  void follow_history(size_t begin) {
    for (size_t at = 0; at < begin; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (!trace::is_visible(record)) continue;
      next_[record.thread] = record.index + 1;
      const bool exchanges = record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS;
      if (exchanges && (record.flags & HEDDLE_FLAG_FAILED)) continue;
      if (exchanges) write(record.address, record.size, record.value2);
      if (record.kind == HEDDLE_STORE || record.kind == HEDDLE_EXTERN_WRITE) {
        write(record.address, std::min<unsigned>(record.size, 8), record.value);
        if (record.size > 8) write(record.address + 8, record.size - 8u, record.value2);
      }
    }
    // What was read there is as it was, and so are the conditions.
    for (size_t t = 0; t < next_.size(); ++t) {
      const auto& all = recipe_.symbolic.threads[t].conditions;
      while (conditions_[t] < all.size() && all[conditions_[t]].before_operation < next_[t]) ++conditions_[t];
    }
  }

  std::string perform(causal::EventId event) {
    if (event.index != next_[event.thread]) return "it is not what its thread does next";
    const symbolic::Operation& operation = recipe_.symbolic.threads[event.thread].operations[event.index];
    const uint64_t address = recipe_.terms.evaluate(operation.address, values_);
    if (operation.read) {
      const std::optional<uint64_t> found = read(address, operation.size);
      if (!found) return "what it reads is not known";
      values_[*operation.read] = *found;
    }
    if (std::string broken = check_conditions(event.thread, event.index + 1); !broken.empty()) return broken;
    if (operation.written) write(address, operation.size, recipe_.terms.evaluate(*operation.written, values_));
    ++next_[event.thread];
    return "";
  }

  // What leads to the operation, which is next; what it reads itself may be anything unless it is `exact`.
  std::string check_next(causal::EventId event, bool is_exact) {
    if (event.index != next_[event.thread]) return "it is not what its thread does next";
    const auto& thread = recipe_.symbolic.threads[event.thread];
    std::optional<solve::Term> own = thread.operations[event.index].read;
    if (own && is_exact) {
      const symbolic::Operation& operation = thread.operations[event.index];
      const std::optional<uint64_t> found = read(recipe_.terms.evaluate(operation.address, values_), operation.size);
      if (!found) return "what it reads is not known";
      values_[*own] = *found;
      own.reset();
    }
    for (size_t& i = conditions_[event.thread];
         i < thread.conditions.size() && thread.conditions[i].before_operation <= event.index; ++i) {
      const std::vector<solve::Term> symbols = recipe_.terms.symbols(thread.conditions[i].holds);
      if (own && std::find(symbols.begin(), symbols.end(), *own) != symbols.end()) continue;
      if (!recipe_.terms.evaluate(thread.conditions[i].holds, values_)) return "a condition does not hold";
    }
    return "";
  }

  std::string check_point(uint32_t thread, size_t conditions, solve::Term wanted) {
    const auto& all = recipe_.symbolic.threads[thread].conditions;
    for (size_t& i = conditions_[thread]; i < conditions; ++i)
      if (!recipe_.terms.evaluate(all[i].holds, values_)) return "a condition does not hold";
    return recipe_.terms.evaluate(wanted, values_) ? "" : "what is wanted does not hold";
  }

 private:
  // What memory held before anybody wrote there.
  void learn(const HeddleRecord& record, std::unordered_map<uint64_t, bool>& seen) {
    const bool reads = record.kind == HEDDLE_LOAD || record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS ||
                       record.kind == HEDDLE_AWAIT;
    if (!reads && record.kind != HEDDLE_STORE && record.kind != HEDDLE_EXTERN_WRITE) return;
    const bool replaced = record.kind == HEDDLE_STORE && (record.flags & HEDDLE_FLAG_REPLACED);
    for (unsigned byte = 0; byte < record.size; ++byte) {
      if (!seen.try_emplace(record.address + byte, true).second || byte >= 8) continue;
      if (reads) memory_[record.address + byte] = static_cast<uint8_t>(record.value >> (8 * byte));
      if (replaced) memory_[record.address + byte] = static_cast<uint8_t>(record.value2 >> (8 * byte));
    }
  }

  std::string check_conditions(uint32_t thread, uint32_t end) {
    const auto& all = recipe_.symbolic.threads[thread].conditions;
    for (size_t& i = conditions_[thread]; i < all.size() && all[i].before_operation < end; ++i)
      if (!recipe_.terms.evaluate(all[i].holds, values_)) return "a condition does not hold";
    return "";
  }

  void write(uint64_t address, unsigned size, uint64_t value) {
    for (unsigned byte = 0; byte < size; ++byte) memory_[address + byte] = static_cast<uint8_t>(value >> (8 * byte));
  }

  std::optional<uint64_t> read(uint64_t address, unsigned size) const {
    uint64_t value = 0;
    for (unsigned byte = 0; byte < size; ++byte) {
      const auto found = memory_.find(address + byte);
      if (found == memory_.end()) return std::nullopt;
      value |= uint64_t{found->second} << (8 * byte);
    }
    return value;
  }

  const trace::Trace& trace_;
  const symbolic::WalkedTrace& recipe_;
  std::unordered_map<uint64_t, uint8_t> memory_;
  solve::Assignment values_;
  std::vector<uint32_t> next_;
  std::vector<size_t> conditions_;  // by thread: how many are behind it
};

std::string follow(Replay& replay, const trace::Trace& trace, size_t begin,
                   std::span<const property::PlannedStep> plan) {
  replay.follow_history(begin);
  for (const property::PlannedStep& step : plan) {
    if (step.kind == schedule::StepKind::kWake) continue;
    if (const std::string refused = replay.perform(step.event); !refused.empty())
      return trace.thread_name(step.event.thread) + " " + std::to_string(step.event.index) + ": " + refused;
  }
  return "";
}

}  // namespace

std::string check_values(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin,
                         std::span<const property::PlannedStep> plan, std::span<const causal::EventId> next,
                         std::optional<causal::EventId> exact) {
  Replay replay(trace, recipe);
  if (std::string refused = follow(replay, trace, begin, plan); !refused.empty()) return refused;
  for (const causal::EventId event : next)
    if (std::string refused = replay.check_next(event, event == exact); !refused.empty()) return refused;
  return "";
}

std::string check_values(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin,
                         std::span<const property::PlannedStep> plan, uint32_t thread, size_t conditions,
                         solve::Term wanted) {
  Replay replay(trace, recipe);
  if (std::string refused = follow(replay, trace, begin, plan); !refused.empty()) return refused;
  return replay.check_point(thread, conditions, wanted);
}

}  // namespace heddle::predict
