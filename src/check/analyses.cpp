// SPDX-License-Identifier: Apache-2.0
#include "check/analyses.h"

#include "causal/unmodelled.h"

namespace heddle::check {
namespace {

size_t operations_of(const causal::Execution& execution) {
  size_t operations = 0;
  for (const causal::ThreadPart& part : execution.threads) operations += part.operations.size();
  return operations;
}

causal::FirstUses uses_of(const causal::Execution& execution, const Options& options) {
  if (options.influence && options.reduction == Reduction::kSeMcr)
    return causal::FirstUses(execution, *options.influence);
  return causal::FirstUses(execution);
}

}  // namespace

Analysis::Analysis(ExecutionRef of, std::shared_ptr<const causal::Dependences> made, const Options& options)
    : execution(std::move(of)),
      dependences(std::move(made)),
      uses(uses_of(*execution, options)),
      places(*execution, options.memory),
      needs(*dependences, &uses) {
  if (options.influence && options.reduction != Reduction::kSeMcr) late_uses.emplace(*execution, *options.influence);
}

std::shared_ptr<Analyses::Entry> Analyses::entry_of(const ExecutionRef& execution) {
  const std::lock_guard<std::mutex> guard(lock_);
  const auto [place, is_new] = of_.try_emplace(execution.get());
  if (!is_new) {
    latest_first_.splice(latest_first_.begin(), latest_first_, place->second);
    return *place->second;
  }
  latest_first_.push_front(std::make_shared<Entry>(execution));
  place->second = latest_first_.begin();
  operations_ += operations_of(*execution);
  while (operations_ > most_operations_ && latest_first_.size() > 1) {
    const causal::Execution& oldest = *latest_first_.back()->execution;
    operations_ -= operations_of(oldest);
    of_.erase(&oldest);
    latest_first_.pop_back();
  }
  return latest_first_.front();
}

std::shared_ptr<const Analysis> Analyses::of(const ExecutionRef& execution, LatestDependences& latest) {
  const std::shared_ptr<Entry> entry = entry_of(execution);
  std::call_once(entry->made, [&] {
    if (!causal::is_too_large(*execution)) entry->analysis.emplace(execution, latest.of(execution), options_);
  });
  return {entry, entry->analysis ? &*entry->analysis : nullptr};
}

}  // namespace heddle::check
