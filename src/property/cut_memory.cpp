// SPDX-License-Identifier: Apache-2.0
//
// Values that reads find. Each segment of a read takes the value of the last
// write to it before the read, or what memory held at first. A read whose
// newest overlapping own store is still in the buffer takes it from there, if
// that store covers the whole read; otherwise it waits until the own stores it
// overlaps have reached memory. A load whose value matters to nobody only waits.
#include <algorithm>

#include "property/cut_problem.h"

namespace heddle::property {

using causal::EventId;
using causal::Piece;
using causal::Segment;
using causal::ThreadId;
using solve::Event;
using solve::kNoEvent;

namespace {

bool overlap(const HeddleRecord& a, const HeddleRecord& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

// Whether a store to a local variable has been dropped when its thread comes to the operation `now`.
bool is_dropped(const causal::Execution& execution, EventId event, const HeddleRecord& store, uint32_t now) {
  const auto less = [](const causal::LocalEnd& end, const EventId& other) { return end.before < other; };
  const auto& ends = execution.local_ends;
  auto end = std::lower_bound(ends.begin(), ends.end(), EventId{event.thread, event.index + 1}, less);
  for (; end != ends.end() && end->before <= EventId{event.thread, now}; ++end)
    if (store.address < end->address + end->size && end->address < store.address + store.size) return true;
  return false;
}

}  // namespace

void CutProblem::add_reads() {
  for (ThreadId t = 0; t < cut_->size() && possible_; ++t)
    for (uint32_t i = 0; i < (*cut_)[t] && possible_; ++i)
      if (causal::reads_memory(operation({t, i}))) add_read({t, i});
}

void CutProblem::add_read(EventId event) {
  const HeddleRecord& read = operation(event);
  const Event own_event = event_of(event);
  EventId own_store = event;  // `event`: none
  if (model_ != causal::MemoryModel::kSc && read.kind == HEDDLE_LOAD) {
    std::vector<Event> overlapping;
    for (uint32_t i = event.index; i-- > 0;) {
      const HeddleRecord& earlier = operation({event.thread, i});
      if (causal::drains_buffer(earlier)) break;
      if (!causal::is_buffered(earlier, model_) || !overlap(earlier, read)) continue;
      if (is_dropped(*execution_, {event.thread, i}, earlier, event.index)) continue;
      const bool covers = earlier.address <= read.address && earlier.address + earlier.size >= read.address + read.size;
      if (overlapping.empty() && covers) {
        own_store = {event.thread, i};
        break;
      }
      overlapping.push_back(event_of({event.thread, i}));
    }
    for (const Event store : overlapping) edge(store, own_event);
  }
  if (std::binary_search(free_.begin(), free_.end(), event)) return;

  const causal::Pieces pieces = causal::pieces_read(read);
  for (const Segment& segment : dependences_->segments(event)) {
    const Piece& piece = pieces.size() > 1 && segment.address >= pieces[1].address ? pieces[1] : pieces[0];
    const uint64_t wanted = causal::slice(piece, segment.address, segment.size);
    solve::Read constraint = new_read();
    constraint.read = own_event;
    constraint.initial_matches = segment.initial_possible && segment.initial == wanted;
    bool has_earlier_source = false;  // one that comes before the read in every order
    for (const causal::Source& source : segment.sources) {
      if (!causal::contains(*cut_, source.write)) continue;
      const bool is_alternative = alternative_ && alternative_->event == source.write;
      if (is_alternative && !causal::writes_memory(alternative_->operation)) continue;
      // What an operation writes that turned out differently is not known.
      const bool matches = !is_alternative && source.value == wanted;
      (matches ? constraint.sources : constraint.others).push_back(event_of(source.write));
      if (source.write == own_store) constraint.own_store_matches = matches;
      has_earlier_source |= matches && dependences_->must_order().before(source.write, event);
    }
    if (alternative_ && !(alternative_->event == event) && causal::writes_memory(alternative_->operation) &&
        !causal::writes_memory(execution_->operation(alternative_->event)) && overlap(alternative_->operation, read)) {
      constraint.others.push_back(event_of(alternative_->event));
    }
    if (!(own_store == event)) constraint.own_store = event_of(own_store);
    if (constraint.sources.empty() && !constraint.initial_matches && !constraint.own_store_matches) possible_ = false;
    const bool says_nothing = constraint.others.empty() && (constraint.initial_matches || has_earlier_source);
    (says_nothing ? used_reads_ : problem_.reads).push_back(std::move(constraint));
  }
}

void CutProblem::add_last_looks(std::span<const EventId> looks) {
  const Event events = problem_.events;
  for (const EventId look : looks) {
    const Event last = new_event({kNobody, 0});
    for (Event event = 0; event < events; ++event) edge(event, last);
    const causal::Pieces pieces = causal::pieces_read(operation(look));
    for (const Segment& segment : dependences_->segments(look)) {
      const Piece& piece = pieces.size() > 1 && segment.address >= pieces[1].address ? pieces[1] : pieces[0];
      const uint64_t wanted = causal::slice(piece, segment.address, segment.size);
      solve::Read constraint = new_read();
      constraint.read = last;
      constraint.initial_matches = segment.initial_possible && segment.initial == wanted;
      for (const causal::Source& source : segment.sources) {
        if (!causal::contains(*cut_, source.write)) continue;
        (source.value == wanted ? constraint.sources : constraint.others).push_back(event_of(source.write));
      }
      if (constraint.sources.empty() && !constraint.initial_matches) possible_ = false;
      problem_.reads.push_back(std::move(constraint));
    }
  }
}

}  // namespace heddle::property
