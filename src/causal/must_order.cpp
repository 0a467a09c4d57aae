// SPDX-License-Identifier: Apache-2.0
#include "causal/must_order.h"

#include <algorithm>

#include "semantics/meaning.h"

namespace heddle::causal {

MustOrder::MustOrder(const Execution& execution) : threads_(execution.threads.size()) {
  size_t operations = 0;
  for (const ThreadPart& part : execution.threads) {
    begins_.push_back(operations);
    operations += part.operations.size();
  }
  clocks_.resize(operations * threads_);
  // Creator of each thread; known before the child's first operation happens.
  std::vector<EventId> created_by(threads_);
  std::vector<bool> is_created(threads_, false);
  for (const Happening& happening : execution.order) {
    if (happening.is_flush) continue;
    const EventId event = happening.event;
    const HeddleRecord& operation = execution.operation(event);
    uint32_t* own = &clocks_[(begins_[event.thread] + event.index) * threads_];
    const auto join = [&](EventId other) {
      const uint32_t* theirs = clock(other);
      for (size_t t = 0; t < threads_; ++t) own[t] = std::max(own[t], theirs[t]);
    };
    if (event.index > 0) join({event.thread, event.index - 1});
    own[event.thread] = event.index + 1;
    const HeddleEffect effect = semantics::effect_of(operation);
    const bool has_other = operation.value < threads_ && !semantics::gave_up(operation);
    if (effect == HEDDLE_EFFECT_CREATE && has_other) {
      created_by[operation.value] = event;
      is_created[operation.value] = true;
    } else if (effect == HEDDLE_EFFECT_START && is_created[event.thread]) {
      join(created_by[event.thread]);
    } else if (effect == HEDDLE_EFFECT_JOIN && has_other &&
               execution.length(static_cast<ThreadId>(operation.value)) > 0) {
      const ThreadId joined = static_cast<ThreadId>(operation.value);
      join({joined, execution.length(joined) - 1});
    }
  }
}

}  // namespace heddle::causal
