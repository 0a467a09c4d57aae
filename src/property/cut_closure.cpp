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
constexpr size_t kMostSteps = 100000;  // without an alternative

}  // namespace

std::vector<Cut> CutClosure::close(const Cut& kept, const Alternative& alternative) {
  alternative_ = &alternative;
  // What the thread does after the changed operation is not known.
  limits_.assign(kept.size(), kNoLimit);
  limits_[alternative.event.thread] = alternative.event.index;
  most_steps_ = ~size_t{0};
  alternative_needs_ = dependences_.needs_as(alternative.event, alternative.operation);
  kept_ = &kept;
  found_.clear();
  bases_seen_ = {kept};
  bases_ = {kept};
  for (size_t i = 0; i < bases_.size(); ++i) {
    base_ = bases_[i];
    visited_.clear();
    Cut cut = base_;
    cut[alternative.event.thread] = alternative.event.index + 1;
    grow(cut, base_);
  }
  return {found_.begin(), found_.end()};
}

std::optional<std::vector<Cut>> CutClosure::close_within(const Cut& required, const Cut& limits) {
  const Cut nothing(required.size(), 0);
  alternative_ = nullptr;
  limits_ = limits;
  steps_ = 0;
  most_steps_ = kMostSteps;
  kept_ = &required;
  base_ = nothing;
  found_.clear();
  visited_.clear();
  grow(required, base_);
  if (steps_ > most_steps_) return std::nullopt;
  return std::vector<Cut>(found_.begin(), found_.end());
}

const std::vector<Need>& CutClosure::needs(EventId event) const {
  return is_changed(event) ? alternative_needs_ : dependences_.needs(event);
}

// `met`: of each thread, the needs of so many operations are met.
void CutClosure::grow(const Cut& cut, const Cut& met) {
  if (++steps_ > most_steps_) return;
  std::vector<uint32_t> key = cut;
  key.insert(key.end(), met.begin(), met.end());
  if (!visited_.insert(std::move(key)).second) return;
  for (ThreadId t = 0; t < cut.size(); ++t) {
    if (met[t] >= cut[t]) continue;
    serve(cut, met, {t, met[t]}, 0);
    return;
  }
  end_sections(cut, met);
  consume_tokens(cut, met);
}

// Needs of the event from number `need` on, in all ways.
void CutClosure::serve(const Cut& cut, const Cut& met, EventId event, size_t need) {
  const std::vector<Need>& wanted = needs(event);
  if (need == wanted.size()) {
    Cut more = met;
    ++more[event.thread];
    grow(cut, more);
    return;
  }
  std::set<Cut> grown;
  if (wanted[need].may_be_met) grown.insert(cut);
  for (const EventId server : wanted[need].servers) {
    if (server.index >= limits_[server.thread]) continue;
    Cut larger = cut;
    larger[server.thread] = std::max(larger[server.thread], server.index + 1);
    grown.insert(std::move(larger));
  }
  for (const Cut& larger : grown) serve(larger, met, event, need + 1);
}

std::vector<CutClosure::OpenSection> CutClosure::open_sections(const Cut& cut) const {
  std::vector<OpenSection> open;
  for (ThreadId t = 0; t < cut.size(); ++t) {
    for (const HeldSection& section : dependences_.sections(t)) {
      if (section.acquire >= cut[t]) break;
      if (is_changed({t, section.acquire})) continue;
      if (section.release == causal::kNotReleased || section.release >= cut[t])
        open.push_back({t, section.acquire, section.release, section.lock, section.is_shared});
    }
  }
  if (!alternative_) return open;
  const causal::SectionStep step = causal::section_step(alternative_->operation);
  using Kind = causal::SectionStep::Kind;
  if (step.kind == Kind::kAcquire || step.kind == Kind::kAcquireShared)
    open.push_back({alternative_->event.thread, alternative_->event.index, causal::kNotReleased, step.lock,
                    step.kind == Kind::kAcquireShared});
  return open;
}

void CutClosure::end_sections(const Cut& cut, const Cut& met) {
  bool possible = true;
  const std::vector<OpenSection> open = open_sections(cut);
  for (const OpenSection& section : open) {
    bool contended = false;
    for (ThreadId t = 0; t < cut.size(); ++t) {
      if (t == section.thread) continue;
      for (const HeldSection& other : dependences_.sections(t)) {
        if (other.acquire >= cut[t]) break;
        if (other.lock != section.lock || (other.is_shared && section.is_shared)) continue;
        contended = true;
        if (section.acquire >= base_[section.thread] && other.acquire < base_[t]) give_up(t, other.acquire);
      }
    }
    for (const OpenSection& other : open) {
      if (other.thread == section.thread || other.lock != section.lock || (other.is_shared && section.is_shared)) continue;
      contended = true;
      possible = false;
    }
    if (!contended || section.release == causal::kNotReleased) continue;
    if (section.release >= limits_[section.thread]) continue;
    Cut larger = cut;
    larger[section.thread] = section.release + 1;
    grow(larger, met);
  }
  if (possible) found_.insert(cut);
}

// Semaphores. A wait that is added competes for tokens with kept ones, so those
// may have to be given up. Where an attempt failed, tokens that are there by
// then were taken by somebody: waits beyond the cut are tried.
void CutClosure::consume_tokens(const Cut& cut, const Cut& met) {
  const causal::Execution& execution = dependences_.execution();
  const auto record_at = [&](ThreadId t, uint32_t i) -> const HeddleRecord& {
    return is_changed({t, i}) ? alternative_->operation : execution.operation({t, i});
  };
  const auto is_wait = [](const HeddleRecord& record) {
    return record.kind == HEDDLE_SEM_WAIT || record.kind == HEDDLE_SEM_TRYWAIT || record.kind == HEDDLE_SEM_TIMEDWAIT;
  };
  const auto got_none = [](const HeddleRecord& record) { return causal::failed(record) || causal::timed_out(record); };
  std::set<uint64_t> added_waits, added_posts, failures;
  for (ThreadId t = 0; t < cut.size(); ++t) {
    for (uint32_t i = 0; i < cut[t]; ++i) {
      const HeddleRecord& record = record_at(t, i);
      if (is_wait(record) && got_none(record)) failures.insert(record.address);
      if (i < base_[t]) continue;
      if (is_wait(record) && !got_none(record)) added_waits.insert(record.address);
      if (record.kind == HEDDLE_SEM_POST) added_posts.insert(record.address);
    }
  }
  if (added_waits.empty() && failures.empty()) return;
  for (ThreadId t = 0; t < cut.size(); ++t) {
    for (uint32_t i = 0; i < base_[t]; ++i) {
      const HeddleRecord& record = record_at(t, i);
      if (!is_wait(record)) continue;
      const auto& rivals = got_none(record) ? added_posts : added_waits;
      if (rivals.count(record.address)) give_up(t, i);
    }
    for (uint32_t i = cut[t]; i < std::min(execution.length(t), limits_[t]); ++i) {
      const HeddleRecord& record = record_at(t, i);
      if (!is_wait(record) || got_none(record) || !failures.count(record.address)) continue;
      Cut larger = cut;
      larger[t] = i + 1;
      grow(larger, met);
      break;
    }
  }
}

// Another base: what is kept without this operation and what follows from it.
void CutClosure::give_up(ThreadId thread, uint32_t index) {
  if (is_changed_thread(thread)) return;
  Cut smaller = base_;
  smaller[thread] = std::min(smaller[thread], index);
  give_up_dependents(smaller);
}

// Operations whose needs were served by something given up are given up as
// well; if something else could serve them, both ways are tried.
void CutClosure::give_up_dependents(const Cut& kept) {
  if (!bases_seen_.insert(kept).second) return;
  bool supported = true;
  for (ThreadId t = 0; t < kept.size(); ++t) {
    for (uint32_t i = 0; i < kept[t]; ++i) {
      for (const Need& need : dependences_.needs({t, i})) {
        bool is_met = need.may_be_met, lost_a_server = false;
        for (const EventId server : need.servers) {
          is_met |= causal::contains(kept, server);
          lost_a_server |= causal::contains(*kept_, server) && !causal::contains(kept, server);
        }
        if (!is_met) supported = false;
        if (!lost_a_server) continue;
        if (is_changed_thread(t)) {
          if (!is_met) return;  // the changed operation itself could not come to be
          continue;
        }
        Cut smaller = kept;
        smaller[t] = i;
        give_up_dependents(smaller);
      }
    }
  }
  if (supported) bases_.push_back(kept);
}

}  // namespace heddle::property
