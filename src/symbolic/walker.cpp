// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walker.h"

#include "symbolic/walk.h"

namespace heddle::symbolic {
namespace {

// From where the walk is, up to its end or until `is_enough`.
template <typename Enough>
void walk_on(Walk& walk, WalkState& state, std::string& lost, Enough is_enough) {
  while (!walk.is_over() && lost.empty()) {
    while (!state.frames.empty() && !walk.is_over()) {
      if (is_enough()) return;
      walk.step();
    }
    if (is_enough()) return;
    for (const HeddleRecord& record : state.source.outside({})) state.add_as_it_was(record);
    const std::optional<uint32_t> first = walk.is_over() ? std::nullopt : state.source.next_function();
    if (!first) return;
    if (const llvm::Function* function = state.program.functions.lookup(*first)) {
      walk.enter(*function, nullptr);
    } else {
      lost = "a function that the module does not have";
    }
  }
}

void finish(Walk& walk, WalkState& state, std::string lost) {
  PathSource& source = state.source;
  if (lost.empty()) lost = walk.lost();
  if (lost.empty() && source.is_lost()) lost = source.why();
  if (lost.empty() && !source.has_ended()) lost = "records that belong to no function";
  if (lost.empty()) return;
  // What follows is not understood: all that was read keeps its value.
  state.hold_everything(0);
  for (const HeddleRecord& record : source.rest()) state.add_as_it_was(record);
  ++state.statistics.lost;
  state.statistics.reasons.push_back(state.trace.thread + ": " + lost);
}

}  // namespace

ThreadTrace walk_thread(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms,
                        const std::string& thread, WalkStatistics& statistics, bool detours) {
  ThreadTrace trace;
  trace.thread = thread;
  WalkState state(program, source, terms, trace, statistics);
  Walk walk(state, detours);
  std::string lost;
  walk_on(walk, state, lost, [] { return false; });
  finish(walk, state, std::move(lost));
  return trace;
}

struct WalkedBeginning::State {
  State(const build::NumberedProgram& the_program, PathSource& source, solve::Terms& terms)
      : program(the_program), walked(the_program, source, terms, trace, statistics) {}
  const build::NumberedProgram& program;
  ThreadTrace trace;
  WalkStatistics statistics;
  WalkState walked;
  bool is_there = false;  // else walks begin where the thread does
  size_t taken = 0;       // of the source
};

WalkedBeginning::WalkedBeginning(WalkedBeginning&& other) noexcept = default;
WalkedBeginning::~WalkedBeginning() = default;

WalkedBeginning::WalkedBeginning(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms,
                                 const std::string& thread, uint32_t operations)
    : state_(std::make_unique<State>(program, source, terms)) {
  ThreadTrace& trace = state_->trace;
  trace.thread = thread;
  state_->walked.fixed = operations;
  Walk walk(state_->walked, false);
  std::string lost;
  walk_on(walk, state_->walked, lost, [&] { return trace.operations.size() >= operations; });
  // One step of the walk may be several operations, some of them beyond the beginning.
  state_->is_there = lost.empty() && !walk.is_over() && trace.operations.size() == operations;
  state_->taken = source.taken();
  trace.operations.clear();
}

ThreadTrace WalkedBeginning::go_on(PathSource& source, solve::Terms& terms, WalkStatistics& statistics) const {
  ThreadTrace trace;
  trace.thread = state_->trace.thread;
  const auto go = [&](WalkState& state) {
    Walk walk(state, false);
    std::string lost;
    walk_on(walk, state, lost, [] { return false; });
    finish(walk, state, std::move(lost));
  };
  if (state_->is_there) {
    trace.operations.resize(state_->walked.fixed);
    trace.certain_operations = state_->trace.certain_operations;
    source.skip_to(state_->taken);
    WalkState state(state_->walked, source, terms, trace, statistics);
    go(state);
  } else {
    WalkState state(state_->program, source, terms, trace, statistics);
    state.fixed = state_->walked.fixed;
    go(state);
  }
  return trace;
}

}  // namespace heddle::symbolic
