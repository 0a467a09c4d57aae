// SPDX-License-Identifier: Apache-2.0
#include "report/circumstances.h"

#include <algorithm>
#include <map>

#include "causal/sections.h"
#include "report/action_text.h"

namespace heddle::report {

namespace {

using causal::SectionStep;

// A thread as far as the trace was read.
struct ThreadState {
  struct Call {
    uint32_t site;    // in the function
    uint32_t caller;  // of the call; 0: not known
  };
  std::vector<Call> functions;  // that have begun, outermost first
  struct Held {
    uint64_t lock;
    bool is_shared;
    size_t event;  // that took it
  };
  std::vector<Held> held;
};

class Reader {
 public:
  explicit Reader(const naming::Names& names) : names_(names), trace_(names.trace()) {}

  std::vector<Circumstances> read(std::span<const causal::EventId> events) {
    std::vector<Circumstances> all(events.size());
    std::map<uint32_t, ThreadState> threads;
    std::map<causal::EventId, std::vector<size_t>> wanted;
    for (size_t i = 0; i < events.size(); ++i) {
      threads[events[i].thread];
      wanted[events[i]].push_back(i);
    }
    for (size_t at = 0; at < trace_.events.size(); ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      const auto thread = threads.find(record.thread);
      if (thread == threads.end()) continue;
      if (trace::is_visible(record) || record.kind == HEDDLE_WAITING) {
        const auto found = wanted.find({record.thread, record.index});
        if (found != wanted.end()) {
          for (const size_t i : found->second) all[i] = describe(thread->second, at);
          wanted.erase(found);
        }
      }
      follow(thread->second, at);
    }
    return all;
  }

 private:
  const trace::Site& site(uint32_t number) const { return trace_.sites[number < trace_.sites.size() ? number : 0]; }

  Frame frame_of(const HeddleRecord& record) const {
    const trace::Site& where = site(record.site);
    return {where.function, where.file, where.line};
  }

  Circumstances describe(const ThreadState& state, size_t at) const {
    const trace::Event& event = trace_.events[at];
    Circumstances here;
    here.action = action_text(names_, event, Through::kMemory);
    here.stack.push_back(frame_of(event.record));
    for (size_t depth = state.functions.size(); depth > 0; --depth) {
      const trace::Site& begun = site(state.functions[depth - 1].site);
      const bool is_innermost = depth == state.functions.size();
      if (is_innermost && begun.function == here.stack[0].function) continue;
      // Code without bitcode may have called what this function did not.
      const trace::Site& call = is_innermost ? site(0) : site(state.functions[depth].caller);
      here.stack.push_back({begun.function, begun.file, call.function == begun.function ? call.line : 0});
    }
    for (const ThreadState::Held& held : state.held)
      here.locks.push_back({variable_text(names_, trace_.events[held.event], held.lock), held.is_shared,
                            frame_of(trace_.events[held.event].record)});
    return here;
  }

  void follow(ThreadState& state, size_t at) const {
    const HeddleRecord& record = trace_.events[at].record;
    if (record.kind == HEDDLE_FUNCTION_ENTER)
      state.functions.push_back({record.site, static_cast<uint32_t>(record.value2)});
    if (record.kind == HEDDLE_FUNCTION_EXIT) {
      // What was left by a jump has no end of its own.
      const auto begun = std::find_if(state.functions.rbegin(), state.functions.rend(),
                                      [&](const ThreadState::Call& call) { return call.site == record.site; });
      if (begun != state.functions.rend()) state.functions.erase(std::prev(begun.base()), state.functions.end());
    }
    if (!trace::is_visible(record)) return;
    const SectionStep step = causal::section_step(record);
    if (step.kind == SectionStep::Kind::kNone) return;
    if (step.kind != SectionStep::Kind::kRelease) {
      state.held.push_back({step.lock, step.kind == SectionStep::Kind::kAcquireShared, at});
      return;
    }
    const auto found = std::find_if(state.held.rbegin(), state.held.rend(),
                                    [&](const ThreadState::Held& held) { return held.lock == step.lock; });
    if (found != state.held.rend()) state.held.erase(std::prev(found.base()));
  }

  const naming::Names& names_;
  const trace::Trace& trace_;
};

}  // namespace

std::vector<Circumstances> circumstances_of(const naming::Names& names, std::span<const causal::EventId> events) {
  return Reader(names).read(events);
}

}  // namespace heddle::report
