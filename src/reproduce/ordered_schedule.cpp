// SPDX-License-Identifier: Apache-2.0
#include "reproduce/ordered_schedule.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/check.h"
#include "schedule/from_trace.h"
#include "semantics/meaning.h"

namespace heddle::reproduce {
namespace {

constexpr size_t kNever = std::numeric_limits<size_t>::max();

bool is_in_queue(const HeddleRecord& record) {
  const HeddleFamily family = semantics::family_of(record);
  return family == HEDDLE_FAMILY_CONDITION || family == HEDDLE_FAMILY_WORD;
}

// The wait ends here, and nobody woke it.
bool leaves(const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  return effect == HEDDLE_EFFECT_LEAVE || (effect == HEDDLE_EFFECT_RESUME && !semantics::was_woken(record));
}

// By place of each wait that is woken: where it resumes.
std::map<size_t, size_t> find_resumptions(const std::vector<trace::Event>& events) {
  std::map<size_t, size_t> resumed_at;
  std::map<uint32_t, size_t> waits;  // by thread: place of its wait
  for (size_t at = 0; at < events.size(); ++at) {
    const HeddleRecord& record = events[at].record;
    if (!is_in_queue(record)) continue;
    const HeddleEffect effect = semantics::effect_of(record);
    if (effect == HEDDLE_EFFECT_WAIT && !semantics::gave_up(record)) waits[record.thread] = at;
    const auto wait = waits.find(record.thread);
    if (wait == waits.end() || (effect != HEDDLE_EFFECT_RESUME && effect != HEDDLE_EFFECT_LEAVE)) continue;
    if (!leaves(record)) resumed_at[wait->second] = at;
    waits.erase(wait);
  }
  return resumed_at;
}

// Every signal goes to the waiting thread that resumes first; if any assignment
// works, this one does. Whom a NOTIFY wakes, schedule::from_trace finds in the same way.
void assign_signals(std::vector<trace::Event>& events) {
  const std::map<size_t, size_t> resumed_at = find_resumptions(events);
  std::map<uint64_t, std::set<std::pair<size_t, uint32_t>>> waiting;  // by object: when it resumes, thread
  for (size_t at = 0; at < events.size(); ++at) {
    HeddleRecord& record = events[at].record;
    if (!is_in_queue(record)) continue;
    auto& threads = waiting[record.address];
    if (leaves(record)) std::erase_if(threads, [&](const auto& other) { return other.second == record.thread; });
    const HeddleEffect effect = semantics::effect_of(record);
    if (effect == HEDDLE_EFFECT_WAIT && !semantics::gave_up(record)) {
      const auto resumption = resumed_at.find(at);
      threads.insert({resumption == resumed_at.end() ? kNever : resumption->second, record.thread});
    }
    if (effect != HEDDLE_EFFECT_WAKE || semantics::gave_up(record)) continue;
    const uint64_t woken = std::min<uint64_t>(semantics::most_woken(record), threads.size());
    // A COND_SIGNAL says whom it woke, the others how many.
    record.value = record.kind == HEDDLE_COND_SIGNAL && woken ? threads.begin()->second + uint64_t{1} : woken;
    threads.erase(threads.begin(), std::next(threads.begin(), static_cast<ptrdiff_t>(woken)));
  }
}

}  // namespace

schedule::Schedule schedule_in_order(const KnownPaths& known, const std::vector<OrderStep>& order,
                                     schedule::MemoryModel memory, const Beginning* beginning) {
  std::map<OperationId, const HeddleRecord*> records;
  for (uint32_t t = 0; t < known.threads().size(); ++t) {
    const uint32_t performed = beginning && t < beginning->performed.size() ? beginning->performed[t] : 0;
    for (const HeddleRecord& record : known.threads()[t].records)
      if (record.index >= performed && trace::is_visible(record))
        records.insert(records.end(), {{t, record.index}, &record});
  }
  trace::Trace ordered = known.frame();
  ordered.header.memory_model = schedule::memory_model_name(memory);
  if (beginning)
    for (const HeddleRecord& wait : beginning->asleep) ordered.events.push_back({wait, 0});
  const auto before = static_cast<ptrdiff_t>(ordered.events.size());
  for (const OrderStep& step : order) {
    const auto found = records.find(step.operation);
    HEDDLE_CHECK(found != records.end(), "the order has operations of known ways only");
    trace::Event event;
    event.record = *found->second;
    if (step.is_flush) event.record.kind = HEDDLE_FLUSH;
    event.record.flags &= static_cast<uint8_t>(step.is_flush ? 0 : 0xff);
    ordered.events.push_back(event);
  }
  assign_signals(ordered.events);
  schedule::Schedule schedule = schedule::from_trace(ordered, ordered.events.size());
  schedule.steps.erase(schedule.steps.begin(), schedule.steps.begin() + before);  // each of these waits is one step
  if (beginning)
    schedule.steps.insert(schedule.steps.begin(), beginning->schedule.steps.begin(), beginning->schedule.steps.end());
  return schedule;
}

}  // namespace heddle::reproduce
