// SPDX-License-Identifier: Apache-2.0
//
// A particle hits a register: one bit of what an instruction computes is inverted.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) { return site.computes(); }

Corruption corrupt(const FaultSite& site, uint64_t, std::mt19937_64& random) {
  const uint64_t bit = draw(random, site.slot.bits);
  return {HEDDLE_FAULT_XOR, uint64_t{1} << bit, fmt::format("bit {}", bit)};
}

}  // namespace

extern const FaultModel bit_flip;
const FaultModel bit_flip{1, "bitflip", "one bit of a computed value is inverted", applies, corrupt};

}  // namespace heddle::propagate
