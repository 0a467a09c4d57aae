// SPDX-License-Identifier: Apache-2.0
//
// An allocation returns a pointer that points elsewhere.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) {
  const std::string& callee = site.callee();
  return site.slot.kind == build::SlotKind::kResult &&
         (callee == "malloc" || callee == "calloc" || callee == "_Znwm" || callee == "_Znam");
}

Corruption corrupt(const FaultSite&, uint64_t, std::mt19937_64& random) {
  const uint64_t bit = draw(random, 48);
  return {HEDDLE_FAULT_XOR, uint64_t{1} << bit, fmt::format("bit {}", bit)};
}

}  // namespace

extern const FaultModel invalid_pointer;
const FaultModel invalid_pointer{5, "invalptr", "malloc or calloc returns a wrong pointer", applies, corrupt};

}  // namespace heddle::propagate
