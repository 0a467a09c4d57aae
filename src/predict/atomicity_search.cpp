// SPDX-License-Identifier: Apache-2.0
#include "predict/atomicity_search.h"

#include <algorithm>
#include <array>
#include <map>

#include "causal/needs.h"
#include "causal/unmodelled.h"
#include "predict/interference_candidates.h"
#include "predict/race_search.h"
#include "predict/window.h"
#include "predict/witness.h"
#include "property/atomicity.h"

namespace heddle::predict {

using causal::EventId;

namespace {

// Of three places, in all: more are not asked about.
constexpr int kMostAsked = 100;
// Of a question, in looking for the parts of a window that could answer it.
constexpr size_t kMostSteps = 20000;

class AtomicitySearch {
 public:
  AtomicitySearch(const trace::Trace& trace, const AtomicBlocks& blocks, const Options& options,
                  solve::OrderSolver& solver, const std::function<bool(const Interference&)>& take,
                  Statistics& statistics, gaps::Gaps& gaps)
      : trace_(trace),
        blocks_(blocks),
        options_(options),
        ask_([&solver](const solve::OrderProblem& problem) { return solver.solve(problem); }),
        take_(take),
        statistics_(statistics),
        gaps_(gaps),
        places_(number_places(trace.sites)),
        state_(trace.threads.size()),
        witness_(trace) {
    threads_.ids_of(trace.threads);
  }

  void run() {
    uint64_t windows = 0;
    for (size_t begin = 0, end; begin < trace_.events.size(); begin = end) {
      if (options_.stops && options_.stops(begin)) break;
      end = end_of_window(trace_, begin, options_.window);
      ++windows;
      look_at(begin, end);
      for (size_t at = begin; at < end; ++at)
        if (trace::is_visible(trace_.events[at].record)) state_.apply(trace_.events[at].record);
    }
    statistics_.windows = std::max(statistics_.windows, windows);
    if (gave_up_) gaps_.raise(HEDDLE_GAP_INTERFERENCE_PAIRS);
  }

 private:
  using Places = std::array<uint32_t, 3>;

  const HeddleRecord& record(size_t at) const { return trace_.events[at].record; }
  EventId event(size_t at) const { return {record(at).thread, record(at).index}; }
  Places places_of(const InterferenceCandidate& candidate) const {
    const auto place = [&](size_t at) { return record(at).site < places_.size() ? places_[record(at).site] : 0; };
    return {place(candidate.first), place(candidate.middle), place(candidate.last)};
  }

  bool is_wanted(const InterferenceCandidate& candidate) {
    const Places places = places_of(candidate);
    if (found_.count(places)) return false;
    if (asked_[places]++ < kMostAsked) return true;
    gave_up_ = true;
    return false;
  }

  void look_at(size_t begin, size_t end) {
    const auto candidates =
        find_interference_candidates(trace_, begin, end, state_, blocks_,
                                     [this](const InterferenceCandidate& candidate) { return is_wanted(candidate); });
    if (candidates.empty()) return;
    statistics_.candidates += candidates.size();
    const Window window(trace_, begin, end, state_, threads_);
    if (causal::is_too_large(window.execution())) {
      gaps_.raise(HEDDLE_GAP_WINDOW_TOO_LARGE);
      return;
    }
    for (const std::string& what : causal::unmodelled(window.execution(), {}))
      gaps_.raise(HEDDLE_GAP_NOT_MODELLED, what);
    for (const std::string& what : causal::unmodelled_by_solver(window.execution()))
      gaps_.raise(HEDDLE_GAP_NOT_MODELLED, what);
    const causal::Dependences dependences(window.execution());
    property::AtomicityQuestion question(dependences, ask_, kMostSteps);
    for (const InterferenceCandidate& candidate : candidates)
      if (!found_.count(places_of(candidate))) look_at(window, question, candidate);
    if (!question.is_complete()) gaps_.raise(HEDDLE_GAP_ANSWERS_LEFT_OUT);
  }

  void look_at(const Window& window, property::AtomicityQuestion& question, const InterferenceCandidate& candidate) {
    Interference found;
    found.first = event(candidate.first);
    found.middle = event(candidate.middle);
    found.last = event(candidate.last);
    for (const EventId access : {found.first, found.middle, found.last})
      if (!window.has(access)) return;
    const auto plan =
        question.find_order(window.inside(found.first), window.inside(found.middle), window.inside(found.last));
    if (!plan) return;
    found.first_site = record(candidate.first).site;
    found.middle_site = record(candidate.middle).site;
    found.last_site = record(candidate.last).site;
    found.pattern = candidate.pattern;
    found.block = candidate.block;
    found.order.history = window.begin();
    found.order.plan = window.translate(*plan);
    const std::string refused = check(found);
    if (!refused.empty()) {
      gaps_.raise(HEDDLE_GAP_WITNESS_REFUSED, refused);
      return;
    }
    if (take_(found)) found_.insert(places_of(candidate));
  }

  // Empty, or why the order does not show it.
  std::string check(const Interference& found) {
    const auto& plan = found.order.plan;
    const auto place = [&](EventId access) {
      return std::find_if(plan.begin(), plan.end(),
                          [&](const property::PlannedStep& step) { return step.event == access; });
    };
    if (!(place(found.first) < place(found.middle) && place(found.middle) < place(found.last) &&
          place(found.last) < plan.end()))
      return "nothing comes between";
    std::vector<EventId> last = {found.last};
    const bool goes_on = std::any_of(plan.begin(), plan.end(), [&](const property::PlannedStep& step) {
      return step.event.thread == found.middle.thread && step.event.index > found.middle.index;
    });
    if (!goes_on) last.push_back(found.middle);
    return witness_.check(found.order.history, plan, last);
  }

  const trace::Trace& trace_;
  const AtomicBlocks& blocks_;
  const Options& options_;
  const property::AskSolver ask_;
  const std::function<bool(const Interference&)>& take_;
  Statistics& statistics_;
  gaps::Gaps& gaps_;
  causal::ThreadTable threads_;
  const std::vector<uint32_t> places_;
  CarriedState state_;
  Witness witness_;
  std::map<Places, int> asked_;
  std::set<Places> found_;
  bool gave_up_ = false;
};

}  // namespace

void find_interferences(const trace::Trace& trace, const AtomicBlocks& blocks, const Options& options,
                        solve::OrderSolver& solver, const std::function<bool(const Interference&)>& take,
                        Statistics& statistics, gaps::Gaps& gaps) {
  AtomicitySearch(trace, blocks, options, solver, take, statistics, gaps).run();
}

}  // namespace heddle::predict
