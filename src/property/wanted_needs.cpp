// SPDX-License-Identifier: Apache-2.0
#include "property/wanted_needs.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "semantics/meaning.h"

namespace heddle::property {

using causal::ThreadId;

WantedNeeds::WantedNeeds(const causal::Dependences& dependences, const causal::FirstUses* uses)
    : dependences_(dependences), uses_(uses), wanted_(dependences.execution()), next_(dependences.execution(), 0, 1) {
  const causal::Execution& execution = dependences.execution();
  std::vector<std::pair<uint32_t, WantedNeed>> by_operation;  // with which they come to be needed
  std::vector<WantedNeed> wanted;
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    const uint32_t length = execution.length(t);
    by_operation.clear();
    for (uint32_t i = 0; i < length; ++i) {
      const uint32_t asks = uses ? uses->of({t, i}) : i;
      if (asks >= length) continue;
      for (const causal::Need& need : dependences.needs({t, i})) by_operation.push_back({asks, {&need, i}});
    }
    std::sort(by_operation.begin(), by_operation.end(), [](const auto& one, const auto& other) {
      return std::tie(one.first, one.second.needer, one.second.need) <
             std::tie(other.first, other.second.needer, other.second.need);
    });
    uint32_t next = length;
    next_[{t, length}] = length;
    for (uint32_t i = length; i-- > 0;) {
      wanted.clear();
      for (; !by_operation.empty() && by_operation.back().first == i; by_operation.pop_back())
        wanted.push_back(by_operation.back().second);
      std::reverse(wanted.begin(), wanted.end());
      wanted_[{t, i}] = store_.keep(wanted);
      if (!wanted.empty()) next = i;
      next_[{t, i}] = next;
      has_semaphores_ |= semantics::family_of(execution.operation({t, i})) == HEDDLE_FAMILY_SEMAPHORE;
    }
  }
}

}  // namespace heddle::property
