// SPDX-License-Identifier: Apache-2.0
//
// A store is lost: memory keeps what it has.
#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) { return site.slot.kind == build::SlotKind::kStored; }

Corruption corrupt(const FaultSite&, uint64_t, std::mt19937_64&) { return {HEDDLE_FAULT_KEEP_OLD, 0, "not stored"}; }

}  // namespace

extern const FaultModel dropped_store;
const FaultModel dropped_store{7, "dropstore", "a store does not reach memory", applies, corrupt};

}  // namespace heddle::propagate
