// SPDX-License-Identifier: Apache-2.0
//
// What is made from executions for questions about them. Making it takes as long
// as some questions do, and many nodes have the same representative; so what was
// used last is kept, and all workers share it: whoever needs it first makes it,
// and nobody changes it after that.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "causal/first_uses.h"
#include "causal/needs.h"
#include "check/latest_dependences.h"
#include "check/options.h"
#include "property/observed_places.h"
#include "property/wanted_needs.h"

namespace heddle::check {

struct Analysis {
  Analysis(ExecutionRef of, std::shared_ptr<const causal::Dependences> made, const Options& options);
  Analysis(const Analysis&) = delete;

  const ExecutionRef execution;
  const std::shared_ptr<const causal::Dependences> dependences;
  const causal::FirstUses uses;                // what parts leave open
  std::optional<causal::FirstUses> late_uses;  // what questions leave open
  const property::ObservedPlaces places;
  const property::WantedNeeds needs;
};

// Any number of threads may use it at once.
class Analyses {
 public:
  // `most_operations`: of all executions together whose analyses are kept.
  explicit Analyses(const Options& options, size_t most_operations = 400'000)
      : options_(options), most_operations_(most_operations) {}

  // Null: the execution is too large. `latest` is the caller's own.
  std::shared_ptr<const Analysis> of(const ExecutionRef& execution, LatestDependences& latest);

 private:
  struct Entry {
    explicit Entry(ExecutionRef of) : execution(std::move(of)) {}
    const ExecutionRef execution;
    std::once_flag made;
    std::optional<const Analysis> analysis;
  };
  using Entries = std::list<std::shared_ptr<Entry>>;
  std::shared_ptr<Entry> entry_of(const ExecutionRef& execution);

  const Options& options_;
  const size_t most_operations_;
  std::mutex lock_;  // of what follows
  Entries latest_first_;
  std::unordered_map<const causal::Execution*, Entries::iterator> of_;
  size_t operations_ = 0;  // of all of them
};

}  // namespace heddle::check
