// SPDX-License-Identifier: Apache-2.0
//
// A function is called with a wrong first argument.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) {
  const bool passed = site.slot.kind == build::SlotKind::kArgument || site.slot.kind == build::SlotKind::kParameter;
  return passed && site.slot.number == 0;
}

Corruption corrupt(const FaultSite& site, uint64_t, std::mt19937_64& random) {
  const uint64_t bit = draw(random, site.slot.bits);
  return {HEDDLE_FAULT_XOR, uint64_t{1} << bit, fmt::format("bit {}", bit)};
}

}  // namespace

extern const FaultModel call_corruption;
const FaultModel call_corruption{4, "callcorr", "the first argument of a call is corrupted", applies, corrupt};

}  // namespace heddle::propagate
