// SPDX-License-Identifier: Apache-2.0
//
// When each operation of an execution took effect: for a buffered store, when it
// reached memory. Never changes, so any number of threads may use it at once.
#pragma once

#include "causal/event_table.h"
#include "causal/operation.h"

namespace heddle::property {

class ObservedPlaces {
 public:
  ObservedPlaces(const causal::Execution& execution, causal::MemoryModel model)
      // Buffered stores that never reached memory, and operations that were waited for, come last.
      : places_(execution, static_cast<uint32_t>(execution.order.size()), 1) {
    for (uint32_t place = 0; place < execution.order.size(); ++place) {
      const causal::Happening& happening = execution.order[place];
      if (happening.is_flush == causal::is_buffered(execution.operation(happening.event), model))
        places_[happening.event] = place;
    }
  }

  uint32_t of(causal::EventId operation) const { return places_[operation]; }

 private:
  causal::EventTable<uint32_t> places_;
};

}  // namespace heddle::property
