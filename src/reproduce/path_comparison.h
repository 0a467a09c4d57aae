// SPDX-License-Identifier: Apache-2.0
//
// A controlled run beside a recording: how far does each thread go the way that
// was recorded? The run was made with functions, branches and values, so each
// branch that a thread takes is a record of the trace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "record/recording.h"
#include "trace/trace.h"

namespace heddle::reproduce {

// By site of a switch: for each successor its number in recordings (record/recording.h).
using SwitchNumbers = std::map<uint32_t, std::vector<uint32_t>>;

struct Agreement {
  enum class Kind : uint8_t {
    kShort,     // as far as the run goes, its thread goes the recorded way
    kDeviates,  // the last of the records is a branch that was recorded to go another way
    kBeyond,    // goes all of the recorded way; `records` ends before the first branch that was not recorded
    kUnknown,   // nothing was recorded of this thread
  };
  Kind kind = Kind::kShort;
  size_t records = 0;       // so many records of the thread belong to the recorded way
  uint32_t other_way = 0;   // kDeviates: the recorded successor
  uint64_t bits = 0;        // of the path that agree
  size_t free_records = 0;  // so many came before what is there of the path, and may be what they like
  uint64_t free_bits = 0;   // and took so many bits
  size_t certain_records =
      0;  // so many surely happened: up to the last branch that agrees, or all of a thread that had ended
};

// The records of each thread, in their order: visible events, entries and exits of
// functions, branches and values.
std::vector<std::vector<HeddleRecord>> records_by_thread(const trace::Trace& trace);

// `records` of one thread beside what was recorded of the thread of the same name; null: nothing. Where the
// beginning of the path was dropped, the rest is put where it fits best (path_window.h).
Agreement compare(const std::vector<HeddleRecord>& records, const record::Thread* recorded,
                  const SwitchNumbers& switches);

}  // namespace heddle::reproduce
