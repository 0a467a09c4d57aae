// SPDX-License-Identifier: Apache-2.0
//
// Operations that may have to wait, and for what.
#pragma once

#include <optional>
#include <span>

#include "abi/event.h"
#include "causal/sections.h"

namespace heddle::property {

// If nobody gives it what it waits for, it waits for ever: it has no time limit and does not fail instead.
bool blocks_for_ever(const HeddleRecord& operation);

// The wait that this begins has a time limit.
bool is_timed_wait(const HeddleRecord& operation);

// The lock that an operation waits for, and whether readers of it do no harm.
struct Wanted {
  uint64_t lock = 0;
  bool is_shared = false;
  auto operator<=>(const Wanted&) const = default;
};
std::optional<Wanted> wanted_lock(const HeddleRecord& operation);

// Does one of these sections keep it from the lock?
bool holds(std::span<const causal::HeldSection> held, const Wanted& wanted);

// What the thread waits to do at the end of a run, from its WAITING record; `before` are its operations.
HeddleRecord waited_for(const HeddleRecord& waiting, std::span<const HeddleRecord> before);

}  // namespace heddle::property
