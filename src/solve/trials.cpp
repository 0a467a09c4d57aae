// SPDX-License-Identifier: Apache-2.0
#include "solve/trials.h"

#include "base/check.h"

namespace heddle::solve {
namespace {

constexpr uint32_t kMostEvents = 512;  // above, copies of the closure cost more than a SAT solver
constexpr uint32_t kMostTrials = 100;

}  // namespace

Trials::Outcome Trials::run(const OrderProblem& problem, Saturation& saturation, GuidedOrder& guided) {
  if (problem.events > kMostEvents) return Outcome::kGaveUp;
  size_t depth = 0;
  for (uint32_t trial = 0; trial < kMostTrials; ++trial) {
    if (depth == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth++];
    frame.assumed = decision(saturation, guided);
    frame.before = saturation;
    bool possible = saturation.assume(frame.assumed);
    while (!possible) {
      if (saturation.has_given_up()) return Outcome::kGaveUp;
      if (depth == 0) return Outcome::kNone;
      const Frame& failed = frames_[--depth];
      saturation = failed.before;
      possible = saturation.assume(failed.assumed.negated());
    }
    if (guided.run(problem, saturation)) return Outcome::kOrder;
  }
  if (depth > 0) {
    saturation = frames_[0].before;
    guided.run(problem, saturation);
  }
  return Outcome::kGaveUp;
}

// An open literal on which the obstacle depends.
Literal Trials::decision(const Saturation& saturation, const GuidedOrder& guided) {
  const GuidedOrder::Obstacle& obstacle = guided.obstacle();
  if (obstacle.open_read != kNoEvent) return decision_for_read(saturation, saturation.open_reads()[obstacle.open_read]);
  if (obstacle.acquire != kNoEvent) {
    for (const auto& [one, two] : saturation.open_sections()) {
      if (one.acquire == obstacle.acquire) return Literal::before(two.acquire, one.release);
      if (two.acquire == obstacle.acquire) return Literal::before(one.acquire, two.release);
    }
  }
  HEDDLE_CHECK(obstacle.clause != nullptr, "an order that fails names an obstacle");
  for (const Literal& literal : *obstacle.clause) {
    if (saturation.value(literal) == Saturation::Value::kOpen) return literal;
  }
  HEDDLE_CHECK(false, "an open clause has an open literal");
}

// The read is open, so a source may be before or after it; or, if all sources
// left are certainly before it, an own store may, or an other is not placed yet.
Literal Trials::decision_for_read(const Saturation& saturation, const OpenRead& read) {
  const Closure& closure = saturation.closure();
  Event open_source = kNoEvent, certain_source = kNoEvent;
  for_each_bit(saturation.sources(read), closure.words(),
               [&](Event source) { (closure.before(source, read.read) ? certain_source : open_source) = source; });
  if (open_source != kNoEvent) return Literal::before(open_source, read.read);
  if (read.own_store != kNoEvent) return Literal::before(read.read, read.own_store);
  HEDDLE_CHECK(certain_source != kNoEvent, "an open read has two ways left, or a source");
  Event unplaced = kNoEvent;
  for_each_bit(saturation.others(read), closure.words(), [&](Event other) {
    if (!closure.before(other, certain_source) && !closure.before(read.read, other)) unplaced = other;
  });
  HEDDLE_CHECK(unplaced != kNoEvent, "a read is open while an other is not placed");
  if (closure.before(certain_source, unplaced)) return Literal::before(read.read, unplaced);
  return Literal::before(unplaced, certain_source);
}

}  // namespace heddle::solve
