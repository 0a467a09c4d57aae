// SPDX-License-Identifier: Apache-2.0
//
// One experiment: a fault, the run with it, and what came of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "propagate/engine/fault_free_run.h"
#include "propagate/engine/injection_points.h"
#include "propagate/engine/sync_calls.h"
#include "propagate/experiment.h"
#include "propagate/faults/fault_model.h"

namespace heddle::propagate {

// Which experiment: a kind of fault and a number. With the seed of the campaign it
// fixes all that is drawn.
struct ExperimentName {
  const FaultModel* model = nullptr;
  uint32_t number = 0;

  uint64_t id() const { return uint64_t{model->number} << 32 | number; }
  std::string text() const;  // "bitflip:17"
};
base::Result<ExperimentName> parse_experiment_name(const std::string& text);

class ExperimentRunner {
 public:
  // Starts the program and learns its fault-free run.
  static base::Result<std::unique_ptr<ExperimentRunner>> start(const build::ComparisonTarget& target,
                                                               const ServerSettings& settings,
                                                               const PointFilter& filter, const FaultOptions& options);

  // One more, with a process of its own, that compares with the same fault-free run.
  base::Result<std::unique_ptr<ExperimentRunner>> start_another(const ServerSettings& settings) const;

  const FaultFreeRun& fault_free_run() const { return *run_; }
  // CPU time of its process and of all runs.
  double target_seconds() const { return static_cast<double>(server_->channel().used_nanoseconds) * 1e-9; }
  // How many points there are for this kind of fault.
  uint64_t points(const FaultModel& model);

  // A fault-free run compared with the learned one; empty: nothing differs.
  base::Result<std::string> differs_without_fault();
  // points(*name.model) is not 0.
  base::Result<ExperimentResult> run(const ExperimentName& name, uint64_t seed);

 private:
  ExperimentRunner() = default;
  const InjectionPoints& points_of(const FaultModel& model);

  std::unique_ptr<ComparisonServer> server_;
  std::unique_ptr<FaultFreeRun> run_;
  std::unique_ptr<SyncCalls> calls_;
  PointFilter filter_;
  FaultOptions options_;
  std::map<const FaultModel*, std::unique_ptr<InjectionPoints>> points_;
};

}  // namespace heddle::propagate
