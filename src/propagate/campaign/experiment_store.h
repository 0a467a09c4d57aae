// SPDX-License-Identifier: Apache-2.0
//
// The experiments of a campaign on disk (docs/reference/experiment_store.md).
//
// A campaign takes hours, and machines do not always last. Each result is
// committed when it is there: killing Heddle loses at most the experiments that
// are running. A campaign that goes on asks `finished` which experiments need not
// be run again; `open` refuses the store of another program, seed or options, so
// that results of different questions are never mixed. Every row has a check
// value: a damaged store is refused, not counted.
//
//   auto store = ExperimentStore::create(path, identity);
//   store->add({result});
//   ... killed ...
//   auto again = ExperimentStore::open(path, identity);
//   for (uint64_t id : todo) if (!again->finished().contains(id)) run(id);
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "propagate/campaign/database.h"
#include "propagate/experiment.h"

namespace heddle::propagate {

// The name of the file in the directory of a run.
inline constexpr const char* kExperimentStoreFile = "experiments.sqlite";

// What decides which experiment belongs to an id.
struct CampaignIdentity {
  std::string program;  // hash of the program and its arguments
  uint64_t seed = 0;
  std::string options;  // the others that count, in a fixed spelling

  bool operator==(const CampaignIdentity&) const = default;
};

// Used by one thread at a time; while it is open to go on, no other process can open it.
class ExperimentStore {
 public:
  // A new store; refuses a file that is there.
  static base::Result<ExperimentStore> create(const std::string& path, const CampaignIdentity& identity);
  // To go on with a campaign: refuses one that is not the same.
  static base::Result<ExperimentStore> open(const std::string& path, const CampaignIdentity& identity);
  // To report on a campaign, whichever it is; nothing can be added.
  static base::Result<ExperimentStore> open(const std::string& path);

  const CampaignIdentity& identity() const { return identity_; }
  const std::set<uint64_t>& finished() const { return finished_; }

  // All of them or, with an Error, none; what was there before stays in any case.
  // An id that is finished already must not be added.
  base::Result<void> add(std::span<const ExperimentResult> results);
  base::Result<void> add(const ExperimentResult& result) { return add(std::span(&result, 1)); }

  // All results, by id.
  base::Result<std::vector<ExperimentResult>> results();

 private:
  explicit ExperimentStore(Database database) : database_(std::move(database)) {}
  base::Result<void> make_tables();
  base::Result<void> insert(std::span<const ExperimentResult> results);

  Database database_;
  CampaignIdentity identity_;
  std::set<uint64_t> finished_;
};

}  // namespace heddle::propagate
