// SPDX-License-Identifier: Apache-2.0
//
// A wrong size in file transfer: fread or fwrite is asked for more than there is room for.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) {
  const bool transfers = site.callee() == "fread" || site.callee() == "fwrite";
  return transfers && site.slot.kind == build::SlotKind::kArgument && (site.slot.number == 1 || site.slot.number == 2);
}

Corruption corrupt(const FaultSite& site, uint64_t value, std::mt19937_64& random) {
  const uint64_t more = 1 + draw(random, value < 1024 ? 1024 : value);
  return {HEDDLE_FAULT_SET, value + more,
          fmt::format("{} {} instead of {}", site.slot.number == 1 ? "size" : "count", value + more, value)};
}

}  // namespace

extern const FaultModel file_size;
const FaultModel file_size{2, "filesize", "fread or fwrite is given a larger size", applies, corrupt};

}  // namespace heddle::propagate
