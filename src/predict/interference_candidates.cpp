// SPDX-License-Identifier: Apache-2.0
#include "predict/interference_candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "causal/operation.h"
#include "causal/sections.h"
#include "property/atomicity.h"

namespace heddle::predict {

namespace {

using causal::SectionStep;

struct Held {
  uint64_t lock;
  bool is_shared;
  size_t since;  // place in the trace, or `kBefore`: before the window
};
constexpr size_t kBefore = ~size_t{0};

// To one byte, in their order.
struct Accesses {
  std::vector<size_t> all;
  std::map<uint32_t, size_t> latest;  // by thread
};

class Finder {
 public:
  Finder(const trace::Trace& trace, const AtomicBlocks& blocks, const CarriedState& state)
      : trace_(trace), blocks_(blocks), held_(state.threads()) {
    for (uint32_t thread = 0; thread < state.threads(); ++thread)
      for (const HeddleRecord& acquired : state.thread(thread).held) use_lock(acquired, kBefore);
  }

  std::vector<InterferenceCandidate> find(size_t begin, size_t end,
                                          const std::function<bool(const InterferenceCandidate&)>& is_wanted) {
    collect_shared_words(begin, end);
    for (size_t at = begin; at < end; ++at) {
      const HeddleRecord& now = record(at);
      if (!trace::is_visible(now)) continue;
      use_lock(now, at);
      if (property::is_own_access(now)) note(now, at);
    }
    std::vector<InterferenceCandidate> found;
    for (const auto& [pair, bytes] : successive_) {
      const auto& [first, last] = pair;
      const AtomicBlock* block = blocks_.around(event(first), event(last));
      if (!block) continue;
      std::set<size_t> seen;
      for (const uint64_t byte : bytes) {
        for (const size_t middle : accesses_[byte].all) {
          if (record(middle).thread == record(first).thread) continue;
          const char* pattern = property::unserialisable(record(first), record(middle), record(last));
          if (!pattern || !seen.insert(middle).second) continue;
          const InterferenceCandidate candidate = {first, middle, last, pattern, block};
          if (!is_given_free(candidate) && !is_kept_out(candidate) && is_wanted(candidate)) found.push_back(candidate);
        }
      }
    }
    return found;
  }

 private:
  const HeddleRecord& record(size_t at) const { return trace_.events[at].record; }
  causal::EventId event(size_t at) const { return {record(at).thread, record(at).index}; }

  // Most memory is used by one thread only.
  void collect_shared_words(size_t begin, size_t end) {
    std::unordered_map<uint64_t, uint32_t> users;
    for (size_t at = begin; at < end; ++at) {
      const HeddleRecord& now = record(at);
      if (!property::is_own_access(now)) continue;
      for (uint64_t word = now.address / 8; word <= (now.address + now.size - 1) / 8; ++word)
        if (users.try_emplace(word, now.thread).first->second != now.thread) shared_words_.insert(word);
    }
  }

  void note(const HeddleRecord& now, size_t at) {
    for (uint64_t byte = now.address; byte < now.address + now.size; ++byte) {
      if (!shared_words_.count(byte / 8)) continue;
      locks_at_[at] = held_[now.thread];
      Accesses& accesses = accesses_[byte];
      const auto [latest, is_first] = accesses.latest.try_emplace(now.thread, at);
      if (!is_first) successive_[{latest->second, at}].push_back(byte);
      latest->second = at;
      accesses.all.push_back(at);
    }
  }

  void use_lock(const HeddleRecord& now, size_t at) {
    const SectionStep step = causal::section_step(now);
    if (step.kind == SectionStep::Kind::kNone) return;
    std::vector<Held>& held = held_[now.thread];
    if (step.kind != SectionStep::Kind::kRelease) {
      held.push_back({step.lock, step.kind == SectionStep::Kind::kAcquireShared, at});
      return;
    }
    const auto found =
        std::find_if(held.rbegin(), held.rend(), [&](const Held& lock) { return lock.lock == step.lock; });
    if (found != held.rend()) held.erase(std::prev(found.base()));
  }

  // Locks that the thread holds from the first access to the last.
  std::vector<Held> held_throughout(const InterferenceCandidate& candidate) const {
    std::vector<Held> throughout;
    const std::vector<Held>& last = locks_at_.at(candidate.last);
    for (const Held& held : locks_at_.at(candidate.first))
      if (std::any_of(last.begin(), last.end(),
                      [&](const Held& lock) { return lock.lock == held.lock && lock.since == held.since; }))
        throughout.push_back(held);
    return throughout;
  }

  bool is_given_free(const InterferenceCandidate& candidate) const {
    if (candidate.block->lock == 0 || !held_throughout(candidate).empty()) return false;
    return causal::writes_memory(record(candidate.first)) ||
           record(candidate.first).site == record(candidate.last).site;
  }

  bool is_kept_out(const InterferenceCandidate& candidate) const {
    for (const Held& held : held_throughout(candidate))
      for (const Held& other : locks_at_.at(candidate.middle))
        if (other.lock == held.lock && !(other.is_shared && held.is_shared)) return true;
    return false;
  }

  const trace::Trace& trace_;
  const AtomicBlocks& blocks_;
  std::vector<std::vector<Held>> held_;                                    // by thread
  std::unordered_map<size_t, std::vector<Held>> locks_at_;                 // by access
  std::unordered_set<uint64_t> shared_words_;                              // address / 8
  std::unordered_map<uint64_t, Accesses> accesses_;                        // by byte
  std::map<std::pair<size_t, size_t>, std::vector<uint64_t>> successive_;  // of one thread: the bytes
};

}  // namespace

std::vector<InterferenceCandidate> find_interference_candidates(
    const trace::Trace& trace, size_t begin, size_t end, const CarriedState& state, const AtomicBlocks& blocks,
    const std::function<bool(const InterferenceCandidate&)>& is_wanted) {
  return Finder(trace, blocks, state).find(begin, end, is_wanted);
}

}  // namespace heddle::predict
