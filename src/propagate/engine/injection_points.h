// SPDX-License-Identifier: Apache-2.0
//
// Where a kind of fault can be put into a run: the dynamic instructions of the
// fault-free run that it applies to. A point is known by its thread and its number in
// that thread, so it is the same one however threads are timed; points are drawn
// uniformly from all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "propagate/engine/fault_free_run.h"
#include "propagate/faults/fault_model.h"

namespace heddle::propagate {

// Only points in these; empty: any.
struct PointFilter {
  std::string function;
  std::string file;         // its last part
  std::string instruction;  // "load", "add", ...
  std::string thread;       // "T0.1"
};

struct InjectionPoint {
  uint32_t lane = 0;
  uint64_t word = 0;
  WordPlace place;
};

class InjectionPoints {
 public:
  InjectionPoints(const FaultFreeRun& run, const FaultModel& model, const PointFilter& filter);

  uint64_t count() const { return count_; }
  InjectionPoint at(uint64_t number) const;  // below count()

 private:
  const FaultFreeRun& run_;
  std::vector<std::vector<uint32_t>> slots_;  // of each segment, those it applies to
  struct LaneCounts {
    uint32_t lane;
    uint64_t before;                // points in earlier lanes
    std::vector<uint64_t> through;  // points in this lane up to and including each segment
  };
  std::vector<LaneCounts> lanes_;
  uint64_t count_ = 0;
};

}  // namespace heddle::propagate
