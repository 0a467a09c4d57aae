// SPDX-License-Identifier: Apache-2.0
//
// stepping_perf record -o FILE ... -- PROGRAM ARGUMENT...: stands in for perf on machines without Intel PT. The
// program is run one instruction at a time, and the packets that the processor would have written
// are encoded. FILE.truth says what was executed: number of the thread and address, 16 bytes each.
//
//   STEPPING_SEED=N               which thread goes on when and where
//   STEPPING_MISHAPS=O,D,C        overflows, damages and cuts in ten thousand steps
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <fstream>

#include "perf_file.h"
#include "stepped_run.h"

int main(int count, char** words) {
  std::string output;
  int i = 1;
  for (; i < count && strcmp(words[i], "--") != 0; ++i)
    if (strcmp(words[i], "-o") == 0 && i + 1 < count) output = words[i + 1];
  if (count < 2 || strcmp(words[1], "record") != 0 || output.empty() || i + 1 >= count) {
    fprintf(stderr, "usage: stepping_perf record -o FILE ... -- PROGRAM ARGUMENT...\n");
    return 125;
  }
  const char* seed = getenv("STEPPING_SEED");
  const char* wrong = getenv("STEPPING_MISHAPS");
  stepping::Mishaps mishaps;
  if (wrong) sscanf(wrong, "%u,%u,%u", &mishaps.overflows, &mishaps.damages, &mishaps.cuts);
  stepping::SteppedRun run(std::vector<std::string>(words + i + 1, words + count),
                           seed ? strtoull(seed, nullptr, 10) : 1, mishaps);
  const int status = run.run();
  std::ofstream(output, std::ios::binary) << stepping::perf_data_of(run);
  std::ofstream truth(output + ".truth", std::ios::binary);
  for (const stepping::Executed& each : run.truth()) {
    const uint64_t entry[] = {static_cast<uint64_t>(each.thread), each.address};
    truth.write(reinterpret_cast<const char*>(entry), sizeof entry);
  }
  truth.close();
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}
