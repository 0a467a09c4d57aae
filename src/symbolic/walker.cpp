// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walker.h"

#include "symbolic/walk.h"

namespace heddle::symbolic {

ThreadTrace walk_thread(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms,
                        const std::string& thread, WalkStatistics& statistics, bool detours, uint32_t fixed) {
  ThreadTrace trace;
  trace.thread = thread;
  WalkState state(program, source, terms, trace, statistics);
  state.fixed = fixed;
  Walk walk(state, detours);
  std::string lost;
  while (!walk.is_over() && lost.empty()) {
    for (const HeddleRecord& record : source.outside({})) state.add_as_it_was(record);
    const std::optional<uint32_t> first = walk.is_over() ? std::nullopt : source.next_function();
    if (!first) break;
    const llvm::Function* function = state.program.functions.lookup(*first);
    if (!function) {
      lost = "a function that the module does not have";
      break;
    }
    walk.enter(*function, nullptr);
    while (!state.frames.empty() && !walk.is_over()) walk.step();
  }
  if (lost.empty()) lost = walk.lost();
  if (lost.empty() && source.is_lost()) lost = source.why();
  if (lost.empty() && !source.has_ended()) lost = "records that belong to no function";
  if (lost.empty()) return trace;
  // What follows is not understood: all that was read keeps its value.
  state.hold_everything(0);
  for (const HeddleRecord& record : source.rest()) state.add_as_it_was(record);
  ++statistics.lost;
  statistics.reasons.push_back(thread + ": " + lost);
  return trace;
}

}  // namespace heddle::symbolic
