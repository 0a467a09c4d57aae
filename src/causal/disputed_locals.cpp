// SPDX-License-Identifier: Apache-2.0
#include "causal/disputed_locals.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "causal/operation.h"
#include "semantics/meaning.h"

namespace heddle::causal {

namespace {

constexpr uint64_t kMostClocks = 100'000'000;  // numbers in clocks; with more, nobody knows

using Clock = std::vector<uint32_t>;  // by thread: so many of its operations come before

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

// Vector clocks over the orders that every execution with the same histories has: program order, creation and end of
// threads, and the write from which a read takes its value.
class LearnedOrder {
 public:
  explicit LearnedOrder(const Execution& execution) : clocks_(execution.threads.size()) {
    now_.resize(execution.threads.size(), Clock(execution.threads.size()));
    std::set<EventId> flushed;
    for (const Happening& happening : execution.order)
      if (happening.is_flush) flushed.insert(happening.event);
    for (ThreadId t = 0; t < execution.threads.size(); ++t) clocks_[t].reserve(execution.length(t));
    for (const Happening& happening : execution.order) {
      const HeddleRecord& operation = execution.operation(happening.event);
      if (happening.is_flush) {
        if (!happening.is_dropped) write(operation, clocks_[happening.event.thread][happening.event.index]);
        continue;
      }
      Clock& clock = now_[happening.event.thread];
      if (reads_memory(operation)) read(operation, clock);
      follow_thread(operation, clock);
      clock[happening.event.thread] = happening.event.index + 1;
      clocks_[happening.event.thread].push_back(clock);
      if (writes_memory(operation) && !flushed.contains(happening.event)) write(operation, clock);
    }
  }

  bool before(EventId one, EventId other) const {
    const std::vector<Clock>& clocks = clocks_[other.thread];
    return other.index < clocks.size() && clocks[other.index][one.thread] > one.index;
  }

 private:
  template <typename Visit>
  void for_words(const HeddleRecord& access, Visit visit) {
    for (uint64_t word = access.address / 8; word * 8 < access.address + access.size; ++word) visit(words_[word]);
  }
  void read(const HeddleRecord& access, Clock& clock) {
    for_words(access, [&](const Clock& written) { join(clock, written); });
  }
  void write(const HeddleRecord& access, const Clock& clock) {
    for_words(access, [&](Clock& written) { written = clock; });
  }
  void follow_thread(const HeddleRecord& operation, Clock& clock) {
    const bool is_known = operation.value < now_.size() && !semantics::gave_up(operation);
    switch (semantics::effect_of(operation)) {
      case HEDDLE_EFFECT_CREATE:
        if (is_known) {
          join(now_[operation.value], clock);
          now_[operation.value][operation.thread] = operation.index + 1;
        }
        break;
      case HEDDLE_EFFECT_JOIN:
        if (is_known) join(clock, now_[operation.value]);
        break;
      default: break;
    }
  }

  std::vector<Clock> now_;                  // by thread
  std::vector<std::vector<Clock>> clocks_;  // by thread and operation, which is included
  std::unordered_map<uint64_t, Clock> words_;
};

// Waking those who wait for a word does not look at it.
bool is_use(const HeddleRecord& operation) {
  if (operation.kind == HEDDLE_NOTIFY) return false;
  return reads_memory(operation) || writes_memory(operation) || semantics::uses_object(operation.kind);
}

struct Use {
  uint64_t address;
  EventId event;
};

}  // namespace

bool has_disputed_locals(const Execution& execution) {
  if (execution.local_ends.empty() || execution.threads.size() < 2) return false;
  // Which thread has locals where: other threads seldom go there at all.
  std::vector<std::pair<uint64_t, uint64_t>> stacks(execution.threads.size(), {UINT64_MAX, 0});
  for (const LocalEnd& end : execution.local_ends) {
    auto& [lowest, highest] = stacks[end.before.thread];
    lowest = std::min(lowest, end.address);
    highest = std::max(highest, end.address + end.size);
  }
  std::vector<std::vector<Use>> uses(execution.threads.size());  // of others, by the owner of the stack
  for (const ThreadPart& part : execution.threads)
    for (const HeddleRecord& operation : part.operations)
      for (ThreadId owner = 0; owner < stacks.size(); ++owner)
        if (owner != operation.thread && operation.address >= stacks[owner].first &&
            operation.address < stacks[owner].second && is_use(operation))
          uses[owner].push_back({operation.address, {operation.thread, operation.index}});
  if (std::all_of(uses.begin(), uses.end(), [](const auto& list) { return list.empty(); })) return false;
  uint64_t operations = 0;
  for (const ThreadPart& part : execution.threads) operations += part.operations.size();
  if (operations * execution.threads.size() > kMostClocks) return true;
  const LearnedOrder order(execution);
  for (const LocalEnd& end : execution.local_ends) {
    for (const Use& use : uses[end.before.thread]) {
      if (use.address < end.address || use.address >= end.address + end.size) continue;
      if (end.before.index == 0) return true;
      const EventId leaves = {end.before.thread, end.before.index - 1};
      if (!order.before(use.event, leaves) && !order.before(leaves, use.event)) return true;
    }
  }
  return false;
}

}  // namespace heddle::causal
