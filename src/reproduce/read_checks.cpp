// SPDX-License-Identifier: Apache-2.0
//
// On its recorded way a thread performs the same reads in the same order as when it was recorded, so the first
// check belongs to the first of them, and so on.
#include "reproduce/read_checks.h"

namespace heddle::reproduce {

void add_checks(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording,
                const std::set<uint32_t>& reads) {
  if (!recording.has_values) return;
  for (const record::Thread& recorded : recording.threads) {
    const uint32_t thread = recorded.is_recorded && !recorded.is_handler ? known.find(recorded.name) : kNobody;
    if (thread == kNobody || thread >= walked.run.threads.size()) continue;
    auto next = recorded.values.begin();
    for (Operation& operation : walked.run.threads[thread].operations) {
      if (next == recorded.values.end()) break;
      if (reads_memory(operation) && reads.contains(operation.site)) operation.check = *next++;
    }
  }
}

}  // namespace heddle::reproduce
