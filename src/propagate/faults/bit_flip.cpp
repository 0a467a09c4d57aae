// SPDX-License-Identifier: Apache-2.0
//
// A particle hits a register: one or more bits of what an instruction computes are inverted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) { return site.computes(); }

Corruption corrupt(const FaultSite& site, uint64_t, std::mt19937_64& random) {
  std::set<uint64_t> bits;
  uint64_t inverted = 0;
  while (bits.size() < std::min<uint64_t>(site.options.bits, site.slot.bits)) {
    const uint64_t bit = draw(random, site.slot.bits);
    bits.insert(bit);
    inverted |= uint64_t{1} << bit;
  }
  return {HEDDLE_FAULT_XOR, inverted, fmt::format("bit{} {}", bits.size() == 1 ? "" : "s", fmt::join(bits, " "))};
}

}  // namespace

extern const FaultModel bit_flip;
const FaultModel bit_flip{1, "bitflip", "a bit of a computed value is inverted; with --bits, several", applies,
                          corrupt};

}  // namespace heddle::propagate
