// SPDX-License-Identifier: Apache-2.0
//
// The walker: follows the path that a thread took through the bitcode and makes
// terms of what it did. It computes what can be computed; what it cannot (outside
// functions, floating point, exceptions) keeps the value that it had, and a
// condition says that what it came from does so too. It never searches.
//
// No LLVM here. One program serves many walks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "build/numbered_program.h"
#include "solve/terms.h"
#include "symbolic/path_source.h"
#include "symbolic/symbolic_trace.h"

namespace heddle::symbolic {

// One thread, from its first record to its last. Symbols are named after the
// thread and the operation that reads: "T0.1:17". With `detours`, the sides of branches that it did not take are
// walked too, as far as they are simple (ThreadTrace::detours).
ThreadTrace walk_thread(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms,
                        const std::string& thread, WalkStatistics& statistics, bool detours = false);

// A thread up to a certain place, from which walks may go on. What it read before is taken to be what the source says,
// whatever happens: it is no symbol, and what is computed from it no term.
class WalkedBeginning {
 public:
  // Its first `operations` operations. The terms, with those of other threads, are copied for each walk that goes on.
  WalkedBeginning(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms,
                  const std::string& thread, uint32_t operations);
  WalkedBeginning(WalkedBeginning&& other) noexcept;
  ~WalkedBeginning();

  // The rest of the thread; the source begins with what the beginning was made of. In the result, operations of the
  // beginning are empty.
  ThreadTrace go_on(PathSource& source, solve::Terms& terms, WalkStatistics& statistics) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::symbolic
