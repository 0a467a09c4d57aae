// SPDX-License-Identifier: Apache-2.0
#include "reproduce/ordered_schedule.h"

#include <limits>
#include <map>
#include <set>

#include "base/check.h"
#include "schedule/from_trace.h"

namespace heddle::reproduce {
namespace {

constexpr size_t kNever = std::numeric_limits<size_t>::max();

// Every signal goes to the waiting thread that resumes first; if any assignment
// works, this one does.
void assign_signals(std::vector<trace::Event>& events) {
  std::map<size_t, size_t> resumed_at;  // by place of the wait
  std::map<uint32_t, size_t> waits;     // by thread: place of its wait
  for (size_t at = 0; at < events.size(); ++at) {
    const HeddleRecord& record = events[at].record;
    if (record.kind == HEDDLE_COND_WAIT) waits[record.thread] = at;
    if (record.kind == HEDDLE_COND_RESUME && waits.contains(record.thread)) resumed_at[waits[record.thread]] = at;
  }
  std::map<uint64_t, std::set<std::pair<size_t, uint32_t>>> waiting;  // by condition: when it resumes, thread
  for (size_t at = 0; at < events.size(); ++at) {
    HeddleRecord& record = events[at].record;
    auto& threads = waiting[record.address];
    switch (record.kind) {
      case HEDDLE_COND_WAIT: threads.insert({resumed_at.contains(at) ? resumed_at[at] : kNever, record.thread}); break;
      case HEDDLE_COND_BROADCAST: threads.clear(); break;
      case HEDDLE_COND_SIGNAL:
        record.value = threads.empty() ? 0 : threads.begin()->second + 1;
        if (!threads.empty()) threads.erase(threads.begin());
        break;
      default: break;
    }
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
  ordered.events.erase(ordered.events.begin(), ordered.events.begin() + before);
  schedule::Schedule schedule = schedule::from_trace(ordered, ordered.events.size());
  if (beginning)
    schedule.steps.insert(schedule.steps.begin(), beginning->schedule.steps.begin(), beginning->schedule.steps.end());
  return schedule;
}

}  // namespace heddle::reproduce
