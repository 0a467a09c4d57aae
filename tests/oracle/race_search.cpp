// SPDX-License-Identifier: Apache-2.0
#include "oracle/race_search.h"

#include <algorithm>

namespace heddle::oracle {
namespace {

bool is_performed_access(const Transition& transition) {
  return transition.kind == Transition::Kind::kPerform && is_access(transition.operation->kind);
}

bool conflict(const Operation& one, bool one_writes, const Operation& other, bool other_writes) {
  const bool plain = one.order == MemoryOrder::kNotAtomic || other.order == MemoryOrder::kNotAtomic;
  return plain && (one_writes || other_writes) && overlap(one, other);
}

Pair pair_of(const Operation& one, const Operation& other) { return std::minmax(one.number, other.number); }

}  // namespace

bool RaceSearch::wrote(const Transition& transition) const {
  return writes(*transition.operation) && transition.success;
}

Races RaceSearch::run() {
  reach(machine_.initial(), first_, {});
  while (!pending_.empty() && seen_.size() <= limits_.states) {
    const Node node = std::move(pending_.back());
    pending_.pop_back();
    machine_.successors(node.state, successors_);
    std::erase_if(successors_, [&](const Successor& successor) { return !has(successor.transition); });
    look_at_pairs();
    const auto alone = std::find_if(successors_.begin(), successors_.end(), [&](const Successor& successor) {
      return shortens() && successor.transition.alone;
    });
    for (auto successor = successors_.begin(); successor != successors_.end(); ++successor)
      if (alone == successors_.end() || alone == successor) follow(node, *successor);
  }
  races_.states = seen_.size();
  races_.within_limits = pending_.empty() && seen_.size() <= limits_.states;
  return std::move(races_);
}

void RaceSearch::reach(const State& state, const Ordering& ordering, const Accesses& accesses) {
  const size_t threads = program_.threads.size();
  std::string key = to_key(state, threads);
  ordering.append_key(key, threads);
  for (const Access& access : accesses) {
    key += static_cast<char>(access.thread | (access.wrote ? 0x40 : 0));
    key += static_cast<char>(access.place);
  }
  if (seen_.insert(std::move(key)).second) pending_.push_back({state, ordering, accesses});
}

void RaceSearch::look_at_pairs() {
  for (const Successor& one : successors_) {
    if (!is_performed_access(one.transition)) continue;
    for (const Successor& other : successors_) {
      if (!is_performed_access(other.transition) || other.transition.thread <= one.transition.thread) continue;
      const Operation &first = *one.transition.operation, &second = *other.transition.operation;
      if (conflict(first, wrote(one.transition), second, wrote(other.transition)))
        note_next(races_, pair_of(first, second));
    }
  }
}

void RaceSearch::follow(const Node& node, const Successor& successor) {
  const Transition& transition = successor.transition;
  Ordering ordering = node.ordering;
  Accesses accesses = node.accesses;
  ordering.apply(transition, node.state, successor.state);
  if (is_performed_access(transition)) {
    const Operation& access = *transition.operation;
    for (const Access& earlier : node.accesses) {
      const Operation& other = program_.threads[earlier.thread].operations[earlier.place];
      if (earlier.thread != transition.thread && conflict(other, earlier.wrote, access, wrote(transition)) &&
          !ordering.before(earlier.thread, earlier.place, transition.thread))
        races_.racing.insert(pair_of(access, other));
    }
    const Access own = {static_cast<uint8_t>(transition.thread),
                        node.state.threads[static_cast<size_t>(transition.thread)].place, wrote(transition)};
    const auto place =
        std::find_if(accesses.begin(), accesses.end(), [&](const Access& other) { return other.thread > own.thread; });
    accesses.insert(place, own);
  }
  if (goes_on(transition)) reach(successor.state, ordering, accesses);
}

}  // namespace heddle::oracle
