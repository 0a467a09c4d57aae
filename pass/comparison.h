// SPDX-License-Identifier: Apache-2.0
//
// Instrumentation for runs that are compared with a fault-free run as they run
// (src/abi/comparison.h): every value that an instruction computes, every argument
// that leaves the program or enters a function, every stored value has a slot in the
// stream of its thread. The code is that of the source, unoptimised, unless told
// otherwise.
//
// A block is cut into segments after each call, for the called function writes its
// own segments in between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace llvm {
class Module;
}

namespace heddle::pass {

enum class SlotKind : uint8_t {
  kValue,      // what an instruction computes
  kResult,     // what a call returns
  kParameter,  // of a function, when it begins
  kArgument,   // given to a function without bitcode
  kStored,     // about to be stored
  kAddress,    // of a load or store, where it is computed
};

struct ComparedSlot {
  SlotKind kind = SlotKind::kValue;
  uint8_t bits = 64;  // of the value, from the lowest
  bool is_pointer = false;
  bool is_local = false;  // the address of a local variable; `size` is the variable's
  uint16_t number = 0;    // of an argument or parameter; 255: the bytes that a call is about to write out
  uint32_t place = 0;     // in ComparedProgram::places
  uint64_t size = 0;
  uint32_t instruction = 0;  // in ComparedProgram::words: "load", "add", ...
  uint32_t callee = 0;       // likewise: function that is called; else 0
};

struct ComparedSegment {
  uint32_t function = 0;
  uint32_t flags = 0;  // HEDDLE_SEGMENT_...
  uint32_t join = 0;
  std::vector<ComparedSlot> slots;
};

struct ComparedPlace {
  uint32_t file = 0;  // in words
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t variable = 0;  // in words; 0: none
};

struct ComparedProgram {
  std::vector<std::string> words;   // the first is empty
  std::vector<uint32_t> functions;  // names, in words
  std::vector<ComparedPlace> places;
  std::vector<ComparedSegment> segments;
  std::vector<std::string> outside;  // functions without bitcode that are called, sorted
};

// Changes the module in place.
base::Result<ComparedProgram> instrument_for_comparison(llvm::Module& module, bool optimise);

}  // namespace heddle::pass
