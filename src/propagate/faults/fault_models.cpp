// SPDX-License-Identifier: Apache-2.0
#include "propagate/faults/fault_model.h"

namespace heddle::propagate {

extern const FaultModel bit_flip, file_size, allocation_size, call_corruption, invalid_pointer, stuck_bit,
    dropped_store, delayed_thread, lost_wakeup, no_fault;

const std::vector<const FaultModel*>& fault_models() {
  static const std::vector<const FaultModel*> kAll = {&bit_flip,        &file_size, &allocation_size, &call_corruption,
                                                      &invalid_pointer, &stuck_bit, &dropped_store,   &delayed_thread,
                                                      &lost_wakeup,     &no_fault};
  return kAll;
}

const FaultModel* fault_model(const std::string& name) {
  for (const FaultModel* model : fault_models())
    if (name == model->name) return model;
  return nullptr;
}

}  // namespace heddle::propagate
