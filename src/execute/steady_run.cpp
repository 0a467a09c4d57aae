// SPDX-License-Identifier: Apache-2.0
#include "execute/steady_run.h"

#include <cstring>

namespace heddle::execute {
namespace {

constexpr int kAgreeing = 3;       // runs that end alike, in a row
constexpr int kMostAttempts = 20;  // somebody kills whatever is started

bool end_alike(const Run& one, const Run& other) {
  return one.ending.detail == other.ending.detail && one.records.size() == other.records.size() &&
         (one.records.empty() ||
          std::memcmp(one.records.data(), other.records.data(), one.records.size() * sizeof(HeddleRecord)) == 0);
}

}  // namespace

base::Result<Run> run_steadily(Executor& executor, const RunRequest& request) {
  auto run = executor.run(request);
  int alike = 1;
  for (int attempt = 1; attempt < kMostAttempts && alike < kAgreeing; ++attempt) {
    if (!run || run->ending.outcome != HEDDLE_OUTCOME_KILLED) break;
    auto again = executor.run(request);
    alike = again && end_alike(*again, *run) ? alike + 1 : 1;
    run = std::move(again);
  }
  return run;
}

}  // namespace heddle::execute
