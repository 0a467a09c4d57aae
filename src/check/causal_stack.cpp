// SPDX-License-Identifier: Apache-2.0
#include "check/causal_stack.h"

#include "check/bitset_stack.h"
#include "check/clock_stack.h"

namespace heddle::check {

std::unique_ptr<CausalStack> CausalStack::make(Races wanted, schedule::MemoryModel memory) {
  if (memory == schedule::MemoryModel::kSc && wanted == Races::kNearest) return std::make_unique<ClockStack>();
  return std::make_unique<BitsetStack>(wanted);
}

}  // namespace heddle::check
