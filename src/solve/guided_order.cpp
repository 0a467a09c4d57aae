// SPDX-License-Identifier: Apache-2.0
#include "solve/guided_order.h"

#include <algorithm>

namespace heddle::solve {

bool GuidedOrder::run(const OrderProblem& problem, const Saturation& saturation) {
  obstacle_ = {};
  collect_effects(saturation);
  collect_edges(problem, saturation.closure());
  order_.clear();
  bool solves = true;
  const auto words = static_cast<uint32_t>(ready_.size());
  while (order_.size() < problem.events) {
    Fit best_fit = Fit::kFails;
    uint32_t best = kNoEvent;
    for (uint32_t i = 0; i < words && best_fit != Fit::kAtOnce; ++i) {
      for (Word word = ready_[i]; word != 0; word &= word - 1) {
        const uint32_t rank = i * kWordBits + static_cast<uint32_t>(std::countr_zero(word));
        const Fit found = fit(by_rank_[rank]);
        if (best != kNoEvent && found >= best_fit) continue;
        best = rank;
        best_fit = found;
        if (found == Fit::kAtOnce) break;
      }
    }
    if (best_fit == Fit::kFails && solves) obstacle_ = obstacle_of(by_rank_[best]);
    solves &= best_fit != Fit::kFails;
    clear_bit(ready_.data(), best);
    happen(by_rank_[best]);
  }
  return choose_values(problem, saturation) && solves;
}

void GuidedOrder::collect_effects(const Saturation& saturation) {
  const Closure& closure = saturation.closure();
  const uint32_t words = closure.words(), events = closure.events();
  effects_.clear();
  reads_.clear();
  for (const OpenRead& read : saturation.open_reads()) {
    const auto index = static_cast<uint32_t>(reads_.size());
    ReadState state{false, read.initial, read.own_store != kNoEvent, 0};
    for_each_bit(saturation.sources(read), words, [&](Event source) {
      effects_.push_back({source, Effect::kSource, index});
      ++state.sources_left;
    });
    const Word* after = closure.after_row(read.read);
    const Word* others = saturation.others(read);
    for (uint32_t i = 0; i < words; ++i) {
      for_each_bit_of(others[i] & ~after[i], i,
                      [&](Event other) { effects_.push_back({other, Effect::kOther, index}); });
    }
    if (state.own_store_waits) effects_.push_back({read.own_store, Effect::kOwnStore, index});
    effects_.push_back({read.read, Effect::kRead, index});
    reads_.push_back(state);
  }
  for (const auto& [one, two] : saturation.open_sections()) {
    effects_.push_back({one.acquire, Effect::kHold, two.acquire});
    effects_.push_back({one.release, Effect::kFree, two.acquire});
    effects_.push_back({two.acquire, Effect::kHold, one.acquire});
    effects_.push_back({two.release, Effect::kFree, one.acquire});
  }
  held_against_.assign(events, 0);
  first_effect_.assign(events + 1, 0);
  for (const EffectAt& effect : effects_) ++first_effect_[effect.event];
  uint32_t end = 0;
  for (uint32_t& first : first_effect_) first = end += first;
  effects_by_event_.resize(effects_.size());
  for (const EffectAt& effect : effects_) effects_by_event_[--first_effect_[effect.event]] = effect;
}

void GuidedOrder::collect_edges(const OrderProblem& problem, const Closure& closure) {
  const uint32_t events = closure.events();
  first_edge_.assign(events + 1, 0);
  waiting_for_.assign(events, 0);
  for (const Edge& edge : closure.edges()) {
    ++first_edge_[edge.before];
    ++waiting_for_[edge.after];
  }
  uint32_t end = 0;
  for (uint32_t& first : first_edge_) first = end += first;
  targets_.resize(closure.edges().size());
  for (const Edge& edge : closure.edges()) targets_[--first_edge_[edge.before]] = edge.after;

  rank_.resize(events);
  by_rank_.resize(events);
  ready_.assign(closure.words(), 0);
  place_.resize(events);
  for (uint32_t rank = 0; rank < events; ++rank) {
    const Event event = problem.hint.empty() ? rank : problem.hint[rank];
    by_rank_[rank] = event;
    rank_[event] = rank;
    if (waiting_for_[event] == 0) set_bit(ready_.data(), rank);
  }
}

GuidedOrder::Fit GuidedOrder::fit_of_other(const ReadState& read) const {
  if (read.done || !read.right || read.own_store_waits) return Fit::kFits;
  return read.sources_left > 0 ? Fit::kSpoils : Fit::kFails;
}

GuidedOrder::Fit GuidedOrder::fit(Event event) const {
  if (held_against_[event] > 0) return Fit::kFails;
  Fit result = Fit::kAtOnce;
  for (uint32_t i = first_effect_[event]; i < first_effect_[event + 1]; ++i) {
    const EffectAt& effect = effects_by_event_[i];
    if (effect.effect != Effect::kRead) result = std::max(result, Fit::kFits);
    if (effect.effect == Effect::kOther) result = std::max(result, fit_of_other(reads_[effect.index]));
    if (effect.effect != Effect::kRead) continue;
    const ReadState& read = reads_[effect.index];
    if (!read.right && !read.own_store_waits) return Fit::kFails;
  }
  return first_effect_[event] == first_effect_[event + 1] ? Fit::kFits : result;
}

// Why an event fails.
GuidedOrder::Obstacle GuidedOrder::obstacle_of(Event event) const {
  Obstacle obstacle;
  if (held_against_[event] > 0) obstacle.acquire = event;
  for (uint32_t i = first_effect_[event]; i < first_effect_[event + 1] && held_against_[event] == 0; ++i) {
    const EffectAt& effect = effects_by_event_[i];
    if (effect.effect != Effect::kRead && effect.effect != Effect::kOther) continue;
    const ReadState& read = reads_[effect.index];
    const bool wrong = effect.effect == Effect::kRead && !read.right && !read.own_store_waits;
    const bool spoilt = effect.effect == Effect::kOther && fit_of_other(read) == Fit::kFails;
    if (wrong || spoilt) obstacle.open_read = effect.index;
  }
  return obstacle;
}

void GuidedOrder::happen(Event event) {
  place_[event] = static_cast<uint32_t>(order_.size());
  order_.push_back(event);
  for (uint32_t i = first_effect_[event]; i < first_effect_[event + 1]; ++i) {
    const EffectAt& effect = effects_by_event_[i];
    switch (effect.effect) {
      case Effect::kRead: reads_[effect.index].done = true; break;
      case Effect::kSource:
        reads_[effect.index].right = true;
        --reads_[effect.index].sources_left;
        break;
      case Effect::kOther: reads_[effect.index].right = false; break;
      case Effect::kOwnStore: reads_[effect.index].own_store_waits = false; break;
      case Effect::kHold: ++held_against_[effect.index]; break;
      case Effect::kFree: --held_against_[effect.index]; break;
    }
  }
  for (uint32_t i = first_edge_[event]; i < first_edge_[event + 1]; ++i) {
    if (--waiting_for_[targets_[i]] == 0) set_bit(ready_.data(), rank_[targets_[i]]);
  }
}

// Sets choices so that the clauses hold in this order: each clause that does not
// hold yet takes its first choice that is still free.
bool GuidedOrder::choose_values(const OrderProblem& problem, const Saturation& saturation) {
  choices_.assign(problem.choices, false);
  chosen_.assign(problem.choices, 0);
  for (uint32_t i = 0; i < problem.choices; ++i) {
    const Saturation::Value value = saturation.choices()[i];
    choices_[i] = value == Saturation::Value::kTrue;
    chosen_[i] = value != Saturation::Value::kOpen;
  }
  bool solves = true;
  for (const Clause* clause : saturation.open_clauses()) {
    const Literal* free = nullptr;
    bool holds = false;
    for (const Literal& literal : *clause) {
      if (literal.kind == Literal::Kind::kBefore) {
        holds |= place_[literal.first] < place_[literal.second];
      } else if (chosen_[literal.first]) {
        holds |= choices_[literal.first] == literal.value;
      } else if (free == nullptr) {
        free = &literal;
      }
    }
    if (holds) continue;
    if (free == nullptr) {
      if (solves) obstacle_.clause = clause;
      solves = false;
      continue;
    }
    choices_[free->first] = free->value;
    chosen_[free->first] = 1;
  }
  return solves;
}

}  // namespace heddle::solve
