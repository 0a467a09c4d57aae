// SPDX-License-Identifier: Apache-2.0
#include "oracle/kept_interferences.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace heddle::oracle {
namespace {

bool is_compare_exchange(const Operation& operation) { return operation.kind == OperationKind::kCompareExchange; }
bool reads(const Operation& operation) { return operation.kind != OperationKind::kStore; }

// What the given run says of an operation.
struct Fact {
  int thread = 0;
  bool learns = false, success = true;
  uint64_t learned = 0;
};

class Search {
 public:
  Search(const Program& program, const RandomRun& run, const Limits& limits)
      : program_(program), machine_(program, MemoryModel::kSc), limits_(limits) {
    for (const RunStep& step : run) {
      const Transition& transition = step.transition;
      facts_[{transition.operation->number, static_cast<int>(transition.kind)}] = {
          transition.thread, transition.learns, transition.success, transition.learned};
      if (is_performed_access(transition)) accesses_.push_back(transition.operation);
    }
    collect_triples();
  }

  Interferences run() {
    reach(machine_.initial(), {});
    std::vector<Successor> successors;
    while (!pending_.empty() && seen_.size() <= limits_.states) {
      const auto [state, followed] = std::move(pending_.back());
      pending_.pop_back();
      machine_.successors(state, successors);
      std::set<int> next;  // accesses of the given run that can happen now
      for (const Successor& successor : successors)
        if (is_performed_access(successor.transition) && fact(successor.transition))
          next.insert(successor.transition.operation->number);
      look_at(state, followed, next);
      for (const Successor& successor : successors) {
        const Fact* known = fact(successor.transition);
        const Transition& now = successor.transition;
        if (!known || known->learns != now.learns || known->success != now.success ||
            (now.learns && known->learned != now.learned))
          continue;
        std::set<Pair> more = followed;
        if (is_performed_access(now))
          for (const auto& [pair, lasts] : triples_)
            if (pair.second == now.operation->number && has_happened(state, pair.first)) more.insert(pair);
        reach(successor.state, more);
      }
    }
    found_.within_limits = pending_.empty() && seen_.size() <= limits_.states;
    return std::move(found_);
  }

 private:
  static bool is_performed_access(const Transition& transition) {
    return transition.kind == Transition::Kind::kPerform && is_access(transition.operation->kind);
  }
  const Fact* fact(const Transition& transition) const {
    const auto found = facts_.find({transition.operation->number, static_cast<int>(transition.kind)});
    return found == facts_.end() ? nullptr : &found->second;
  }
  const Fact& fact_of(const Operation& access) const {
    return facts_.at({access.number, static_cast<int>(Transition::Kind::kPerform)});
  }
  int thread_of(int number) const { return fact_of(operation_with_number(program_, number)).thread; }
  bool wrote(const Operation& access) const { return writes(access) && fact_of(access).success; }

  // Places of a thread only grow: there are no loops.
  bool has_happened(const State& state, int number) const {
    const size_t thread = static_cast<size_t>(thread_of(number));
    const auto& operations = program_.threads[thread].operations;
    return state.threads[thread].stage != Stage::kAbsent &&
           state.threads[thread].place > number - operations.front().number;
  }

  bool is_harmful(const Operation& first, bool middle_reads, bool middle_writes, const Operation& last) const {
    const bool last_writes = writes(last) && !is_compare_exchange(last);
    const bool read_write_read = reads(first) && middle_writes && reads(last);
    const bool write_write_read = wrote(first) && middle_writes && reads(last);
    const bool read_write_write = reads(first) && middle_writes && last_writes;
    const bool write_read_write = wrote(first) && middle_reads && last_writes;
    return read_write_read || write_write_read || read_write_write || write_read_write;
  }

  void collect_triples() {
    for (int byte = 0; byte < kMemoryBytes; ++byte) {
      const auto touches = [&](const Operation& access) {
        return access.offset <= byte && byte < access.offset + access.size;
      };
      std::map<int, const Operation*> before;  // by thread
      for (const Operation* last : accesses_) {
        if (!touches(*last)) continue;
        const Operation*& first = before[fact_of(*last).thread];
        if (first)
          for (const Operation* middle : accesses_)
            if (touches(*middle) && fact_of(*middle).thread != fact_of(*last).thread)
              triples_[{first->number, middle->number}].insert(last->number);
        first = last;
      }
    }
  }

  void look_at(const State& state, const std::set<Pair>& followed, const std::set<int>& next) {
    for (const auto& [pair, lasts] : triples_) {
      const Operation &first = operation_with_number(program_, pair.first),
                      &middle = operation_with_number(program_, pair.second);
      const bool is_next = next.count(pair.second) && has_happened(state, pair.first);
      for (const int number : lasts) {
        if (!next.count(number)) continue;
        const Operation& last = operation_with_number(program_, number);
        const bool came_between = followed.count(pair) && is_harmful(first, reads(middle), wrote(middle), last);
        // What a compare-exchange finds now it need not have found then.
        const bool comes_now =
            is_next && is_harmful(first, reads(middle), writes(middle) && !is_compare_exchange(middle), last);
        if (came_between || comes_now) found_.harmful.insert({pair.first, pair.second, number});
      }
    }
  }

  void reach(const State& state, const std::set<Pair>& followed) {
    std::string key = to_key(state, program_.threads.size());
    for (const Pair& pair : followed) (key += static_cast<char>(pair.first)) += static_cast<char>(pair.second);
    if (seen_.insert(std::move(key)).second) pending_.push_back({state, followed});
  }

  const Program& program_;
  const Machine machine_;
  const Limits& limits_;
  std::map<std::pair<int, int>, Fact> facts_;  // by operation and kind of step
  std::vector<const Operation*> accesses_;     // of the given run
  std::map<Pair, std::set<int>> triples_;      // first and middle: what may be the last
  Interferences found_;
  std::unordered_set<std::string> seen_;
  std::vector<std::pair<State, std::set<Pair>>> pending_;  // with pairs of which the second followed the first
};

}  // namespace

Interferences find_kept_interferences(const Program& program, const RandomRun& run, const Limits& limits) {
  return Search(program, run, limits).run();
}

}  // namespace heddle::oracle
