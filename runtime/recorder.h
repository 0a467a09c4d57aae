// SPDX-License-Identifier: Apache-2.0
//
// Records go from the target to the host through the ring of the channel. A
// record counts as soon as `produced` passes it, so nothing that happened is
// lost when the target is killed.
#pragma once

#include "abi/gap.h"
#include "state.h"

namespace heddle::rt {

void recorder_attach(HeddleChannel* channel);

// Blocks until the host has made room.
void wait_for_room();

// The next free record, zeroed by the caller's initialiser; publish() makes it count.
inline void append(const HeddleRecord& record) {
  if (HEDDLE_UNLIKELY(g.produced == g.room_until)) wait_for_room();
  g.ring[g.produced & g.ring_mask] = record;
  ++g.produced;
  __atomic_store_n(&g.channel->produced, g.produced, __ATOMIC_RELEASE);
}

void append_text(uint32_t thread, uint32_t index, const char* text);

// The run does not show all that the program could do: the host has to know (abi/gap.h).
void raise_gap(const Thread& thread, HeddleGap gap, const char* detail);

// Tells a sleeping host that there is something to read.
void wake_host();

}  // namespace heddle::rt
