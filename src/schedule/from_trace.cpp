// SPDX-License-Identifier: Apache-2.0
//
// Whom did a NOTIFY wake? A waiter that resumed without time-out or spurious
// wake-up was woken once, between its AWAIT and its AWAIT_RESUME. Several
// assignments of waiters to notifications may satisfy that, and all of them
// replay to the same trace, because being woken shows only in the resumption.
// To find one, each notification takes those of its waiters that resume
// soonest (the rule that finds an assignment whenever there is one); among
// those that had not resumed when the trace ended, the longest waiting.
#include "schedule/from_trace.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "abi/semantics.h"
#include "base/check.h"

namespace heddle::schedule {
namespace {

constexpr size_t kNever = std::numeric_limits<size_t>::max();

// In the order in which a notification takes them. Times are places in the trace.
struct Waiter {
  size_t resumes_at = kNever;
  size_t waits_since = 0;
  uint32_t thread = 0;
  auto operator<=>(const Waiter&) const = default;
};

HeddleMeaning meaning_of(const HeddleRecord& record) { return heddle_meaning(static_cast<HeddleKind>(record.kind)); }

bool has_meaning(const HeddleRecord& record, HeddleFamily family, HeddleEffect effect) {
  const HeddleMeaning meaning = meaning_of(record);
  return meaning.family == family && meaning.effect == effect;
}

bool waits(const HeddleRecord& record) {
  return has_meaning(record, HEDDLE_FAMILY_WORD, HEDDLE_EFFECT_WAIT) && !(record.flags & HEDDLE_FLAG_FAILED);
}
bool resumes(const HeddleRecord& record) { return has_meaning(record, HEDDLE_FAMILY_WORD, HEDDLE_EFFECT_RESUME); }

class Converter {
 public:
  Converter(const trace::Trace& trace, size_t events, const std::function<void(Step)>& take)
      : trace_(trace),
        take_(take),
        events_(std::min(events, trace.events.size())),
        names_(thread_names(trace)),
        places_(trace.sites.size() + 1),
        next_index_(trace.threads.size()) {
    HEDDLE_CHECK(trace.header.mode == trace::Mode::kControlled, "only a controlled run follows a schedule");
    find_resumptions();
  }

  Schedule convert() {
    schedule_.module_hash = trace_.header.module_hash;
    schedule_.instrumentation_version = trace_.header.instrumentation_version;
    const auto model = find_memory_model(trace_.header.memory_model);
    HEDDLE_CHECK(model || trace_.header.memory_model.empty(), "a controlled run has a memory model that can be run");
    schedule_.memory_model = model.value_or(MemoryModel::kSc);
    for (size_t at = 0; at < events_; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (record.thread >= names_.size()) continue;
      // A store that was dropped did not choose to be.
      if (record.kind == HEDDLE_FLUSH && !(record.flags & HEDDLE_FLAG_FAILED)) add_step(record);
      if (!trace::is_visible(record)) continue;
      const bool is_misuse = record.kind == HEDDLE_FAIL && record.value == HEDDLE_FAILURE_MISUSE;
      if (record.kind != HEDDLE_EXTERN_WRITE && !is_misuse) add_step(record);  // these take no turn
      next_index_[record.thread] = record.index + 1;
      follow_waiters(record, at);
    }
    return std::move(schedule_);
  }

 private:
  // For each wait, by its place: where it is resumed because of a notification.
  void find_resumptions() {
    std::vector<size_t> waiting_since(trace_.threads.size(), kNever);
    for (size_t at = 0; at < events_; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (record.thread >= waiting_since.size()) continue;
      if (waits(record)) {
        waiting_since[record.thread] = at;
        resumed_[at] = kNever;
      } else if (resumes(record) && waiting_since[record.thread] != kNever) {
        const size_t since = waiting_since[record.thread];
        if (record.flags & (HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS)) {
          resumed_.erase(since);
        } else {
          resumed_[since] = at;
        }
        waiting_since[record.thread] = kNever;
      }
    }
  }

  void add_step(const HeddleRecord& record) {
    Step step;
    step.thread = names_[record.thread];
    step.index = record.index;
    step.kind = kind_of(record);
    if (step.kind == StepKind::kNondet) step.value = static_cast<int64_t>(record.value);
    if (record.kind != HEDDLE_FAIL) step.site = record.site;
    step.place = place_of(record.site);
    take_(std::move(step));
  }

  static StepKind kind_of(const HeddleRecord& record) {
    if (record.kind == HEDDLE_NONDET) return StepKind::kNondet;
    if (record.kind == HEDDLE_FLUSH) return StepKind::kFlush;
    // Time-outs and spurious wake-ups of condition variables are the steps of COND_LEAVE.
    if (has_meaning(record, HEDDLE_FAMILY_CONDITION, HEDDLE_EFFECT_RESUME)) return StepKind::kOp;
    if (record.flags & HEDDLE_FLAG_TIMEOUT) return StepKind::kTimeout;
    if (record.flags & HEDDLE_FLAG_SPURIOUS) return StepKind::kSpurious;
    return StepKind::kOp;
  }

  const std::string& place_of(uint32_t site) {
    if (site >= trace_.sites.size()) site = 0;
    std::string& place = places_[site];
    if (site == 0) return place;
    const trace::Site& source = trace_.sites[site];
    if (place.empty() && !source.file.empty()) {
      place = source.file + ':' + std::to_string(source.line) + ':' + std::to_string(source.column);
    }
    return place;
  }

  void add_wake(uint32_t thread) {
    Step step;
    step.kind = StepKind::kWake;
    step.thread = names_[thread];
    step.index = next_index_[thread];
    take_(std::move(step));
  }

  void follow_waiters(const HeddleRecord& record, size_t at) {
    if (record.kind == HEDDLE_COND_SIGNAL) {
      if (record.value != 0 && record.value <= names_.size()) add_wake(static_cast<uint32_t>(record.value - 1));
    } else if (waits(record)) {
      // A wait that timed out or woke spuriously was never notified.
      const auto resumption = resumed_.find(at);
      if (resumption != resumed_.end()) waiters_[record.address].insert({resumption->second, at, record.thread});
    } else if (record.kind == HEDDLE_NOTIFY) {
      notify(record);
    } else if (resumes(record)) {
      // It is still in the set when notify() could not assign all waiters.
      std::set<Waiter>& waiting = waiters_[record.address];
      if (!waiting.empty() && waiting.begin()->resumes_at == at) waiting.erase(waiting.begin());
    }
  }

  void notify(const HeddleRecord& record) {
    std::set<Waiter>& waiting = waiters_[record.address];
    if (record.value > waiting.size()) return;  // some are unknown: the runtime chooses by its own rule
    for (uint64_t woken = 0; woken < record.value; ++woken) {
      add_wake(waiting.begin()->thread);
      waiting.erase(waiting.begin());
    }
  }

  const trace::Trace& trace_;
  const std::function<void(Step)>& take_;
  const size_t events_;  // so many of them
  const std::vector<ThreadName> names_;
  std::vector<std::string> places_;  // by site, made when first asked for
  std::vector<uint32_t> next_index_;
  std::unordered_map<size_t, size_t> resumed_;
  std::unordered_map<uint64_t, std::set<Waiter>> waiters_;  // not woken yet, by address
  Schedule schedule_;
};

}  // namespace

std::vector<ThreadName> thread_names(const trace::Trace& trace) {
  std::vector<ThreadName> names(trace.threads.size());
  for (size_t i = 1; i < names.size(); ++i) {
    const trace::Thread& thread = trace.threads[i];
    if (thread.parent < i) names[i] = names[thread.parent].child(thread.child_number);
  }
  return names;
}

Schedule visit_steps(const trace::Trace& trace, size_t events, const std::function<void(Step)>& take) {
  return Converter(trace, events, take).convert();
}

Schedule from_trace(const trace::Trace& trace, size_t events) {
  std::vector<Step> steps;
  Schedule schedule = visit_steps(trace, events, [&](Step step) { steps.push_back(std::move(step)); });
  schedule.steps = std::move(steps);
  return schedule;
}

}  // namespace heddle::schedule
