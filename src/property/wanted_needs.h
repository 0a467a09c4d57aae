// SPDX-License-Identifier: Apache-2.0
//
// What comes to be needed when an operation is added to a cut: what it needs
// itself, and what loads of its thread need that it is the first to use
// (causal/first_uses.h). Follows from the execution alone and never changes, so
// any number of threads may use it at once.
#pragma once

#include <span>

#include "causal/event_table.h"
#include "causal/first_uses.h"
#include "causal/list_store.h"
#include "causal/needs.h"

namespace heddle::property {

struct WantedNeed {
  const causal::Need* need;
  uint32_t needer;  // of the same thread
};

class WantedNeeds {
 public:
  // Both must outlive this. Without `uses` every read matters as soon as it happens.
  explicit WantedNeeds(const causal::Dependences& dependences, const causal::FirstUses* uses = nullptr);

  const causal::Dependences& dependences() const { return dependences_; }
  std::span<const WantedNeed> with(causal::EventId operation) const { return wanted_[operation]; }
  // The first operation of the thread, from this one on, with which anything comes
  // to be needed; the thread's length if there is none.
  uint32_t next_from(causal::EventId operation) const { return next_[operation]; }
  // What it needs comes to be needed with itself.
  bool matters_at_once(causal::EventId operation) const { return !uses_ || uses_->of(operation) == operation.index; }
  bool has_semaphores() const { return has_semaphores_; }

 private:
  const causal::Dependences& dependences_;
  const causal::FirstUses* const uses_;
  causal::ListStore store_;
  causal::EventTable<std::span<const WantedNeed>> wanted_;
  causal::EventTable<uint32_t> next_;
  bool has_semaphores_ = false;
};

}  // namespace heddle::property
