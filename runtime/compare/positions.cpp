// SPDX-License-Identifier: Apache-2.0
#include "positions.h"

#include <sys/uio.h>

#include "lane.h"

namespace heddle::compare {
namespace {

bool read_from(pid_t process, uint64_t address, void* into, size_t size) {
  const iovec here{into, size}, there{reinterpret_cast<void*>(address), size};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

}  // namespace

void note_positions(pid_t run) {
  for (uint32_t number = 0; number < channel->known_lanes; ++number) {
    HeddleLane& told = channel->run[number];
    if (told.state != HEDDLE_LANE_RUNS) continue;
    Lane state;
    uint64_t cursor = 0;
    if (!read_from(run, told.state_at, &state, sizeof state) || !read_from(run, told.cursor_at, &cursor, sizeof cursor))
      continue;
    if (state.mode == LaneMode::kEqual) told.words = (cursor - reinterpret_cast<uint64_t>(state.stream)) / 8;
    if (state.mode == LaneMode::kCareful) told.words = state.position;
  }
}

}  // namespace heddle::compare
