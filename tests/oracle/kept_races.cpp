// SPDX-License-Identifier: Apache-2.0
#include "oracle/kept_races.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "oracle/ordering.h"
#include "oracle/random_numbers.h"

namespace heddle::oracle {
namespace {

// Steps of the given run, and what was learned in them.
class Given {
 public:
  explicit Given(const RandomRun& run) {
    for (const RunStep& step : run) lessons_[key(step.transition)] = lesson(step.transition);
  }
  bool has(const Transition& transition) const { return lessons_.count(key(transition)) > 0; }
  bool agrees(const Transition& transition) const {
    const auto found = lessons_.find(key(transition));
    return found != lessons_.end() && found->second == lesson(transition);
  }
  bool has_same_success(const Transition& transition) const {
    const auto found = lessons_.find(key(transition));
    return found != lessons_.end() && std::get<2>(found->second) == transition.success;
  }

 private:
  using Lesson = std::tuple<bool, uint64_t, bool>;
  static std::pair<int, int> key(const Transition& transition) {
    return {transition.operation->number, static_cast<int>(transition.kind)};
  }
  static Lesson lesson(const Transition& transition) {
    return {transition.learns, transition.learns ? transition.learned : 0, transition.success};
  }
  std::map<std::pair<int, int>, Lesson> lessons_;
};

struct Access {
  uint8_t thread, place;
  bool wrote;
};
using Accesses = std::vector<Access>;

struct Node {
  State state;
  Ordering ordering;
  Accesses accesses;
};

bool is_performed_access(const Transition& transition) {
  return transition.kind == Transition::Kind::kPerform && is_access(transition.operation->kind);
}

bool conflict(const Operation& one, bool one_writes, const Operation& other, bool other_writes) {
  const bool plain = one.order == MemoryOrder::kNotAtomic || other.order == MemoryOrder::kNotAtomic;
  return plain && (one_writes || other_writes) && overlap(one, other);
}

Pair pair_of(const Operation& one, const Operation& other) { return std::minmax(one.number, other.number); }

class Search {
 public:
  Search(const Program& program, const RandomRun& run, const Limits& limits)
      : program_(program), machine_(program, MemoryModel::kSc), given_(run), limits_(limits) {}

  Races run() {
    reach(machine_.initial(), Ordering(true), {});
    while (!pending_.empty() && seen_.size() <= limits_.states) {
      const Node node = std::move(pending_.back());
      pending_.pop_back();
      machine_.successors(node.state, successors_);
      // What the given run has no part of cannot be asked of it.
      std::erase_if(successors_, [&](const Successor& successor) { return !given_.has(successor.transition); });
      look_at_pairs();
      for (const Successor& successor : successors_) follow(node, successor);
    }
    races_.states = seen_.size();
    races_.within_limits = pending_.empty() && seen_.size() <= limits_.states;
    return std::move(races_);
  }

 private:
  // In the given run too: a compare-exchange may end differently as the last step.
  bool wrote(const Transition& transition) const {
    return writes(*transition.operation) && transition.success && given_.has_same_success(transition);
  }

  void reach(const State& state, const Ordering& ordering, const Accesses& accesses) {
    std::string key = to_key(state, program_.threads.size());
    ordering.append_key(key, program_.threads.size());
    for (const Access& access : accesses) {
      key += static_cast<char>(access.thread | (access.wrote ? 0x40 : 0));
      key += static_cast<char>(access.place);
    }
    if (seen_.insert(std::move(key)).second) pending_.push_back({state, ordering, accesses});
  }

  void look_at_pairs() {
    for (const Successor& one : successors_) {
      for (const Successor& other : successors_) {
        if (!is_performed_access(one.transition) || !is_performed_access(other.transition)) continue;
        if (other.transition.thread <= one.transition.thread) continue;
        const Operation &first = *one.transition.operation, &second = *other.transition.operation;
        if (!conflict(first, wrote(one.transition), second, wrote(other.transition))) continue;
        races_.enabled_at_once.insert(pair_of(first, second));
        races_.racing.insert(pair_of(first, second));
      }
    }
  }

  void follow(const Node& node, const Successor& successor) {
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
      const auto place = std::find_if(accesses.begin(), accesses.end(),
                                      [&](const Access& other) { return other.thread > own.thread; });
      accesses.insert(place, own);
    }
    if (given_.agrees(transition)) reach(successor.state, ordering, accesses);
  }

  const Program& program_;
  Machine machine_;
  const Given given_;
  const Limits& limits_;
  Races races_;
  std::unordered_set<std::string> seen_;
  std::vector<Node> pending_;
  std::vector<Successor> successors_;
};

}  // namespace

RandomRun random_run(const Program& program, uint64_t seed) {
  const Machine machine(program, MemoryModel::kSc);
  RandomNumbers random(seed);
  RandomRun run;
  State state = machine.initial();
  std::vector<Successor> successors;
  for (machine.successors(state, successors); !successors.empty(); machine.successors(state, successors)) {
    const Successor& next = successors[static_cast<size_t>(random.below(static_cast<int>(successors.size())))];
    if (next.state.failed >= 0) break;
    run.push_back({next.transition, state, next.state});
    state = next.state;
  }
  return run;
}

Races find_kept_races(const Program& program, const RandomRun& run, const Limits& limits) {
  return Search(program, run, limits).run();
}

}  // namespace heddle::oracle
