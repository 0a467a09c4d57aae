// SPDX-License-Identifier: Apache-2.0
#include "record/pt/perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/process.h"
#include "build/code_marks.h"

namespace heddle::record::pt {

base::Result<std::string> find_perf() {
  if (const char* chosen = std::getenv("HEDDLE_PERF"); chosen && *chosen) return std::string(chosen);
  std::error_code unreadable;
  if (!std::filesystem::exists("/sys/bus/event_source/devices/intel_pt", unreadable))
    return base::Error{"this machine has no Intel PT (no /sys/bus/event_source/devices/intel_pt)",
                       "record without --pt; virtual machines seldom have it, AMD processors never"};
  const std::string perf = base::find_program("perf");
  if (perf.empty()) return base::Error{"there is no perf", "apt-get install linux-perf"};
  return perf;
}

base::Result<std::vector<std::string>> traced_command(const build::Target& target, const std::string& perf,
                                                      const std::string& output) {
  auto segments = build::code_segments(target.executable);
  if (!segments) return segments.error();
  uint64_t begin = UINT64_MAX, end = 0;
  for (const build::CodeSegment& segment : *segments) {
    begin = std::min(begin, segment.file_offset);
    end = std::max(end, segment.file_offset + segment.size);
  }
  if (begin >= end) return base::Error{"the program has no code: " + target.executable, ""};
  std::error_code missing;
  const std::string traced = std::filesystem::canonical(target.executable, missing);
  // A time stamp whenever a thread comes to a core, and at every point of synchronisation.
  return std::vector<std::string>{perf,
                                  "record",
                                  "--quiet",
                                  "-o",
                                  output,
                                  "-e",
                                  "intel_pt/tsc=1,mtc=0,cyc=0,noretcomp=1/u",
                                  fmt::format("--filter=filter {:#x}/{:#x}@{}", begin, end - begin, traced),
                                  "--switch-events",
                                  "--",
                                  target.executable};
}

}  // namespace heddle::record::pt
