// SPDX-License-Identifier: Apache-2.0
#include "causal/needs.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::causal {

using semantics::effect_of;
using semantics::family_of;
using semantics::gave_up;

Dependences::Dependences(const Execution& execution)
    : execution_(execution), must_order_(execution), segments_(execution), needs_(execution) {
  collect();
  WriteSources sources(execution, must_order_);
  std::vector<Need> needs;
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      const EventId event = {t, operation.index};
      segments_[event] = sources.segments(event, store_);
      needs.clear();
      add_needs_as(event, operation, needs, store_);
      needs_[event] = store_.keep(needs);
    }
  }
}

void Dependences::collect() {
  created_by_.resize(execution_.threads.size());
  sections_.resize(execution_.threads.size());
  for (ThreadId t = 0; t < execution_.threads.size(); ++t)
    sections_[t] = sections_of(t, execution_.threads[t].operations);
  for (const Happening& happening : execution_.order) {
    if (happening.is_flush) continue;
    const EventId event = happening.event;
    const HeddleRecord& operation = execution_.operation(event);
    const bool gives_up = gave_up(operation);
    switch (effect_of(operation)) {
      case HEDDLE_EFFECT_CREATE:
        if (!gives_up && operation.value < created_by_.size()) created_by_[operation.value] = event;
        break;
      case HEDDLE_EFFECT_WAKE: wakers_[operation.address].push_back(event); break;
      case HEDDLE_EFFECT_INIT:
        if (family_of(operation) == HEDDLE_FAMILY_SEMAPHORE) tokens_[operation.address] = operation.value;
        if (family_of(operation) == HEDDLE_FAMILY_BARRIER) counts_[operation.address] = operation.value;
        break;
      case HEDDLE_EFFECT_POST:
        if (!gives_up) posts_[operation.address].push_back(event);
        tokens_.try_emplace(operation.address, operation.value - (gives_up ? 0 : 1));
        break;
      case HEDDLE_EFFECT_TAKE: tokens_.try_emplace(operation.address, operation.value + (gives_up ? 0 : 1)); break;
      case HEDDLE_EFFECT_FINISH:
        if (!gives_up) done_[operation.address].push_back(event);
        break;
      case HEDDLE_EFFECT_ARRIVE: arrivals_[operation.address].push_back(event); break;
      default:
        if (operation.kind == HEDDLE_ALLOC) blocks_[operation.address] = operation.value;
        break;
    }
  }
}

uint64_t Dependences::initial_tokens(uint64_t semaphore) const {
  const auto found = tokens_.find(semaphore);
  return found == tokens_.end() ? 0 : found->second;
}

uint64_t Dependences::block_size(uint64_t address) const {
  const auto found = blocks_.find(address);
  return found == blocks_.end() ? 0 : found->second;
}

uint64_t Dependences::barrier_count(uint64_t barrier) const {
  const auto found = counts_.find(barrier);
  return found == counts_.end() ? 0 : found->second;
}

std::vector<EventId> Dependences::arrivals(uint64_t barrier, uint64_t round) const {
  std::vector<EventId> result;
  const auto found = arrivals_.find(barrier);
  if (found == arrivals_.end()) return result;
  std::vector<uint64_t> seen(execution_.threads.size(), 0);
  for (const EventId event : found->second)
    if (seen[event.thread]++ == round) result.push_back(event);
  return result;
}

void Dependences::add_servers(EventId event, std::span<const EventId> servers, bool may_be_met,
                              std::vector<Need>& needs, ListStore& store) const {
  Need need;
  need.may_be_met = may_be_met;
  static thread_local std::vector<EventId> others;
  others.clear();
  for (const EventId server : servers) {
    if (server.thread == event.thread) {
      need.may_be_met |= server.index < event.index;
    } else if (!must_order_.before(event, server)) {
      others.push_back(server);
    }
  }
  if (need.may_be_met && others.empty()) return;
  need.servers = store.keep(others);
  needs.push_back(need);
}

void Dependences::add_memory_needs(EventId event, const HeddleRecord& operation, std::vector<Need>& needs,
                                   ListStore& store) const {
  const Pieces pieces = pieces_read(operation);
  for (const Segment& segment : segments(event)) {
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& candidate) {
      return candidate.address <= segment.address && segment.address < candidate.address + candidate.size;
    });
    const uint64_t wanted = slice(*piece, segment.address, segment.size);
    static thread_local std::vector<EventId> servers;
    servers.clear();
    for (const Source& source : segment.sources)
      if (source.value == wanted) servers.push_back(source.write);
    add_servers(event, servers, segment.initial_possible && segment.initial == wanted, needs, store);
  }
}

// A try-lock that failed, or a timed lock that ran out: somebody holds it.
void Dependences::add_lock_holder(EventId event, const HeddleRecord& operation, std::vector<Need>& needs,
                                  ListStore& store) const {
  const bool shares = effect_of(operation) == HEDDLE_EFFECT_SHARE;
  std::vector<EventId> holders;
  for (ThreadId t = 0; t < sections_.size(); ++t) {
    for (const HeldSection& section : sections_[t]) {
      if (section.lock != operation.address || (shares && section.is_shared)) continue;
      if (t == event.thread && (section.acquire > event.index || section.release < event.index)) continue;
      holders.push_back({t, section.acquire});
    }
  }
  add_servers(event, holders, false, needs, store);
}

void Dependences::add_needs_as(EventId event, const HeddleRecord& operation, std::vector<Need>& needs,
                               ListStore& store) const {
  const auto servers_in = [&](const auto& table) -> std::span<const EventId> {
    const auto found = table.find(operation.address);
    if (found == table.end()) return {};
    return found->second;
  };
  const auto add = [&](EventId server) { needs.push_back({false, store.keep(std::vector<EventId>{server})}); };
  const bool gives_up = gave_up(operation);
  switch (effect_of(operation)) {
    case HEDDLE_EFFECT_START: add(created_by_[event.thread]); break;
    case HEDDLE_EFFECT_JOIN:
      if (!gives_up && operation.value < execution_.threads.size()) {
        const ThreadId joined = static_cast<ThreadId>(operation.value);
        if (execution_.length(joined) > 0) {
          add({joined, execution_.length(joined) - 1});
        } else {
          needs.emplace_back();
        }
      }
      break;
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_SHARE:
      if (gives_up && !may_block(operation)) add_lock_holder(event, operation, needs, store);
      break;
    case HEDDLE_EFFECT_RESUME:
      if (semantics::was_woken(operation)) add_servers(event, servers_in(wakers_), false, needs, store);
      break;
    case HEDDLE_EFFECT_DEPART:
      for (const EventId arrival : arrivals(operation.address, operation.value))
        if (arrival.thread != event.thread) add(arrival);
      break;
    case HEDDLE_EFFECT_TAKE:
      if (!gives_up) add_servers(event, servers_in(posts_), initial_tokens(operation.address) > 0, needs, store);
      break;
    case HEDDLE_EFFECT_ENTER:
      if (!operation.value) add_servers(event, servers_in(done_), false, needs, store);
      break;
    default: break;
  }
  if (reads_memory(operation)) add_memory_needs(event, operation, needs, store);
}

}  // namespace heddle::causal
