// SPDX-License-Identifier: Apache-2.0
#include "oracle/judged_runs.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "trace/text.h"

namespace heddle::oracle {

namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

std::string JudgedRun::text() const {
  std::string text = "seed " + std::to_string(seed) + "\n" + to_text(program);
  trace::write_text(trace, [&](std::string_view piece) { text += piece; });
  return text;
}

JudgedSet judge_runs(uint64_t usual_count, const std::function<std::optional<bool>(const JudgedRun&)>& judge,
                     const std::function<Program(uint64_t)>& make) {
  JudgedSet set = {from_environment("HEDDLE_ORACLE_SEED", 0), from_environment("HEDDLE_ORACLE_COUNT", usual_count)};
  int different = 0;
  for (uint64_t seed = set.first; seed < set.first + set.count && different < 3; ++seed) {
    const Program program = make ? make(seed) : generate(seed, size_for(seed % 3 == 0 ? 12 : 8));
    const RandomRun run = random_run(program, seed);
    const std::optional<bool> is_right = judge({seed, program, run, trace_of_run(program, run)});
    set.judged += is_right.has_value();
    different += is_right == false;
  }
  if (different < 3) EXPECT_GT(set.judged * 20, set.count * 19) << "brute force gives up too often to judge anything";
  return set;
}

std::string to_text(const std::set<Pair>& pairs) {
  std::string text;
  for (const Pair& pair : pairs) text += " (" + std::to_string(pair.first) + "," + std::to_string(pair.second) + ")";
  return text;
}

}  // namespace heddle::oracle
