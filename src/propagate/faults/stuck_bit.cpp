// SPDX-License-Identifier: Apache-2.0
//
// A circuit is broken: from some time on, one bit of what an instruction computes in this
// thread is always the same.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) { return site.computes(); }

Corruption corrupt(const FaultSite& site, uint64_t, std::mt19937_64& random) {
  const uint64_t bit = draw(random, site.slot.bits);
  const bool one = draw(random, 2) == 1;
  return {one ? HEDDLE_FAULT_STUCK_ONE : HEDDLE_FAULT_STUCK_ZERO, uint64_t{1} << bit,
          fmt::format("bit {} is {}", bit, one ? 1 : 0)};
}

}  // namespace

extern const FaultModel stuck_bit;
const FaultModel stuck_bit{6, "stuckat", "a bit of what an instruction computes stays 0 or 1 from then on", applies,
                           corrupt};

}  // namespace heddle::propagate
