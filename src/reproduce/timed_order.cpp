// SPDX-License-Identifier: Apache-2.0
#include "reproduce/timed_order.h"

#include <algorithm>

namespace heddle::reproduce {
namespace {

// A stamp among the operations of its thread.
struct Moment {
  size_t done = 0;   // so many operations were performed by then
  size_t later = 0;  // those from this one on had not begun
  uint64_t time = 0;
};

std::vector<Moment> moments_of(const record::Thread& recorded, const std::vector<Operation>& operations, const std::vector<uint64_t>& positions) {
  const auto first_at = [&](uint64_t position) {
    return static_cast<size_t>(std::lower_bound(positions.begin(), positions.end(), position) - positions.begin());
  };
  std::vector<Moment> moments;
  for (const record::Stamp& stamp : recorded.stamps) {
    Moment moment = {std::min(first_at(stamp.before), operations.size()), std::min(first_at(stamp.after), operations.size()), stamp.time};
    if (stamp.site != 0) {
      // If the store was made more than once at this place of the path, it may have been the first or the last time.
      std::vector<size_t> found;
      for (size_t i = moment.done; i < moment.later; ++i)
        if (operations[i].site == stamp.site) found.push_back(i);
      if (!found.empty()) moment = {found.front() + 1, found.back() + 1, stamp.time};
    }
    moments.push_back(moment);
  }
  return moments;
}

}  // namespace

void add_times(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording) {
  if (recording.stamp_margin == 0) return;
  std::vector<std::vector<Moment>> moments(walked.run.threads.size());
  for (const record::Thread& recorded : recording.threads) {
    const uint32_t thread = recorded.is_recorded && !recorded.is_handler ? known.find(recorded.name) : kNobody;
    if (thread != kNobody && thread < moments.size()) moments[thread] = moments_of(recorded, walked.run.threads[thread].operations, walked.positions[thread]);
  }
  for (uint32_t early = 0; early < moments.size(); ++early) {
    for (uint32_t late = 0; late < moments.size(); ++late) {
      if (early == late) continue;
      size_t next = 0, done = 0;  // moments that may be compared, and how many operations they say are done
      for (const Moment& moment : moments[late]) {
        const size_t before = done;
        while (next < moments[early].size() && moments[early][next].time < moment.time && moment.time - moments[early][next].time > recording.stamp_margin)
          done = std::max(done, moments[early][next++].done);
        if (done == before || moment.later >= walked.run.threads[late].operations.size()) continue;  // nothing new
        walked.run.timed.push_back({{early, static_cast<uint32_t>(done - 1)}, {late, static_cast<uint32_t>(moment.later)}});
      }
    }
  }
}

}  // namespace heddle::reproduce
