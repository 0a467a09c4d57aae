// SPDX-License-Identifier: Apache-2.0
//
// The way each thread went, from what each core executed: instructions are sorted by thread, as
// the kernel's records say, and those that have a mark (build/code_marks.h) are bits of its path or
// places where it stores. (Algorithm 11 of H3: blocks instead of marks.)
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/code_marks.h"
#include "record/pt/pt_trace.h"
#include "record/recording.h"

namespace heddle::record::pt {

// The first store that a thread made after it came to a core.
struct CoreChange {
  uint32_t core = 0;
  uint64_t time = 0;      // when it came
  uint32_t site = 0;      // of the store
  uint64_t position = 0;  // bits of the path before it
};

struct ThreadPath {
  Path path;
  std::vector<CoreChange> changes;
  bool is_whole = true;  // else something is missing after the last bit; what came after that is left out
};

struct DecodedPaths {
  std::map<int32_t, ThreadPath> threads;  // by the kernel's number
  uint64_t instructions = 0;
  uint64_t losses = 0;
};

// `seen`, if given, is told each instruction of each thread, in its order, up to where something is missing.
using InstructionSeen = std::function<void(int32_t thread, uint64_t address)>;
base::Result<DecodedPaths> decode_paths(const Trace& trace, const std::vector<build::CodeMark>& marks,
                                        const InstructionSeen& seen = nullptr);

}  // namespace heddle::record::pt
