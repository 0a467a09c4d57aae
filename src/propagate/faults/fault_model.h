// SPDX-License-Identifier: Apache-2.0
//
// Kinds of faults. Each says which values of the program it can corrupt and how; one
// file each, and a line in fault_models.cpp.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "abi/comparison.h"
#include "build/comparison_target.h"

namespace heddle::propagate {

// What the user may say about faults.
struct FaultOptions {
  uint32_t bits = 1;  // that bitflip inverts, or all that the value has
};

// What a fault model may look at: a value that is computed, passed or stored.
struct FaultSite {
  const build::ComparedProgram& program;
  const build::ComparedSlot& slot;
  FaultOptions options;

  const std::string& callee() const { return program.words[slot.callee]; }
  bool computes() const {
    return (slot.kind == build::SlotKind::kValue && !slot.is_local) || slot.kind == build::SlotKind::kResult;
  }
};

struct Corruption {
  HeddleFaultAction action = HEDDLE_FAULT_NONE;
  uint64_t operand = 0;
  std::string detail;  // "bit 17"
};

struct FaultModel {
  uint32_t number;  // part of the ids of experiments: never changes
  const char* name;
  const char* summary;
  bool (*applies)(const FaultSite& site);
  Corruption (*corrupt)(const FaultSite& site, uint64_t value, std::mt19937_64& random);
};

// All there are.
const std::vector<const FaultModel*>& fault_models();
const FaultModel* fault_model(const std::string& name);

// Values are drawn alike with every standard library: not std::uniform_int_distribution.
inline uint64_t draw(std::mt19937_64& random, uint64_t below) {
  const uint64_t most = UINT64_MAX - UINT64_MAX % below;
  uint64_t drawn = random();
  while (drawn >= most) drawn = random();
  return drawn % below;
}

}  // namespace heddle::propagate
