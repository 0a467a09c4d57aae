// SPDX-License-Identifier: Apache-2.0
//
// A wake-up is lost: a signal goes to an object that nobody waits for.
#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) {
  if (site.slot.kind != build::SlotKind::kArgument || site.slot.number != 0) return false;
  const std::string& callee = site.callee();
  return callee == "pthread_cond_signal" || callee == "pthread_cond_broadcast" || callee == "sem_post" ||
         callee == "cnd_signal" || callee == "cnd_broadcast";
}

Corruption corrupt(const FaultSite&, uint64_t, std::mt19937_64&) { return {HEDDLE_FAULT_NOBODY, 0, "lost"}; }

}  // namespace

extern const FaultModel lost_wakeup;
const FaultModel lost_wakeup{9, "lostwakeup", "a signal, broadcast or post wakes nobody", applies, corrupt};

}  // namespace heddle::propagate
