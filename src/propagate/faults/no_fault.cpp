// SPDX-License-Identifier: Apache-2.0
//
// No fault at all. Whatever deviates in such a run is a false alarm.
#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite&) { return true; }

Corruption corrupt(const FaultSite&, uint64_t, std::mt19937_64&) { return {HEDDLE_FAULT_NONE, 0, ""}; }

}  // namespace

extern const FaultModel no_fault;
const FaultModel no_fault{10, "none", "no fault: whatever deviates is a false alarm", applies, corrupt};

}  // namespace heddle::propagate
