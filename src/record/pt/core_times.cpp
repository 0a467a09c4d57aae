// SPDX-License-Identifier: Apache-2.0
#include "record/pt/core_times.h"

#include <algorithm>

namespace heddle::record::pt {

CoreTimes::CoreTimes(const std::vector<Switch>& switches) {
  std::map<uint32_t, std::optional<Turn>> open;
  const auto close = [&](uint32_t core, uint64_t time) {
    std::optional<Turn>& turn = open[core];
    if (!turn) return;
    turn->end = std::max(time, turn->begin);
    turns_[core].push_back(*turn);
    turn.reset();
  };
  for (const Switch& change : switches) {
    if (change.comes) {
      if (open[change.core]) fits_together_ = false;
      close(change.core, change.time);
      const std::vector<Turn>& before = turns_[change.core];
      open[change.core] = Turn{change.thread, change.time, before.empty() ? 0 : before.back().end + 1, UINT64_MAX};
    } else if (open[change.core] && open[change.core]->thread == change.thread) {
      close(change.core, change.time);
    }
  }
  for (const auto& [core, turn] : open) close(core, UINT64_MAX);
}

std::vector<uint32_t> CoreTimes::cores() const {
  std::vector<uint32_t> result;
  for (const auto& [core, turns] : turns_) result.push_back(core);
  return result;
}

const Turn* CoreTimes::turn_at(uint32_t core, uint64_t time) const {
  const auto found = turns_.find(core);
  if (found == turns_.end()) return nullptr;
  const auto turn = std::lower_bound(found->second.begin(), found->second.end(), time,
                                     [](const Turn& each, uint64_t at) { return each.end < at; });
  return turn != found->second.end() && turn->begin <= time ? &*turn : nullptr;
}

std::vector<const Turn*> CoreTimes::turns_between(uint32_t core, uint64_t first, uint64_t last) const {
  std::vector<const Turn*> result;
  if (const auto found = turns_.find(core); found != turns_.end())
    for (const Turn& turn : found->second)
      if (turn.begin <= last && turn.end >= first) result.push_back(&turn);
  return result;
}

}  // namespace heddle::record::pt
