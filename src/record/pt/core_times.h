// SPDX-License-Identifier: Apache-2.0
//
// Which thread had a core at a time. The kernel says when a thread comes and goes; it says so a
// moment after the processor has begun to trace the thread, but always before it ends. So a turn
// reaches from the end of the turn before to its own end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "record/pt/pt_trace.h"

namespace heddle::record::pt {

struct Turn {
  int32_t thread = 0;
  uint64_t came = 0;            // as the kernel says
  uint64_t begin = 0, end = 0;  // between these times, both included, nobody else had the core
};

class CoreTimes {
 public:
  explicit CoreTimes(const std::vector<Switch>& switches);

  // False: threads come to cores that others have not left. Then nothing else can be relied on.
  bool fits_together() const { return fits_together_; }
  std::vector<uint32_t> cores() const;

  // Null: nobody of the program, or it is not known.
  const Turn* turn_at(uint32_t core, uint64_t time) const;
  // Of those who may have had the core between two times, both included.
  std::vector<const Turn*> turns_between(uint32_t core, uint64_t first, uint64_t last) const;

 private:
  std::map<uint32_t, std::vector<Turn>> turns_;  // by end
  bool fits_together_ = true;
};

}  // namespace heddle::record::pt
