// SPDX-License-Identifier: Apache-2.0
#include "reproduce/trials.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle::reproduce {

using solve::Event;

Trials::Trials(const System& system, uint64_t seed)
    : system_(system), before_(system.closure().events()), random_(seed) {
  for (const solve::Edge& edge : system.closure().edges())
    if (system.operation(edge.before).thread != system.operation(edge.after).thread || system.is_flush(edge.before))
      before_[edge.after].push_back(edge.before);
}

void Trials::sort_by_clock(std::vector<uint32_t>& threads, const Machine& machine, std::vector<double>& errors) {
  constexpr uint64_t kSteady = 64;  // operations for which an error lasts, about
  std::uniform_real_distribution<double> draw(-largest_error_, largest_error_);
  std::vector<double> times(threads.size());
  for (const uint32_t t : threads) {
    if (random_() % kSteady == 0) errors[t] = draw(random_);
    const std::vector<uint64_t>& about = system_.run().about[t];
    const uint32_t next = machine.position(t);
    times[t] = next < about.size() ? static_cast<double>(about[next]) + errors[t] : 0;
  }
  std::sort(threads.begin(), threads.end(),
            [&](uint32_t a, uint32_t b) { return std::tie(times[a], a) < std::tie(times[b], b); });
}

std::optional<std::vector<OrderStep>> Trials::run(base::Patience& patience) {
  constexpr double kErrors[] = {0, 100, 400, 1500, 5000};
  const bool by_clock =
      !system_.run().about.empty() && system_.model() == schedule::MemoryModel::kSc && trials_ % 2 == 0;
  if (by_clock) largest_error_ = kErrors[trials_ / 2 % std::size(kErrors)];
  // How often threads take turns decides what is found: from nearly never to always.
  constexpr double kSwitches[] = {0.5, 0.05, 0.2, 0.9, 0.01};
  const double switches = kSwitches[trials_++ % std::size(kSwitches)];
  std::uniform_real_distribution<double> draw(0, 1);
  const FailingRun& failing = system_.run();
  Machine machine(failing, system_.model());
  std::vector<bool> happened(before_.size(), false);
  const auto is_ready = [&](Event event) {
    return std::all_of(before_[event].begin(), before_[event].end(), [&](Event other) { return happened[other]; });
  };
  const uint32_t threads = static_cast<uint32_t>(failing.threads.size());
  const auto can_go_on = [&](uint32_t thread) {
    return machine.stores(thread) < Machine::kMostWaitingStores && machine.can_step(thread) &&
           is_ready(system_.event({thread, machine.position(thread)})) && machine.fits(thread);
  };
  std::vector<OrderStep> order;
  uint32_t current = 0;
  std::vector<uint32_t> able, all(threads);
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> errors(threads, 0);
  while (order.size() < system_.steps()) {
    if (patience.is_over()) return std::nullopt;
    if (by_clock) {
      sort_by_clock(all, machine, errors);
      const auto first = std::find_if(all.begin(), all.end(), can_go_on);
      if (first == all.end()) return std::nullopt;
      current = *first;
    }
    const bool goes_on = by_clock || (draw(random_) >= switches && can_go_on(current));
    if (!goes_on) {
      able.clear();
      for (uint32_t t = 0; t < threads; ++t)
        if (can_go_on(t)) able.push_back(t);
      // A store that waits is as good as a thread; the number of its owner comes after those of all threads.
      for (uint32_t t = 0; t < threads; ++t)
        if (machine.has_stores(t)) able.push_back(threads + t);
      if (able.empty()) return std::nullopt;
      const uint32_t chosen = able[random_() % able.size()];
      if (chosen >= threads) {
        const std::vector<uint32_t> stores = machine.flushable(chosen - threads);
        const OperationId store = {chosen - threads, stores[random_() % stores.size()]};
        if (!is_ready(system_.in_memory(store))) return std::nullopt;
        machine.flush(store.thread, store.index);
        happened[system_.in_memory(store)] = true;
        order.push_back({store, true});
        continue;
      }
      current = chosen;
    }
    const OperationId next = {current, machine.position(current)};
    machine.step(current);
    happened[system_.event(next)] = true;
    order.push_back({next, false});
    if (!machine.broken().empty()) return std::nullopt;
    if (machine.has_failed()) break;
  }
  return order;
}

}  // namespace heddle::reproduce
