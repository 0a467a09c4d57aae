// SPDX-License-Identifier: Apache-2.0
//
// A process of a comparison target (src/abi/comparison.h) that runs the program on
// request, each time in a fork of itself: once without a fault, to learn what every
// thread does, then as often as wanted with faults, compared as it runs.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abi/comparison.h"
#include "base/result.h"
#include "build/comparison_target.h"

namespace heddle::propagate {

struct ServerSettings {
  std::vector<std::string> arguments;
  int input = -1;  // what the program reads as its standard input
  const std::atomic<bool>* interrupted = nullptr;
};

// Files that a run wrote: what is in them, by a name that stands for the whole path; nothing:
// the file cannot be read.
using Output = std::map<std::string, std::optional<std::string>>;
inline constexpr const char* kStandardOutput = "output";
// "result.txt", "standard output".
std::string output_name(const std::string& name);
// "result.txt was not written"; empty: none.
std::string output_difference(const Output& expected, const Output& actual);

// A thread's place in the tree of threads: of T0.2.1 it is 2, 1. T0.2 comes before T0.10.
std::vector<uint32_t> tree_place(const HeddleComparison& channel, uint32_t lane);

class ComparisonServer {
 public:
  static base::Result<std::unique_ptr<ComparisonServer>> start(const build::ComparisonTarget& target,
                                                               const ServerSettings& settings);
  ~ComparisonServer();
  ComparisonServer(const ComparisonServer&) = delete;

  // The fault-free run. Fails when the program cannot be compared.
  base::Result<void> learn();
  // The fault-free run of another process of the same target.
  base::Result<void> adopt(const ComparisonServer& other);
  // A run with this fault (HEDDLE_FAULT_NONE: without), compared. The answer is in
  // channel() until the next run.
  base::Result<void> compare(const HeddleFault& fault);

  const HeddleComparison& channel() const { return *channel_; }
  // What a lane did in the fault-free run.
  const uint64_t* stream(uint32_t lane) const { return streams_[lane]; }

  // What the last run wrote.
  Output output() const;
  double seconds() const { return seconds_; }  // that it took

 private:
  ComparisonServer() = default;
  base::Result<void> ask(uint32_t question);
  base::Result<void> learn_once();
  bool plan_lanes();
  void forget_streams();
  base::Result<void> map_streams();

  HeddleComparison* channel_ = nullptr;
  int file_ = -1;
  pid_t process_ = -1;
  std::string scratch_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::vector<const uint64_t*> streams_;
  std::vector<uint64_t> mapped_;  // bytes of each
  double seconds_ = 0;
};

}  // namespace heddle::propagate
