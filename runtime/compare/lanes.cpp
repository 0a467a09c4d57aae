// SPDX-License-Identifier: Apache-2.0
//
// Lanes: a thread is known by its parent and by how many threads that one created
// before it, so it has the same lane in every run. The stream of a lane is mapped when
// its thread begins: shared with the host where it is learned, else a private copy,
// in which the word of the fault is spoiled.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lane.h"
#include "memory_layout.h"

namespace heddle::compare {

HeddleComparison* channel;
bool is_learning;
int channel_file = -1;

thread_local Lane lane;

namespace {

// Lanes that only the faulty run has follow those of the fault-free run.
uint32_t new_lane(HeddleLane* table, uint32_t& count, uint32_t parent, uint32_t child_number) {
  const uint32_t number = __atomic_fetch_add(&count, 1u, __ATOMIC_SEQ_CST);
  if (number >= HEDDLE_MOST_LANES) refuse("more threads than can be compared", "4,096");
  table[number].parent = parent;
  table[number].child_number = child_number;
  return number;
}

uint64_t* map_stream(uint32_t number, uint64_t words) {
  const uint64_t bytes = is_learning ? HEDDLE_STREAM_BYTES : (words + HEDDLE_SPARE_WORDS + 1) * 8;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, (is_learning ? MAP_SHARED : MAP_PRIVATE) | MAP_NORESERVE,
                      channel_file, static_cast<off_t>(heddle_stream_offset(number)));
  if (memory == MAP_FAILED) refuse("no memory for a thread's stream", strerror(errno));
  return static_cast<uint64_t*>(memory);
}

}  // namespace

void end_process_now() { _exit(0); }

void refuse(const char* why, const char* what) {
  // After the fault-free run, only a fault can have made it ask for that.
  const uint32_t end = is_learning ? HEDDLE_END_REFUSED : HEDDLE_END_STOPPED;
  if (channel && __atomic_exchange_n(&channel->end, end, __ATOMIC_SEQ_CST) != end)
    snprintf(channel->refusal, sizeof channel->refusal, "%s: %s", why, what);
  end_process_now();
}

uint32_t find_lane(uint32_t parent, uint32_t child_number) {
  for (uint32_t i = 0, count = is_learning ? channel->planned_lanes : channel->known_lanes; i < count; ++i)
    if (channel->known[i].parent == parent && channel->known[i].child_number == child_number) return i;
  if (is_learning) return new_lane(channel->known, channel->known_lanes, parent, child_number);
  return new_lane(channel->run, channel->lanes, parent, child_number);
}

void enter_lane(uint32_t number) {
  lane = Lane();
  lane.number = number;
  HeddleLane& told = is_learning ? channel->known[number] : channel->run[number];
  told.state = HEDDLE_LANE_RUNS;
  told.state_at = reinterpret_cast<uint64_t>(&lane);
  told.cursor_at = reinterpret_cast<uint64_t>(&__heddle_cursor);
  if (!is_learning) told.words = HEDDLE_NO_WORD;
  if (is_learning) {
    lane.mode = LaneMode::kLearning;
    lane.stream = map_stream(number, 0);
  } else if (number < channel->known_lanes) {
    lane.words = channel->known[number].words;
    lane.stream = map_stream(number, lane.words);
    const HeddleFault& fault = channel->fault;
    if (fault.action != HEDDLE_FAULT_NONE && fault.lane == number && fault.word < lane.words)
      lane.stream[fault.word] = ~lane.stream[fault.word];
    if (channel->moved) become_careful(0);
  } else {
    lane.stream = map_stream(number, 0);
    lane.mode = LaneMode::kLost;
    note_deviation(HEDDLE_DEVIATION_EXTRA, 0, 0, 0, 0, 0);
  }
  __heddle_cursor = lane.stream;
}

void leave_lane() {
  if (!channel || lane.number == HEDDLE_NO_LANE) return;
  HeddleLane& told = is_learning ? channel->known[lane.number] : channel->run[lane.number];
  if (!is_learning) {
    if (lane.spent) spend(1024);
    const uint64_t position = lane.mode == LaneMode::kEqual     ? static_cast<uint64_t>(__heddle_cursor - lane.stream)
                              : lane.mode == LaneMode::kCareful ? lane.position
                                                                : lane.meet_position;
    told.words = position;
    const bool ended_before =
        lane.number < channel->known_lanes && channel->known[lane.number].state == HEDDLE_LANE_ENDED;
    if (ended_before && (lane.mode == LaneMode::kLost || position != lane.words))
      note_deviation(HEDDLE_DEVIATION_END, position, 0, lane.words, position, 0);
  }
  told.state = HEDDLE_LANE_ENDED;
}

void note_deviation(HeddleDeviation kind, uint64_t position, uint32_t slot, uint64_t expected, uint64_t actual,
                    uint64_t address) {
  HeddleLane& told = channel->run[lane.number];
  ++told.deviations;
  const uint32_t segment = lane.segment;
  if (segment != HEDDLE_NO_SEGMENT && __heddle_segments[segment].function < HEDDLE_MOST_FUNCTIONS)
    channel->function_reached[__heddle_segments[segment].function] = 1;
  if (told.kind != HEDDLE_DEVIATION_NONE) return;
  told.kind = kind;
  told.word = position;
  told.order = __atomic_add_fetch(&channel->orders, 1u, __ATOMIC_RELAXED);
  told.expected = expected;
  told.actual = actual;
  told.address = address;
  told.segment = segment;
  told.slot = slot;
}

bool same_value(uint64_t expected, uint64_t actual) {
  if (!channel->moved) return expected == actual;
  uint32_t known_block = 0, block = 0;
  uint64_t known_offset = 0, offset = 0;
  const bool was_address = find_known_block(expected, known_block, known_offset);
  const bool is_address = find_block(actual, block, offset);
  if (was_address || is_address) return was_address && is_address && known_block == block && known_offset == offset;
  return expected == actual;
}

}  // namespace heddle::compare
