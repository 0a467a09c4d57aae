// SPDX-License-Identifier: Apache-2.0
#include "oracle/races.h"

#include "oracle/race_search.h"

namespace heddle::oracle {

Races find_races(const Program& program, MemoryModel model, const Limits& limits) {
  return RaceSearch(program, model, limits, {}).run();
}

}  // namespace heddle::oracle
