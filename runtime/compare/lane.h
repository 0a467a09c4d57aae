// SPDX-License-Identifier: Apache-2.0
//
// What one thread knows of its comparison (src/abi/comparison.h). A lane is
//
//   equal      the cursor is in the stream of the fault-free run; code compares by itself
//   careful    every word comes here: blocks have moved, or a fault stays in place
//   lost       the path left that of the fault-free run; nothing is compared until it
//              comes back
//   learning   the stream is being written
//
// In all but the first the cursor is in a page of words that equal nothing, so that
// instrumented code asks at each step.
#pragma once

#include <stdint.h>

#include "abi/comparison.h"

namespace heddle::compare {

constexpr uint64_t kNowhere = ~uint64_t{0};

enum class LaneMode : uint32_t { kEqual, kCareful, kLost, kLearning };

struct Lane {
  uint32_t number = HEDDLE_NO_LANE;
  LaneMode mode = LaneMode::kEqual;
  uint64_t* stream = nullptr;
  uint64_t words = 0;                    // in the stream
  uint64_t position = 0;                 // careful, lost, learning: of the next segment
  uint32_t segment = HEDDLE_NO_SEGMENT;  // last begun
  uint64_t begun = 0;                    // where its header is
  uint32_t children = 0;
  uint32_t blocks = 0;  // allocated by the program
  // Lost: where both paths meet again, and how deep this one is in calls made since.
  uint32_t meet = HEDDLE_NO_SEGMENT;
  uint64_t meet_position = 0;  // in the stream; `words`: it never comes back
  int64_t depth = 0;
  uint64_t spent = 0;           // words since the budget was last looked at
  uint64_t known_header = 0;    // some header at or before the cursor
  uint64_t spoiled = kNowhere;  // header changed so that code asks there
  bool careful = false;         // when not lost
};

extern HeddleComparison* channel;  // null: the program runs by itself
extern bool is_learning;
extern int channel_file;

extern thread_local Lane lane;

// The lane of a thread that its parent numbered so; HEDDLE_NO_LANE: no room.
uint32_t find_lane(uint32_t parent, uint32_t child_number);
// Makes `number` the calling thread's lane.
void enter_lane(uint32_t number);
// The thread is about to end.
void leave_lane();
// The program cannot be compared; ends the process.
[[noreturn]] void refuse(const char* why, const char* what);
[[noreturn]] void end_process_now();

// A difference that is no fault's own.
void note_deviation(HeddleDeviation kind, uint64_t position, uint32_t slot, uint64_t expected, uint64_t actual,
                    uint64_t address);

// Memory at `address` gets what it would not without the fault.
void mark_memory(uint64_t address, uint64_t position);
// It gets the result of a thread that was joined, and that is another one.
void mark_result(uint64_t address, uint32_t joined_lane);
// The first deviation is a load from here: who is to blame for what is there?
void note_source(uint64_t address, uint32_t size);

// Are these the same, the first in the fault-free run, the second here? Addresses of
// heap blocks are, if the blocks have the same number.
bool same_value(uint64_t expected, uint64_t actual);

// Every word of the calling thread comes here from now on.
// `at` is the header that it comes to next.
void become_careful(uint64_t at);

// Adds to what a run has spent off the fault-free path; ends the run when it is too much.
void spend(uint64_t words);

}  // namespace heddle::compare

extern "C" {
extern thread_local uint64_t* __heddle_cursor;
extern thread_local uint32_t __heddle_program_allocates;
extern const HeddleSegment __heddle_segments[];
extern const uint32_t __heddle_segment_count, __heddle_function_count;
}
