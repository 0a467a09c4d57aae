// SPDX-License-Identifier: Apache-2.0
#include "causal/first_uses.h"

#include <unordered_map>

namespace heddle::causal {

namespace {

// What these do may depend on anything that the thread knows.
bool uses_everything(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_FENCE:
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_UNLOCK: return false;
    default: return true;
  }
}

}  // namespace

FirstUses::FirstUses(const Execution& execution)
    : first_(execution), late_used_(execution.threads.size()), uses_first_(execution) {
  for (ThreadId t = 0; t < late_used_.size(); ++t)
    for (uint32_t i = 0; i < execution.length(t); ++i) first_[{t, i}] = i;
}

FirstUses::FirstUses(const Execution& execution, const SiteInfluence& influence) : FirstUses(execution) {
  for (ThreadId t = 0; t < late_used_.size(); ++t) {
    const std::vector<HeddleRecord>& operations = execution.threads[t].operations;
    // By site that reads: the next operation that uses it, as seen from the operation at hand.
    std::unordered_map<uint32_t, uint32_t> next_use;
    std::unordered_map<uint32_t, std::vector<uint32_t>> users;  // by site: those reading sites that it depends on
    for (const HeddleRecord& operation : operations)
      if (operation.kind == HEDDLE_LOAD && !influence.steers(operation.site))
        next_use.emplace(operation.site, kNeverUsed);
    for (uint32_t i = static_cast<uint32_t>(operations.size()); i-- > 0;) {
      const HeddleRecord& operation = operations[i];
      const auto found = operation.kind == HEDDLE_LOAD ? next_use.find(operation.site) : next_use.end();
      if (found != next_use.end()) first_[{t, i}] = found->second;
      if (uses_everything(operation)) {
        for (auto& [site, use] : next_use) use = i;
        continue;
      }
      const auto [known, is_new] = users.try_emplace(operation.site);
      if (is_new)
        for (const auto& [site, use] : next_use)
          if (influence.reaches(operation.site, site)) known->second.push_back(site);
      for (const uint32_t site : known->second) next_use[site] = i;
    }
    for (uint32_t i = 0; i < operations.size(); ++i) {
      const uint32_t use = first_[{t, i}];
      if (use == i) continue;
      late_used_[t].push_back(i);
      if (use < operations.size()) uses_first_[{t, use}] = 1;
    }
  }
}

}  // namespace heddle::causal
