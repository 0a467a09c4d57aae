// SPDX-License-Identifier: Apache-2.0
//
// The rules of saturation for reads. All of them are set operations on rows of
// the closure.
#include "solve/saturation.h"

namespace heddle::solve {

bool Saturation::take_reads(const OrderProblem& problem) {
  const size_t words = closure_.words();
  sources_.assign(problem.reads.size() * words, 0);
  others_.assign(problem.reads.size() * words, 0);
  for (uint32_t i = 0; i < problem.reads.size(); ++i) {
    const Read& read = problem.reads[i];
    Word* sources = &sources_[i * words];
    Word* others = &others_[i * words];
    for (const Event source : read.sources) set_bit(sources, source);
    for (const Event other : read.others) set_bit(others, other);
    clear_bit(sources, read.read);
    clear_bit(others, read.read);
    reads_.push_back({read.read, read.own_store_matches ? read.own_store : kNoEvent, read.initial_matches, i});
    const bool must_be_in_memory = read.own_store != kNoEvent && !read.own_store_matches;
    if (must_be_in_memory && !add(read.own_store, read.read)) return false;
  }
  return true;
}

// Strikes out the ways of a read that have become impossible, and those that are
// no better than another. Returns whether a source is certainly before the read.
bool Saturation::strike_out(OpenRead& read) {
  const uint32_t words = closure_.words();
  Word* const ways = sources(read);
  const Word* const rivals = others(read);
  const Word* after = closure_.after_row(read.read);
  const Word* before = closure_.before_row(read.read);
  Word* overwriting = scratch_.data();  // others that are certainly before the read
  Word overwritten = 0;
  for (uint32_t i = 0; i < words; ++i) {
    overwriting[i] = rivals[i] & before[i];
    overwritten |= overwriting[i];
    ways[i] &= ~after[i];
  }
  if (overwritten != 0) {
    read.initial = false;
    for_each_bit(ways, words, [&](Event source) {
      const Word* later = closure_.after_row(source);
      Word between = 0;
      for (uint32_t i = 0; i < words; ++i) between |= later[i] & overwriting[i];
      if (between != 0) clear_bit(ways, source);
    });
  }
  // A source that is certainly before the read is at least as good as the
  // initial value and as the sources before it.
  bool certain_source = false;
  for_each_bit(ways, words, [&](Event source) {
    if (!has_bit(before, source) || !has_bit(ways, source)) return;
    certain_source = true;
    const Word* earlier = closure_.before_row(source);
    for (uint32_t i = 0; i < words; ++i) ways[i] &= ~earlier[i];
    set_bit(ways, source);
  });
  if (certain_source) read.initial = false;
  return certain_source;
}

Saturation::State Saturation::look_at(OpenRead& read) {
  if (read.own_store != kNoEvent) {
    if (closure_.before(read.read, read.own_store)) return State::kMet;
    if (closure_.before(read.own_store, read.read)) read.own_store = kNoEvent;
  }
  const bool certain_source = strike_out(read);
  const Word* const row = sources(read);
  uint32_t ways = read.initial + (read.own_store != kNoEvent);
  Event source = kNoEvent;
  for (uint32_t i = 0; i < closure_.words(); ++i) {
    if (row[i] == 0) continue;
    ways += static_cast<uint32_t>(std::popcount(row[i]));
    source = i * kWordBits + static_cast<uint32_t>(std::countr_zero(row[i]));
  }
  if (ways == 0) return State::kImpossible;
  return ways == 1 ? force_way(read, source) : add_common(read, certain_source);
}

// Only one way is left: the source, or the initial value, or the own store.
Saturation::State Saturation::force_way(OpenRead& read, Event source) {
  if (read.own_store != kNoEvent) return add(read.read, read.own_store) ? State::kMet : State::kImpossible;
  const Word* const rivals = others(read);
  bool possible = source == kNoEvent || add(source, read.read);
  bool met = true;
  for (uint32_t i = 0; i < closure_.words(); ++i) {
    const Word after = closure_.after_row(read.read)[i];
    const Word must_follow = source == kNoEvent ? ~Word{0} : closure_.after_row(source)[i];
    for_each_bit_of(rivals[i] & must_follow & ~after, i, [&](Event other) { possible &= add(read.read, other); });
    if (source == kNoEvent) continue;
    const Word must_precede = closure_.before_row(read.read)[i] & ~closure_.before_row(source)[i];
    for_each_bit_of(rivals[i] & must_precede, i, [&](Event other) { possible &= add(other, source); });
    met &= (rivals[i] & ~closure_.after_row(read.read)[i] & ~closure_.before_row(source)[i]) == 0;
  }
  if (!possible) return State::kImpossible;
  return met ? State::kMet : State::kOpen;
}

// Several ways are left: adds what they have in common.
Saturation::State Saturation::add_common(OpenRead& read, bool certain_source) {
  const uint32_t words = closure_.words();
  const Word* const ways = sources(read);
  const Word* const rivals = others(read);
  const Word* after = closure_.after_row(read.read);
  bool met = false;
  if (certain_source) {
    for_each_bit(ways, words, [&](Event source) {
      if (!closure_.before(source, read.read)) return;
      Word misplaced = 0;
      for (uint32_t i = 0; i < words; ++i) misplaced |= rivals[i] & ~after[i] & ~closure_.before_row(source)[i];
      met |= misplaced == 0;
    });
  } else if (read.initial) {
    Word misplaced = 0;
    for (uint32_t i = 0; i < words; ++i) misplaced |= rivals[i] & ~after[i];
    met = misplaced == 0;
  }
  if (met) return State::kMet;
  if (read.own_store != kNoEvent) return State::kOpen;

  Word* follow = scratch_.data();           // others after the read, whichever way
  Word* precede = scratch_.data() + words;  // events before the read, whichever way
  for (uint32_t i = 0; i < words; ++i) {
    follow[i] = rivals[i] & ~after[i];
    precede[i] = read.initial ? 0 : ~closure_.before_row(read.read)[i];
  }
  for_each_bit(ways, words, [&](Event source) {
    for (uint32_t i = 0; i < words; ++i) {
      follow[i] &= closure_.after_row(source)[i];
      precede[i] &= closure_.before_row(source)[i];
    }
  });
  bool possible = true;
  for_each_bit(follow, words, [&](Event other) { possible &= add(read.read, other); });
  for_each_bit(precede, words, [&](Event event) { possible &= add(event, read.read); });
  return possible ? State::kOpen : State::kImpossible;
}

}  // namespace heddle::solve
