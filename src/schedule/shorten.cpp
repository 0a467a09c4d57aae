// SPDX-License-Identifier: Apache-2.0
#include "schedule/shorten.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::schedule {
namespace {

using Block = std::vector<Step>;
using Blocks = std::vector<Block>;

const ThreadName& owner(const Block& block) { return block.front().thread; }

bool is_flush(const Step& step) { return step.kind == StepKind::kFlush; }

// Stores of the blocks [begin, end) stay in their buffers until their threads come again
// after those; as they are if one does not.
std::optional<Blocks> with_later_flushes(Blocks blocks, size_t begin, size_t end) {
  bool moved = false;
  for (size_t i = end; i-- > begin;) {
    Block& block = blocks[i];
    if (std::none_of(block.begin(), block.end(), is_flush)) continue;
    const auto next = std::find_if(blocks.begin() + static_cast<ptrdiff_t>(end), blocks.end(),
                                   [&](const Block& later) { return owner(later) == owner(block); });
    if (next == blocks.end()) continue;
    Block flushes;
    std::copy_if(block.begin(), block.end(), std::back_inserter(flushes), is_flush);
    if (flushes.size() == block.size()) return std::nullopt;
    next->insert(next->begin(), flushes.begin(), flushes.end());
    std::erase_if(block, is_flush);
    moved = true;
  }
  if (!moved) return std::nullopt;
  return blocks;
}

Blocks blocks_of(const Schedule& schedule) {
  Blocks blocks;
  for (const Step& step : schedule.steps) {
    const bool goes_on = !blocks.empty() && (step.kind == StepKind::kWake || owner(blocks.back()) == step.thread);
    if (!goes_on) blocks.emplace_back();
    blocks.back().push_back(step);
  }
  return blocks;
}

class Shortener {
 public:
  Shortener(const Schedule& original, const Trial& trial, uint64_t most_trials)
      : best_(original), blocks_(blocks_of(original)), trial_(trial), left_(most_trials) {}

  Schedule shorten() {
    cut();
    for (bool better = true; better && left_ > 0;) {
      better = gather();
      better |= move();
      better |= drop();
    }
    return std::move(best_);
  }

 private:
  // True if the candidate shows the same with fewer switches, or as many and
  // fewer steps; it is then the best.
  bool try_blocks(const Blocks& candidate) {
    if (left_ == 0) return false;
    Schedule schedule = best_;
    schedule.result.clear();
    schedule.steps.clear();
    for (const Block& block : candidate) schedule.steps.insert(schedule.steps.end(), block.begin(), block.end());
    if (schedule.steps == best_.steps) return false;
    --left_;
    std::optional<Schedule> shown = trial_(schedule);
    if (!shown) return false;
    Blocks blocks = blocks_of(*shown);
    if (std::pair(blocks.size(), shown->steps.size()) >= std::pair(blocks_.size(), best_.steps.size())) return false;
    best_ = std::move(*shown);
    blocks_ = std::move(blocks);
    return true;
  }

  // The fewest first blocks that are enough. Tried in growing distances, so that
  // long schedules do not use up all trials.
  void cut() {
    for (size_t kept = 0; kept < blocks_.size(); kept += 1 + kept / 8) {
      if (try_blocks({blocks_.begin(), blocks_.begin() + static_cast<ptrdiff_t>(kept)})) return;
    }
  }

  // Blocks [begin, end) by thread, in the order in which their threads first appear.
  Blocks gathered(size_t begin, size_t end) const {
    std::vector<ThreadName> threads;
    for (size_t i = begin; i < end; ++i)
      if (std::find(threads.begin(), threads.end(), owner(blocks_[i])) == threads.end())
        threads.push_back(owner(blocks_[i]));
    Blocks candidate = blocks_;
    size_t next = begin;
    for (const ThreadName& thread : threads)
      for (size_t i = begin; i < end; ++i)
        if (owner(blocks_[i]) == thread) candidate[next++] = blocks_[i];
    return candidate;
  }

  bool gather() {
    bool better = false;
    for (size_t window = blocks_.size(); window >= 3; window = window * 2 / 3) {
      for (size_t begin = 0; begin + window <= blocks_.size(); begin += std::max<size_t>(1, window / 3))
        better |= try_blocks(gathered(begin, begin + window));
    }
    return better;
  }

  bool move() {
    bool better = false;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      for (size_t j = i + 1; j < blocks_.size(); ++j) {
        if (owner(blocks_[j]) != owner(blocks_[i])) continue;
        const auto begin = [&](Blocks& blocks, size_t place) { return blocks.begin() + static_cast<ptrdiff_t>(place); };
        Blocks earlier = blocks_, later = blocks_;
        std::rotate(begin(earlier, i + 1), begin(earlier, j), begin(earlier, j + 1));
        std::rotate(begin(later, i), begin(later, i + 1), begin(later, j));
        // Two buffers may only seem to be emptied in this order because each was at once.
        const std::optional<Blocks> buffered = with_later_flushes(later, i, j - 1);
        if (try_blocks(earlier) || try_blocks(later) || (buffered && try_blocks(*buffered))) {
          better = true;
          j = i;  // the blocks are others now
          continue;
        }
        break;
      }
    }
    return better;
  }

  bool drop() {
    bool better = false;
    for (size_t i = blocks_.size(); i-- > 0;) {
      if (i >= blocks_.size()) continue;
      const auto same = [&](const Block& block) { return owner(block) == owner(blocks_[i]); };
      if (std::any_of(blocks_.begin() + static_cast<ptrdiff_t>(i) + 1, blocks_.end(), same)) continue;
      Blocks candidate = blocks_;
      candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(i));
      better |= try_blocks(candidate);
    }
    return better;
  }

  Schedule best_;
  Blocks blocks_;  // of best_
  const Trial& trial_;
  uint64_t left_;
};

}  // namespace

size_t context_switches(const Schedule& schedule) {
  const size_t blocks = blocks_of(schedule).size();
  return blocks == 0 ? 0 : blocks - 1;
}

Schedule shorten(const Schedule& original, const Trial& trial, uint64_t most_trials) {
  return Shortener(original, trial, most_trials).shorten();
}

}  // namespace heddle::schedule
