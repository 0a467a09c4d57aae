// SPDX-License-Identifier: Apache-2.0
#include "reproduce/beginning.h"

#include <algorithm>
#include <numeric>

#include "reproduce/failing_run.h"
#include "reproduce/lasting_effects.h"
#include "schedule/from_trace.h"
#include "semantics/meaning.h"

namespace heddle::reproduce {
namespace {

// By number of the trace: that of the same thread as known.
std::vector<uint32_t> numbers_of(const trace::Trace& trace, const KnownPaths& known) {
  std::vector<uint32_t> numbers;
  for (uint32_t t = 0; t < trace.threads.size(); ++t) numbers.push_back(known.find(trace.thread_name(t)));
  return numbers;
}

// How many events come before the cut. Events that belong to the call before them stay with it.
std::optional<size_t> find_cut(const trace::Trace& trace, const std::vector<uint32_t>& numbers,
                               std::vector<uint64_t> to_do, uint64_t left) {
  uint64_t rest = std::accumulate(to_do.begin(), to_do.end(), uint64_t{0});
  if (rest <= left) return std::nullopt;
  bool is_enough = false;
  for (size_t at = 0; at < trace.events.size(); ++at) {
    const HeddleRecord& record = trace.events[at].record;
    if (!trace::is_visible(record)) continue;
    if (is_enough && record.kind != HEDDLE_EXTERN_WRITE) return at;
    const uint32_t thread = record.thread < numbers.size() ? numbers[record.thread] : kNobody;
    if (thread == kNobody || to_do[thread] == 0 || record.kind == HEDDLE_FAIL || record.kind == HEDDLE_EXIT)
      return std::nullopt;
    --to_do[thread];
    is_enough = --rest <= left;
  }
  return std::nullopt;
}

void write(const HeddleRecord& record, std::map<uint64_t, uint8_t>& memory) {
  const bool updates = (record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS) && !(record.flags & HEDDLE_FLAG_FAILED);
  if (record.kind != HEDDLE_STORE && record.kind != HEDDLE_EXTERN_WRITE && !updates) return;
  if (record.size > 8) return;  // the machine does not look at such accesses
  const uint64_t value = updates ? record.value2 : record.value;
  for (uint32_t i = 0; i < record.size; ++i) memory[record.address + i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace

uint64_t Beginning::operations() const { return std::accumulate(performed.begin(), performed.end(), uint64_t{0}); }

std::vector<uint64_t> known_operations(const KnownPaths& known) {
  std::vector<uint64_t> result;
  for (const KnownThread& thread : known.threads()) {
    const auto end =
        thread.records.begin() + static_cast<ptrdiff_t>(std::min(thread.agreement.records, thread.records.size()));
    result.push_back(static_cast<uint64_t>(std::count_if(
        thread.records.begin(), end, [](const HeddleRecord& record) { return trace::is_visible(record); })));
  }
  return result;
}

std::optional<Beginning> beginning_of(const trace::Trace& trace, const KnownPaths& known, uint64_t left) {
  const std::vector<uint32_t> numbers = numbers_of(trace, known);
  const std::optional<size_t> cut = find_cut(trace, numbers, known_operations(known), left);
  if (!cut) return std::nullopt;
  Beginning result;
  result.schedule = schedule::from_trace(trace, *cut);
  result.performed.assign(known.threads().size(), 0);
  const std::vector<schedule::ThreadName> names = schedule::thread_names(trace);
  LastingEffects effects;
  auto step = result.schedule.steps.begin();
  const auto is_left = [&] { return step != result.schedule.steps.end(); };
  for (size_t at = 0; at < *cut; ++at) {
    HeddleRecord record = trace.events[at].record;
    if (!trace::is_visible(record)) continue;
    record.thread = numbers[record.thread];
    ++result.performed[record.thread];
    write(record, result.memory);
    const HeddleEffect effect = semantics::effect_of(record);
    const bool names_thread = effect == HEDDLE_EFFECT_CREATE || effect == HEDDLE_EFFECT_JOIN;
    if (names_thread) record.value = record.value < numbers.size() ? numbers[record.value] : kNobody;
    if (record.kind == HEDDLE_COND_SIGNAL && record.value)
      record.value = record.value <= numbers.size() ? numbers[record.value - 1] + uint64_t{1} : 0;
    effects.perform(record);
    if (semantics::family_of(record) != HEDDLE_FAMILY_WORD || effect != HEDDLE_EFFECT_WAKE) continue;
    // The schedule says whom a NOTIFY woke, right behind it.
    const auto is_here = [&] {
      return step->kind == schedule::StepKind::kOp && step->index == trace.events[at].record.index &&
             step->thread == names[trace.events[at].record.thread];
    };
    while (is_left() && !is_here()) ++step;
    if (is_left()) ++step;
    for (; is_left() && step->kind == schedule::StepKind::kWake; ++step)
      if (const uint32_t woken = known.find(step->thread.text()); woken != kNobody) effects.wake(woken);
  }
  result.lasting = effects.operations();
  result.asleep = effects.asleep();
  return result;
}

}  // namespace heddle::reproduce
