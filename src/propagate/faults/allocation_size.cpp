// SPDX-License-Identifier: Apache-2.0
//
// A wrong size in an allocation: the block is smaller than what is kept in it.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) {
  if (site.slot.kind != build::SlotKind::kArgument) return false;
  return (site.callee() == "malloc" && site.slot.number == 0) || site.callee() == "calloc" ||
         site.callee() == "_Znwm" || site.callee() == "_Znam";
}

Corruption corrupt(const FaultSite&, uint64_t value, std::mt19937_64& random) {
  const uint64_t less = value == 0 ? 0 : draw(random, value);
  return {HEDDLE_FAULT_SET, less, fmt::format("{} instead of {}", less, value)};
}

}  // namespace

extern const FaultModel allocation_size;
const FaultModel allocation_size{3, "mallsize", "malloc or calloc is asked for less", applies, corrupt};

}  // namespace heddle::propagate
