// SPDX-License-Identifier: Apache-2.0
//
// Given a part of an execution that is kept (a cut) and an operation that
// should turn out differently, which larger cuts might be partial executions in
// which it does? Those that contain the operation, what its thread did before
// it, and whatever each operation in them needs from other threads. Where
// several operations could serve a need, each gives a cut of its own. See
// docs/explanation/causal_exploration.md for why all of them are needed and
// why they suffice.
//
// Sections of locks: of two sections on one lock that are both in the cut, one
// comes first and must have ended. So a section that is still open at the end
// of the cut is also tried with its end included. When the open section is one
// that the changed operation lies in, its end is not known; then it must come
// last, or the kept sections on that lock that come after it are given up,
// with what needs them.
//
// Loads that matter to nothing in the cut (first_uses.h) need nothing; what they
// need is asked for when the operation that uses them first comes in. The
// changed operation may then also be such a load inside what is kept: it changes,
// and what is kept stays.
//
// The same question without a changed operation: which cuts contain at least
// these operations of each thread, and at most those?
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "causal/cut.h"
#include "property/visited_set.h"
#include "property/wanted_needs.h"

namespace heddle::property {

class CutClosure {
 public:
  // What is given must outlive the questions about it. Without `uses` every read matters.
  explicit CutClosure(const causal::Dependences& dependences, const causal::FirstUses* uses = nullptr);
  // For questions about one execution after the other.
  CutClosure() = default;
  void look_at(const WantedNeeds& needs) { needs_ = &needs; }

  // All such cuts, without duplicates, in a fixed order. The alternative's
  // operation is the last of its thread in each of them, unless it is a load
  // inside what is kept. `pinned`, ascending: loads that keep their value although
  // nothing there uses them.
  std::vector<causal::Cut> close(const causal::Cut& kept, const causal::Alternative& alternative,
                                 std::span<const causal::EventId> pinned = {});

  // All cuts that contain `required` and what it needs, and of each thread at
  // most `limits` operations; both are as long as the execution has threads.
  // None: there are too many to list.
  std::optional<std::vector<causal::Cut>> close_within(const causal::Cut& required, const causal::Cut& limits,
                                                       size_t most_steps = kMostSteps);
  static constexpr size_t kMostSteps = 100000;

 private:
  struct OpenSection {
    causal::ThreadId thread;
    uint32_t acquire, release;
    uint64_t lock;
    bool is_shared;
  };
  std::span<const WantedNeed> wanted(causal::EventId event) const;
  bool is_pinned(causal::EventId event) const;
  void collect_alternative_needs();
  uint32_t next_needy(causal::ThreadId thread) const;
  bool is_changed(causal::EventId event) const { return alternative_ && alternative_->event == event; }
  // What the changed operation's thread did up to it.
  bool leads_to_change(causal::ThreadId thread, uint32_t index) const {
    return alternative_ && alternative_->event.thread == thread && index <= alternative_->event.index;
  }
  // Of cut and met, as 128 bits: two that differ have different keys but for chance.
  VisitedSet::Key key() const;
  void grow();
  void grow_with(causal::ThreadId thread, uint32_t length);
  void serve(causal::EventId event, size_t need);
  void end_sections();
  void consume_tokens();
  void give_up(causal::ThreadId thread, uint32_t index);
  void give_up_dependents(const causal::Cut& kept);
  void collect_open_sections();
  std::vector<causal::Cut> take_found();

  const std::unique_ptr<const WantedNeeds> own_needs_;  // null: they belong to somebody else
  const WantedNeeds* needs_ = nullptr;
  const causal::Alternative* alternative_ = nullptr;
  causal::ListStore alternative_store_;
  std::vector<causal::Need> alternative_needs_;
  std::vector<WantedNeed> alternative_wanted_;
  std::span<const causal::EventId> pinned_;
  causal::Cut limits_;  // of each thread, so many operations may serve others
  size_t most_steps_ = 0, steps_ = 0;
  const causal::Cut* kept_ = nullptr;  // at first
  causal::Cut base_;                   // what is kept of it now
  causal::Cut cut_;                    // as it grows
  causal::Cut met_;                    // of each thread, the needs of so many operations are met
  std::vector<uint32_t> found_;        // cuts, one after the other; perhaps some twice
  std::vector<OpenSection> open_;      // of all cuts that are being grown, innermost last
  VisitedSet visited_;
  std::set<causal::Cut> bases_seen_;
  std::vector<causal::Cut> bases_;
};

}  // namespace heddle::property
