// SPDX-License-Identifier: Apache-2.0
//
// Calls that synchronise, in the streams of a fault-free run: which object a thread
// waits for at some point, and who lets others go on there. A thread does what its
// stream says up to its first deviation, so its past is exact.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "propagate/engine/fault_free_run.h"

namespace heddle::propagate {

// A call of a function without bitcode.
struct OutsideCall {
  uint64_t header = 0;  // of the segment that ends with it
  uint32_t segment = 0;
  std::string function;
  std::optional<uint64_t> object;  // address of what it synchronises on; nothing: not known, or none
  bool joins = false;              // waits for the end of a thread
};

class SyncCalls {
 public:
  explicit SyncCalls(const FaultFreeRun& run);

  // What the segment before `word`, where a segment of the lane begins, ends with.
  std::optional<OutsideCall> call_before(uint32_t lane, uint64_t word) const;
  // The last one before `word` that synchronises.
  std::optional<OutsideCall> synchronised_before(uint32_t lane, uint64_t word) const;

  // Lanes that let others go on at this object: post, signal, unlock, ...
  const std::set<uint32_t>& givers(uint64_t object);

 private:
  // The last call with arguments in a segment.
  struct Described {
    uint32_t callee = 0;  // in words; 0: none
    uint32_t object_slot = 0;
    bool has_object = false, gives = false, joins = false;
  };
  OutsideCall call_at(uint32_t lane, uint64_t header) const;
  void find_givers();

  const FaultFreeRun& run_;
  std::vector<Described> segments_;
  bool found_givers_ = false;
  std::map<uint64_t, std::set<uint32_t>> givers_;
};

}  // namespace heddle::propagate
