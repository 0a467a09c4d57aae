// SPDX-License-Identifier: Apache-2.0
#include "property/races.h"

#include <algorithm>
#include <unordered_map>

#include "causal/operation.h"
#include "property/at_once.h"
#include "property/happens_before.h"
#include "property/unordered.h"

namespace heddle::property {

using causal::Cut;
using causal::Dependences;
using causal::EventId;
using causal::Execution;
using causal::HeldSection;
using causal::ThreadId;
using schedule::StepKind;

namespace {

constexpr uint32_t kNoLimit = ~0u;

bool is_held(const HeldSection& section, EventId at) {
  return section.acquire < at.index && section.release > at.index;
}

// A lock that both hold, at least one of them alone, orders them always.
bool share_a_lock(const Dependences& dependences, EventId one, EventId other) {
  for (const HeldSection& section : dependences.sections(one.thread)) {
    if (!is_held(section, one)) continue;
    for (const HeldSection& rival : dependences.sections(other.thread))
      if (rival.lock == section.lock && is_held(rival, other) && !(rival.is_shared && section.is_shared)) return true;
  }
  return false;
}

// Conflicts only when it writes: does it conflict with a plain read?
bool must_succeed(const HeddleRecord& operation, const HeddleRecord& other) {
  return operation.kind == HEDDLE_CAS && !causal::writes_memory(other);
}

}  // namespace

struct RaceFinder::Questions {
  Questions(const Dependences& about, schedule::MemoryModel model, RacyReads racy_reads)
      : dependences(about),
        execution(about.execution()),
        closure(about),
        problem(about, model),
        are_at_once(racy_reads == RacyReads::kOrder && model == schedule::MemoryModel::kSc &&
                    races_are_at_once(about.execution())) {}
  const Dependences& dependences;
  const Execution& execution;
  CutClosure closure;
  CutProblem problem;
  const bool are_at_once;  // a race that is not enabled at once is none
};

size_t RaceFinder::KeyHash::operator()(const std::vector<uint32_t>& key) const {
  uint64_t hash = key.size();
  for (const uint32_t word : key) hash = (hash ^ word) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
  return hash;
}

RaceFinder::RaceFinder(schedule::MemoryModel model, std::vector<uint32_t> places, AskSolver ask, RacyReads racy_reads,
                       size_t most_steps)
    : model_(model),
      places_(std::move(places)),
      ask_(std::move(ask)),
      racy_reads_(racy_reads),
      most_steps_(most_steps) {}

RaceFinder::Known& RaceFinder::known(const HeddleRecord& one, const HeddleRecord& other) {
  const auto place = [&](const HeddleRecord& record) {
    return record.site < places_.size() ? places_[record.site] : 0;
  };
  return known_[std::minmax(place(one), place(other))];
}

bool RaceFinder::is_asked(const Questions& questions, const Cut& cut, std::span<const uint32_t> what) {
  std::vector<uint32_t> key(what.begin(), what.end());
  for (ThreadId t = 0; t < cut.size(); ++t)
    if (cut[t] > 0) key.insert(key.end(), {t, questions.execution.threads[t].histories[cut[t]], cut[t]});
  return !asked_.insert(std::move(key)).second;
}

void RaceFinder::save(base::ByteWriter& out) const {
  out.number(is_complete_);
  out.number(known_.size());
  for (const auto& [places, known] : known_) {
    out.number(places.first);
    out.number(places.second);
    out.number(static_cast<uint64_t>(known));
  }
  out.number(asked_.size());
  for (const std::vector<uint32_t>& key : asked_) out.plain(key);
}

void RaceFinder::restore(base::ByteReader& in) {
  is_complete_ = in.number() != 0;
  for (size_t left = in.count(3); left > 0; --left) {
    const uint32_t low = static_cast<uint32_t>(in.number()), high = static_cast<uint32_t>(in.number());
    known_[{low, high}] = static_cast<Known>(in.number());
  }
  for (size_t left = in.count(); left > 0; --left) asked_.insert(in.plain<uint32_t>());
}

void RaceFinder::find(const Dependences& dependences, const std::function<bool(const Race&)>& found) {
  const Execution& execution = dependences.execution();
  std::map<uint64_t, std::vector<EventId>> words;
  for (ThreadId t = 0; t < execution.threads.size(); ++t)
    for (const HeddleRecord& operation : execution.threads[t].operations)
      if (causal::accesses_memory(operation) && operation.size > 0)
        for (uint64_t word = operation.address / 8; word <= (operation.address + operation.size - 1) / 8; ++word)
          words[word].push_back({t, operation.index});
  Questions questions(dependences, model_, racy_reads_);
  for (const auto& [word, accesses] : words) {
    for (size_t i = 0; i < accesses.size(); ++i) {
      for (size_t k = i + 1; k < accesses.size(); ++k) {
        const EventId one = accesses[i], other = accesses[k];
        const HeddleRecord &first = execution.operation(one), &second = execution.operation(other);
        if (!conflict(first, second)) continue;
        if (std::max(first.address, second.address) / 8 != word) continue;  // each pair once
        if (!look_at(questions, one, other, found)) return;
      }
    }
  }
}

void RaceFinder::find_among(const Dependences& dependences, const Pairs& pairs,
                            const std::function<bool(const Race&)>& found) {
  Questions questions(dependences, model_, racy_reads_);
  for (const auto& [one, other] : pairs)
    if (!look_at(questions, one, other, found)) return;
}

// False: no more are wanted.
bool RaceFinder::look_at(Questions& questions, EventId one, EventId other,
                         const std::function<bool(const Race&)>& found) {
  const Dependences& dependences = questions.dependences;
  const HeddleRecord &first = questions.execution.operation(one), &second = questions.execution.operation(other);
  const Known state = known(first, second);
  if (state == Known::kAtOnce) return true;
  if (dependences.must_order().before(one, other) || dependences.must_order().before(other, one)) return true;
  if (share_a_lock(dependences, one, other)) return true;
  Race race{one, other, false, {}};
  race.enabled_at_once = find_at_once(questions, one, other, race);
  if (!race.enabled_at_once) {
    if (state == Known::kRace || questions.are_at_once) return true;
    if (!find_unordered(questions, one, other, race) && !find_unordered(questions, other, one, race)) return true;
  }
  known(first, second) = race.enabled_at_once ? Known::kAtOnce : Known::kRace;
  return found(race);
}

bool RaceFinder::find_at_once(Questions& questions, EventId one, EventId other, Race& race) {
  const Execution& execution = questions.execution;
  if (execution.operation(one).kind == HEDDLE_EXTERN_WRITE || execution.operation(other).kind == HEDDLE_EXTERN_WRITE)
    return false;  // no operation of its own
  if (must_succeed(execution.operation(other), execution.operation(one))) std::swap(one, other);
  // A compare-exchange that has to succeed is part of the cut, as its last operation.
  const bool has_last = must_succeed(execution.operation(one), execution.operation(other));
  Cut required(execution.threads.size(), 0), limits(execution.threads.size(), kNoLimit);
  required[one.thread] = limits[one.thread] = one.index + (has_last ? 1 : 0);
  required[other.thread] = limits[other.thread] = other.index;
  const auto cuts = questions.closure.close_within(required, limits, most_steps_);
  if (!cuts) is_complete_ = false;
  if (!cuts) return false;
  for (const Cut& cut : *cuts) {
    const uint32_t what[] = {0, one.thread, other.thread, has_last};
    if (is_asked(questions, cut, what) || !questions.problem.build(cut)) continue;
    if (has_last) questions.problem.put_last(one);
    const solve::Answer answer = ask_(questions.problem.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) is_complete_ = false;
    if (answer.kind != solve::Answer::Kind::kOrder) continue;
    race.plan = questions.problem.steps(answer.order);
    for (const EventId access : {one, other})
      if (!causal::contains(cut, access))
        race.plan.push_back({StepKind::kOp, access, execution.operation(access).site, 0});
    return true;
  }
  return false;
}

bool RaceFinder::find_unordered(Questions& questions, EventId one, EventId last, Race& race) {
  const HeddleRecord &operation = questions.execution.operation(last), &other = questions.execution.operation(one);
  const bool is_free = causal::reads_memory(operation) && !must_succeed(operation, other);
  Cut required(questions.execution.threads.size(), 0), limits(questions.execution.threads.size(), kNoLimit);
  required[one.thread] = one.index + 1;
  required[last.thread] = limits[last.thread] = last.index + (is_free ? 0 : 1);
  if (find_unordered_within(questions, required, limits, one, last, is_free, race)) return true;
  if (!is_free || operation.order == HEDDLE_ORDER_NOT_ATOMIC) return false;
  // What it takes makes a difference: it may have to be what nothing else needs.
  for (const causal::Segment& segment : questions.dependences.segments(last)) {
    for (const causal::Source& source : segment.sources) {
      if (source.write.thread == last.thread || source.write.index < required[source.write.thread]) continue;
      Cut more = required;
      more[source.write.thread] = source.write.index + 1;
      if (find_unordered_within(questions, more, limits, one, last, is_free, race)) return true;
    }
  }
  return false;
}

bool RaceFinder::find_unordered_within(Questions& questions, const Cut& required, const Cut& limits, EventId one,
                                       EventId last, bool is_free, Race& race) {
  auto cuts = questions.closure.close_within(required, limits, most_steps_);
  if (!cuts) is_complete_ = false;
  if (!cuts) return false;
  for (Cut& cut : *cuts) {
    cut[last.thread] = last.index + 1;
    const uint32_t what[] = {1, one.thread, one.index, last.thread, last.index};
    if (is_asked(questions, cut, what)) continue;
    const UnorderedSearch search = find_unordered_order(questions.dependences, questions.problem, cut, one, last,
                                                        is_free, model_, racy_reads_, ask_);
    if (!search.is_complete) is_complete_ = false;
    if (!search.is_found) continue;
    race.plan = search.plan;
    return true;
  }
  return false;
}

}  // namespace heddle::property
