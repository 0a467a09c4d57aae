// SPDX-License-Identifier: Apache-2.0
//
// What a run with Intel PT leaves: of each core a stream of packets, which thread had which core
// when, and which code lay where. Times are those of the time stamp counter. The hardware knows cores,
// the kernel threads; neither knows both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::record::pt {

// Packets of one core, as far as they hang together. Between two pieces some were lost.
struct CoreStream {
  uint32_t core = 0;
  std::vector<std::string> pieces;
};

struct Switch {
  uint64_t time = 0;
  uint32_t core = 0;
  int32_t thread = 0;  // the kernel's number
  bool comes = false;  // else it leaves the core, or has ended
};

// A file that was mapped as code.
struct Mapping {
  uint64_t address = 0, size = 0, file_offset = 0;
  std::string file;
};

struct Trace {
  std::vector<CoreStream> streams;  // each core once
  std::vector<Switch> switches;     // in the order of their times, on each core
  std::vector<Mapping> mappings;
  bool lost_switches = false;  // then nothing is known
};

}  // namespace heddle::record::pt
