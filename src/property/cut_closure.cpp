// SPDX-License-Identifier: Apache-2.0
#include "property/cut_closure.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::property {

using causal::Alternative;
using causal::Cut;
using causal::EventId;
using causal::HeldSection;
using causal::Need;
using causal::ThreadId;

namespace {

constexpr uint32_t kNoLimit = ~0u;

}  // namespace

CutClosure::CutClosure(const causal::Dependences& dependences, const causal::FirstUses* uses)
    : own_needs_(std::make_unique<const WantedNeeds>(dependences, uses)), needs_(own_needs_.get()) {}

void CutClosure::collect_alternative_needs() {
  const auto [thread, index] = alternative_->event;
  alternative_store_.clear();
  alternative_needs_.clear();
  needs_->dependences().add_needs_as(alternative_->event, alternative_->operation, alternative_needs_,
                                     alternative_store_);
  alternative_wanted_.clear();
  for (const Need& need : alternative_needs_) alternative_wanted_.push_back({&need, index});
  if (index >= needs_->dependences().execution().length(thread)) return;  // it was only waited for
  for (const WantedNeed& wanted : needs_->with(alternative_->event))
    if (wanted.needer != index) alternative_wanted_.push_back(wanted);
}

std::vector<Cut> CutClosure::close(const Cut& kept, const Alternative& alternative, std::span<const EventId> pinned) {
  alternative_ = &alternative;
  pinned_ = pinned;
  // What the thread does after the changed operation is not known.
  limits_.assign(kept.size(), kNoLimit);
  limits_[alternative.event.thread] = alternative.event.index;
  steps_ = 0;
  most_steps_ = ~size_t{0};
  collect_alternative_needs();
  kept_ = &kept;
  found_.clear();
  bases_seen_ = {kept};
  bases_ = {kept};
  for (size_t i = 0; i < bases_.size(); ++i) {
    base_ = met_ = cut_ = bases_[i];
    visited_.clear();
    if (causal::contains(base_, alternative.event)) {
      serve(alternative.event, 0);
      continue;
    }
    cut_[alternative.event.thread] = alternative.event.index + 1;
    grow();
  }
  return take_found();
}

std::optional<std::vector<Cut>> CutClosure::close_within(const Cut& required, const Cut& limits, size_t most_steps) {
  alternative_ = nullptr;
  pinned_ = {};
  limits_ = limits;
  steps_ = 0;
  most_steps_ = most_steps;
  kept_ = &required;
  base_.assign(required.size(), 0);
  met_ = base_;
  cut_ = required;
  found_.clear();
  visited_.clear();
  bases_seen_.clear();
  bases_.clear();
  grow();
  if (steps_ > most_steps_) return std::nullopt;
  return take_found();
}

// Without duplicates, ascending.
std::vector<Cut> CutClosure::take_found() {
  std::vector<std::span<const uint32_t>> cuts;
  cuts.reserve(found_.size() / cut_.size());
  for (size_t at = 0; at < found_.size(); at += cut_.size()) cuts.push_back(std::span(found_).subspan(at, cut_.size()));
  std::sort(cuts.begin(), cuts.end(),
            [](auto one, auto other) { return std::ranges::lexicographical_compare(one, other); });
  cuts.erase(std::unique(cuts.begin(), cuts.end(), [](auto one, auto other) { return std::ranges::equal(one, other); }),
             cuts.end());
  std::vector<Cut> result;
  result.reserve(cuts.size());
  for (const auto cut : cuts) result.emplace_back(cut.begin(), cut.end());
  return result;
}

std::span<const WantedNeed> CutClosure::wanted(EventId event) const {
  return is_changed(event) ? std::span<const WantedNeed>(alternative_wanted_) : needs_->with(event);
}

bool CutClosure::is_pinned(EventId event) const { return std::binary_search(pinned_.begin(), pinned_.end(), event); }

// The next operation in the cut, from met_ on, that needs anything; cut_[thread] if none.
uint32_t CutClosure::next_needy(ThreadId thread) const {
  const uint32_t from = met_[thread], end = cut_[thread];
  if (from >= end) return end;
  if (!alternative_ || alternative_->event.thread != thread) return std::min(needs_->next_from({thread, from}), end);
  const uint32_t changed = alternative_->event.index;
  return from < changed ? std::min(needs_->next_from({thread, from}), changed) : changed;
}

VisitedSet::Key CutClosure::key() const {
  VisitedSet::Key key = {0x243f6a8885a308d3, 0x13198a2e03707344};
  const auto mix = [&](uint64_t word) {
    key.first = (key.first ^ word) * 0x9e3779b97f4a7c15;
    key.first ^= key.first >> 29;
    key.second = (key.second + word) * 0xbf58476d1ce4e5b9;
    key.second ^= key.second >> 31;
  };
  for (ThreadId t = 0; t < cut_.size(); ++t) mix(uint64_t{cut_[t]} << 32 | next_needy(t));
  return key;
}

// Serves the first operation of the cut whose needs are not met yet.
void CutClosure::grow() {
  if (++steps_ > most_steps_ || !visited_.insert(key())) return;
  for (ThreadId t = 0; t < cut_.size(); ++t) {
    const uint32_t next = next_needy(t);
    if (next >= cut_[t]) continue;
    serve({t, next}, 0);
    return;
  }
  end_sections();
  if (needs_->has_semaphores()) consume_tokens();
}

// Grows on with more of one thread in the cut.
void CutClosure::grow_with(ThreadId thread, uint32_t length) {
  const uint32_t before = cut_[thread];
  cut_[thread] = std::max(before, length);
  grow();
  cut_[thread] = before;
}

// Needs of the event from number `need` on, in all ways.
void CutClosure::serve(EventId event, size_t need) {
  const std::span<const WantedNeed> all = wanted(event);
  if (need == all.size()) {
    const uint32_t before = met_[event.thread];
    met_[event.thread] = std::max(before, event.index + 1);
    grow();
    met_[event.thread] = before;
    return;
  }
  if (all[need].needer != event.index && is_pinned({event.thread, all[need].needer})) return serve(event, need + 1);
  const auto& servers = all[need].need->servers;
  bool is_met = all[need].need->may_be_met;
  for (const EventId server : servers)
    is_met |= server.index < limits_[server.thread] && causal::contains(cut_, server);
  if (is_met) serve(event, need + 1);
  for (auto server = servers.begin(); server != servers.end(); ++server) {
    if (server->index >= limits_[server->thread] || causal::contains(cut_, *server)) continue;
    const uint32_t before = cut_[server->thread];
    cut_[server->thread] = server->index + 1;
    serve(event, need + 1);
    cut_[server->thread] = before;
  }
}

void CutClosure::collect_open_sections() {
  for (ThreadId t = 0; t < cut_.size(); ++t) {
    for (const HeldSection& section : needs_->dependences().sections(t)) {
      if (section.acquire >= cut_[t]) break;
      if (is_changed({t, section.acquire})) continue;
      if (section.release == causal::kNotReleased || section.release >= cut_[t])
        open_.push_back({t, section.acquire, section.release, section.lock, section.is_shared});
    }
  }
  if (!alternative_) return;
  const causal::SectionStep step = causal::section_step(alternative_->operation);
  using Kind = causal::SectionStep::Kind;
  if (step.kind == Kind::kAcquire || step.kind == Kind::kAcquireShared)
    open_.push_back({alternative_->event.thread, alternative_->event.index, causal::kNotReleased, step.lock,
                     step.kind == Kind::kAcquireShared});
}

void CutClosure::end_sections() {
  bool possible = true;
  const size_t begin = open_.size();
  collect_open_sections();
  const size_t end = open_.size();
  for (size_t place = begin; place < end; ++place) {
    const OpenSection section = open_[place];
    bool contended = false;
    for (ThreadId t = 0; t < cut_.size(); ++t) {
      if (t == section.thread) continue;
      for (const HeldSection& other : needs_->dependences().sections(t)) {
        if (other.acquire >= cut_[t]) break;
        if (other.lock != section.lock || (other.is_shared && section.is_shared)) continue;
        contended = true;
        if (section.acquire >= base_[section.thread] && other.acquire < base_[t]) give_up(t, other.acquire);
      }
    }
    for (const OpenSection& other : std::span(open_).subspan(begin, end - begin)) {
      if (other.thread == section.thread || other.lock != section.lock || (other.is_shared && section.is_shared))
        continue;
      contended = true;
      possible = false;
    }
    if (!contended || section.release == causal::kNotReleased) continue;
    if (section.release >= limits_[section.thread]) continue;
    grow_with(section.thread, section.release + 1);
  }
  open_.erase(open_.begin() + static_cast<ptrdiff_t>(begin), open_.end());
  if (possible) found_.insert(found_.end(), cut_.begin(), cut_.end());
}

// Semaphores. A wait that is added competes for tokens with kept ones, so those
// may have to be given up. Where an attempt failed, tokens that are there by
// then were taken by somebody: waits beyond the cut are tried.
void CutClosure::consume_tokens() {
  const causal::Execution& execution = needs_->dependences().execution();
  const auto record_at = [&](ThreadId t, uint32_t i) -> const HeddleRecord& {
    return is_changed({t, i}) ? alternative_->operation : execution.operation({t, i});
  };
  const auto is_wait = [](const HeddleRecord& record) { return semantics::effect_of(record) == HEDDLE_EFFECT_TAKE; };
  const auto got_none = [](const HeddleRecord& record) { return semantics::gave_up(record); };
  std::set<uint64_t> added_waits, added_posts, failures;
  for (ThreadId t = 0; t < cut_.size(); ++t) {
    for (uint32_t i = 0; i < cut_[t]; ++i) {
      const HeddleRecord& record = record_at(t, i);
      if (is_wait(record) && got_none(record)) failures.insert(record.address);
      if (i < base_[t]) continue;
      if (is_wait(record) && !got_none(record)) added_waits.insert(record.address);
      if (semantics::effect_of(record) == HEDDLE_EFFECT_POST) added_posts.insert(record.address);
    }
  }
  if (added_waits.empty() && failures.empty()) return;
  for (ThreadId t = 0; t < cut_.size(); ++t) {
    for (uint32_t i = 0; i < base_[t]; ++i) {
      const HeddleRecord& record = record_at(t, i);
      if (!is_wait(record)) continue;
      const auto& rivals = got_none(record) ? added_posts : added_waits;
      if (rivals.count(record.address)) give_up(t, i);
    }
    for (uint32_t i = cut_[t]; i < std::min(execution.length(t), limits_[t]); ++i) {
      const HeddleRecord& record = record_at(t, i);
      if (!is_wait(record) || got_none(record) || !failures.count(record.address)) continue;
      grow_with(t, i + 1);
      break;
    }
  }
}

// Another base: what is kept without this operation and what follows from it.
void CutClosure::give_up(ThreadId thread, uint32_t index) {
  if (leads_to_change(thread, index)) return;
  Cut smaller = base_;
  smaller[thread] = std::min(smaller[thread], index);
  give_up_dependents(smaller);
}

// Operations whose needs were served by something given up are given up as
// well; if something else could serve them, both ways are tried.
void CutClosure::give_up_dependents(const Cut& kept) {
  if (!bases_seen_.insert(kept).second) return;
  bool supported = true;
  // False: the changed operation itself could not come to be.
  const auto check_need = [&](EventId asks, const Need& need) {
    bool is_met = need.may_be_met, lost_a_server = false;
    for (const EventId server : need.servers) {
      is_met |= causal::contains(kept, server);
      lost_a_server |= causal::contains(*kept_, server) && !causal::contains(kept, server);
    }
    if (!is_met) supported = false;
    if (!lost_a_server) return true;
    if (leads_to_change(asks.thread, asks.index)) return is_met;
    Cut smaller = kept;
    smaller[asks.thread] = asks.index;
    give_up_dependents(smaller);
    return true;
  };
  for (ThreadId t = 0; t < kept.size(); ++t) {
    for (uint32_t i = 0; i < kept[t]; ++i) {
      const EventId asks = {t, i};
      for (const WantedNeed& wanted : needs_->with(asks)) {
        if (is_changed({t, wanted.needer}) || (wanted.needer != i && is_pinned({t, wanted.needer}))) continue;
        if (!check_need(asks, *wanted.need)) return;
      }
      if (!is_pinned(asks) || is_changed(asks) || needs_->matters_at_once(asks)) continue;
      for (const Need& need : needs_->dependences().needs(asks))
        if (!check_need(asks, need)) return;
    }
  }
  if (supported) bases_.push_back(kept);
}

}  // namespace heddle::property
