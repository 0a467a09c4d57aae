// SPDX-License-Identifier: Apache-2.0
//
// What instrumented code calls when something differs from the fault-free run.
#include <errno.h>
#include <string.h>
#include <time.h>

#include "export.h"
#include "lane.h"

// Calls of these functions leave all registers as they are but a few.
#define HEDDLE_COLD HEDDLE_EXPORT __attribute__((preserve_most, cold))

using namespace heddle::compare;

extern "C" {
__attribute__((visibility("default"))) thread_local uint64_t* __heddle_cursor;
__attribute__((visibility("default"))) thread_local uint32_t __heddle_program_allocates;
}

namespace {

// Words that equal nothing a program computes, but by an accident of 2^-64.
uint64_t strange_words[HEDDLE_SPARE_WORDS + 8];

constexpr uint64_t kSpoiled = uint64_t{1} << 63;

// A condition variable and the like for signals that nobody shall get.
alignas(64) char nobody[256];

__attribute__((constructor(101))) void fill_strange_words() {
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (uint64_t& word : strange_words) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    word = state;
  }
}

const HeddleSegment& segment_of(uint64_t header) { return __heddle_segments[header - 1]; }

bool is_header(uint64_t word) { return word >= 1 && word <= __heddle_segment_count; }

// How calls nest after this segment, compared with before it.
int64_t depth_before(const HeddleSegment& segment) { return segment.flags & HEDDLE_SEGMENT_ENTERS ? 1 : 0; }
int64_t depth_after(const HeddleSegment& segment) { return segment.flags & HEDDLE_SEGMENT_RETURNS ? 1 : 0; }

// Where the fault-free run gets to `meet` in the activation that `from` follows on, or
// leaves that activation.
uint64_t find_meeting(uint64_t from, uint32_t meet) {
  int64_t depth = 0;
  uint64_t at = from;
  while (at < lane.words && is_header(lane.stream[at])) {
    const HeddleSegment& segment = segment_of(lane.stream[at]);
    depth += depth_before(segment);
    if ((depth == 0 && lane.stream[at] - 1 == meet) || depth < 0) return at;
    depth -= depth_after(segment);
    at += 1 + segment.slots;
  }
  return lane.words;
}

// The path differs from here on. Both runs have done segment `last` of the same
// activation; `position` is where the fault-free run goes on.
void lose_path(uint32_t last, uint64_t position) {
  const HeddleSegment& before = __heddle_segments[last];
  lane.mode = LaneMode::kLost;
  lane.depth = 0;
  if (before.flags & HEDDLE_SEGMENT_RETURNS) {
    // The caller goes on differently: only an exception or a jump does that.
    lane.meet = HEDDLE_NO_SEGMENT;
    lane.meet_position = lane.words;
  } else {
    lane.meet = before.flags & HEDDLE_SEGMENT_CALLS ? last + 1 : before.join;
    lane.meet_position = find_meeting(position, lane.meet);
  }
  ++channel->run[lane.number].divergences;
}

// While the path is another: has it come back with this segment?
bool comes_back(uint32_t number) {
  const HeddleSegment& segment = __heddle_segments[number];
  lane.depth += depth_before(segment);
  const bool is_there = (lane.depth == 0 && number == lane.meet) || lane.depth < 0;
  if (is_there && lane.meet_position < lane.words && lane.stream[lane.meet_position] == number + uint64_t{1})
    return true;
  lane.depth -= depth_after(segment);
  return false;
}

uint64_t* learn_segment(uint32_t number) {
  const uint32_t slots = __heddle_segments[number].slots;
  const uint64_t at = lane.position;
  if ((at + 1 + slots + HEDDLE_SPARE_WORDS) * 8 > HEDDLE_STREAM_BYTES)
    refuse("a thread does more than can be kept", "over 130 million values");
  lane.stream[at] = number + uint64_t{1};
  lane.position = at + 1 + slots;
  __atomic_store_n(&channel->known[lane.number].words, lane.position, __ATOMIC_RELAXED);
  return lane.stream + at;
}

// Equal code keeps no note of the segment it did last: finds it from a header that is
// known to be before it.
uint32_t segment_before(uint64_t position) {
  uint64_t at = lane.known_header <= position ? lane.known_header : 0, last = kNowhere;
  while (at < position && is_header(lane.stream[at])) {
    last = at;
    at += 1 + segment_of(lane.stream[at]).slots;
  }
  if (last == kNowhere) return lane.segment;
  lane.known_header = last;
  return static_cast<uint32_t>(lane.stream[last] - 1);
}

// The segment whose header is at `position` begins, word by word.
uint64_t* go_on_carefully(uint32_t number, uint64_t position) {
  lane.mode = LaneMode::kCareful;
  lane.segment = number;
  lane.begun = position;
  lane.position = position + 1 + __heddle_segments[number].slots;
  return strange_words;
}

uint64_t* go_on_lost(uint32_t number) {
  if (comes_back(number)) {
    ++channel->run[lane.number].rejoined;
    lane.segment = number;
    if (lane.careful) return go_on_carefully(number, lane.meet_position);
    lane.mode = LaneMode::kEqual;
    lane.known_header = lane.meet_position;
    __heddle_cursor = lane.stream + lane.meet_position;
    return __heddle_cursor;
  }
  const HeddleSegment& segment = __heddle_segments[number];
  lane.segment = number;
  if (segment.function < HEDDLE_MOST_FUNCTIONS) channel->function_reached[segment.function] = 1;
  spend(1 + segment.slots);
  return strange_words;
}

uint64_t* begin_segment(uint32_t number) {
  if (!channel) return strange_words;
  if (lane.mode == LaneMode::kLearning) return learn_segment(number);
  if (lane.mode == LaneMode::kLost) return go_on_lost(number);
  const bool in_stream = lane.mode == LaneMode::kEqual;
  if (lane.spoiled != kNowhere) {
    lane.stream[lane.spoiled] &= ~kSpoiled;
    lane.spoiled = kNowhere;
  }
  const uint64_t position = in_stream ? static_cast<uint64_t>(__heddle_cursor - lane.stream) : lane.position;
  const uint64_t expected = position < lane.words ? lane.stream[position] : 0;
  if (expected == number + uint64_t{1}) return go_on_carefully(number, position);
  const uint32_t last = in_stream ? segment_before(position) : lane.segment;
  lane.segment = number;
  if (position >= lane.words && channel->known[lane.number].state != HEDDLE_LANE_ENDED) {
    // The fault-free run was over before this thread was: nothing is known of the rest.
    lane.mode = LaneMode::kLost;
    lane.meet = HEDDLE_NO_SEGMENT;
    lane.meet_position = lane.words;
    return strange_words;
  }
  note_deviation(HEDDLE_DEVIATION_PATH, position, 0, expected, number + uint64_t{1}, 0);
  lose_path(last, position);
  return go_on_lost(number);
}

uint64_t apply(const HeddleFault& fault, uint64_t value, const void* address, uint32_t size) {
  switch (fault.action) {
    case HEDDLE_FAULT_XOR: return value ^ fault.operand;
    case HEDDLE_FAULT_SET: return fault.operand;
    case HEDDLE_FAULT_STUCK_ONE: return value | fault.operand;
    case HEDDLE_FAULT_STUCK_ZERO: return value & ~fault.operand;
    case HEDDLE_FAULT_KEEP_OLD: {
      uint64_t old = 0;
      if (address && size <= sizeof old) memcpy(&old, address, size);
      return old;
    }
    case HEDDLE_FAULT_DELAY: {
      const int kept = errno;
      timespec left{static_cast<time_t>(fault.operand / 1000000), static_cast<long>(fault.operand % 1000000) * 1000};
      while (nanosleep(&left, &left) != 0 && errno == EINTR) {
      }
      errno = kept;
      return value;
    }
    case HEDDLE_FAULT_NOBODY: return reinterpret_cast<uint64_t>(nobody);
    default: return value;
  }
}

bool stays(const HeddleFault& fault) {
  return fault.action == HEDDLE_FAULT_STUCK_ONE || fault.action == HEDDLE_FAULT_STUCK_ZERO;
}

// A fault that stays, met again.
bool is_stuck(uint32_t slot) {
  const HeddleFault& fault = channel->fault;
  return channel->injected && stays(fault) && fault.lane == lane.number && fault.segment == lane.segment &&
         fault.slot == slot;
}

// The fault is at this word.
uint64_t inject(uint64_t value, const void* address, uint32_t size, bool stores) {
  const HeddleFault& fault = channel->fault;
  channel->injected = 1;
  channel->injected_order = __atomic_add_fetch(&channel->orders, 1u, __ATOMIC_RELAXED);
  lane.stream[fault.word] = ~lane.stream[fault.word];  // as it was
  const uint64_t given = apply(fault, value, address, size);
  if (stores && given != value) mark_memory(reinterpret_cast<uint64_t>(address), fault.word);
  if (stays(fault)) become_careful(lane.begun + 1 + __heddle_segments[lane.segment].slots);
  return given;
}

// Word `position` differs, or may differ.
uint64_t judge(uint64_t position, uint64_t value, const void* address, uint32_t size, bool stores) {
  const auto slot = static_cast<uint32_t>(position - lane.begun - 1);
  const HeddleFault& fault = channel->fault;
  if (fault.action != HEDDLE_FAULT_NONE && !channel->injected && fault.lane == lane.number && fault.word == position)
    return inject(value, address, size, stores);
  const uint64_t given = is_stuck(slot) ? apply(fault, value, address, size) : value;
  const uint64_t expected = lane.stream[position];
  if (same_value(expected, given)) return given;
  const bool is_first = channel->run[lane.number].kind == HEDDLE_DEVIATION_NONE;
  note_deviation(HEDDLE_DEVIATION_VALUE, position, slot, expected, given, reinterpret_cast<uint64_t>(address));
  if (is_first && address && !stores) note_source(reinterpret_cast<uint64_t>(address), size);
  if (stores) mark_memory(reinterpret_cast<uint64_t>(address), position);
  return given;
}

uint64_t differs(uint64_t* word, uint64_t value, const void* address, uint32_t told) {
  if (!channel) return value;
  if (lane.mode == LaneMode::kLearning) return *word = value;
  const uint32_t size = told & ~HEDDLE_STORED_BYTES;
  const bool stores = told & HEDDLE_STORED_BYTES;
  if (word < strange_words || word >= strange_words + HEDDLE_SPARE_WORDS + 8) {
    lane.begun = static_cast<uint64_t>(__heddle_cursor - lane.stream);
    lane.segment = static_cast<uint32_t>((lane.stream[lane.begun] & ~kSpoiled) - 1);
    return judge(static_cast<uint64_t>(word - lane.stream), value, address, size, stores);
  }
  const auto slot = static_cast<uint32_t>(word - strange_words - 1);
  if (lane.mode == LaneMode::kCareful) return judge(lane.begun + 1 + slot, value, address, size, stores);
  if (stores) mark_memory(reinterpret_cast<uint64_t>(address), lane.meet_position);
  return is_stuck(slot) ? apply(channel->fault, value, address, size) : value;
}

}  // namespace

namespace heddle::compare {

void become_careful(uint64_t at) {
  if (lane.careful) return;
  lane.careful = true;
  if (lane.mode != LaneMode::kEqual || at >= lane.words) return;
  lane.stream[at] |= kSpoiled;
  lane.spoiled = at;
}

void spend(uint64_t words) {
  lane.spent += words;
  if (lane.spent < 1024) return;
  const uint64_t all = __atomic_add_fetch(&channel->spent, lane.spent, __ATOMIC_RELAXED);
  lane.spent = 0;
  if (all <= channel->budget) return;
  __atomic_store_n(&channel->end, static_cast<uint32_t>(HEDDLE_END_BUDGET), __ATOMIC_SEQ_CST);
  end_process_now();
}

}  // namespace heddle::compare

// All bytes that are about to be written out, in one number.
HEDDLE_EXPORT uint64_t __heddle_bytes(const unsigned char* bytes, uint64_t size, uint64_t count) {
  const uint64_t length = size == ~uint64_t{0} ? strlen(reinterpret_cast<const char*>(bytes)) : size * count;
  uint64_t hash = 1469598103934665603u ^ length;
  for (uint64_t i = 0; i < length; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

HEDDLE_COLD uint64_t* __heddle_segment(uint32_t number) { return begin_segment(number); }
HEDDLE_COLD uint64_t __heddle_differs(uint64_t* word, uint64_t value) { return differs(word, value, nullptr, 0); }
HEDDLE_COLD uint64_t __heddle_differs_at(uint64_t* word, uint64_t value, const void* address, uint32_t size) {
  return differs(word, value, address, size);
}
