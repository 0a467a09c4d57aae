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
  bool is_change = false;  // of core: just now, or since the store before
};

std::vector<Moment> moments_of(const record::Thread& recorded, const std::vector<Operation>& operations,
                               const std::vector<uint64_t>& positions) {
  const auto first_at = [&](uint64_t position) {
    return static_cast<size_t>(std::lower_bound(positions.begin(), positions.end(), position) - positions.begin());
  };
  std::vector<Moment> moments;
  for (const record::Stamp& stamp : recorded.stamps) {
    Moment moment = {std::min(first_at(stamp.before), operations.size()),
                     std::min(first_at(stamp.after), operations.size()), stamp.time, stamp.site != 0};
    if (stamp.site != 0) {
      // If the store was made more than once at this place of the path, it may have been the first or the last time.
      std::vector<size_t> found;
      for (size_t i = moment.done; i < moment.later; ++i)
        if (operations[i].site == stamp.site) found.push_back(i);
      if (!found.empty()) moment = {found.front() + 1, found.back() + 1, stamp.time, true};
    }
    moments.push_back(moment);
  }
  return moments;
}

// Ticks for an operation, as a rule.
double pace(const std::vector<Moment>& moments) {
  std::vector<double> paces;
  for (size_t i = 1; i < moments.size(); ++i)
    if (moments[i].done > moments[i - 1].later)
      paces.push_back(static_cast<double>(moments[i].time - moments[i - 1].time) /
                      static_cast<double>(moments[i].done - moments[i - 1].later));
  if (paces.empty()) return 0;
  std::nth_element(paces.begin(), paces.begin() + static_cast<ptrdiff_t>(paces.size() / 2), paces.end());
  return paces[paces.size() / 2];
}

// If a thread waited between two stamps, what it did after that was shortly before the later one.
std::vector<uint64_t> guessed_times(const std::vector<Moment>& moments, const std::vector<Operation>& operations) {
  std::vector<uint64_t> times(operations.size(), 0);
  const double ticks = pace(moments);
  const auto ticks_for = [&](size_t count) { return static_cast<uint64_t>(ticks * static_cast<double>(count)); };
  for (size_t k = 0; k < moments.size(); ++k) {
    const Moment& last = moments[k];
    const size_t end = k + 1 < moments.size() ? moments[k + 1].later : operations.size();
    const uint64_t latest = k + 1 < moments.size() ? moments[k + 1].time : UINT64_MAX;
    size_t waited = last.later;  // it may have waited up to this one
    for (size_t i = last.later; i < end && latest != UINT64_MAX && moments[k + 1].is_change; ++i)
      if (!reads_memory(operations[i]) && !writes_memory(operations[i])) waited = i + 1;
    for (size_t i = last.later; i < end; ++i)
      times[i] = i < waited || waited == last.later
                     ? std::min(last.time + ticks_for(i - last.later + 1), latest)
                     : std::max(last.time, latest - std::min(latest, ticks_for(end - i)));
  }
  return times;
}

}  // namespace

void add_times(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording) {
  if (recording.stamp_margin == 0) return;
  std::vector<std::vector<Moment>> moments(walked.run.threads.size());
  for (const record::Thread& recorded : recording.threads) {
    const uint32_t thread = recorded.is_recorded && !recorded.is_handler ? known.find(recorded.name) : kNobody;
    if (thread != kNobody && thread < moments.size())
      moments[thread] = moments_of(recorded, walked.run.threads[thread].operations, walked.positions[thread]);
  }
  for (uint32_t t = 0; t < moments.size(); ++t)
    walked.run.about.push_back(guessed_times(moments[t], walked.run.threads[t].operations));
  for (uint32_t early = 0; early < moments.size(); ++early) {
    for (uint32_t late = 0; late < moments.size(); ++late) {
      if (early == late) continue;
      size_t next = 0, done = 0;  // moments that may be compared, and how many operations they say are done
      for (const Moment& moment : moments[late]) {
        const size_t before = done;
        while (next < moments[early].size() && moments[early][next].time < moment.time &&
               moment.time - moments[early][next].time > recording.stamp_margin)
          done = std::max(done, moments[early][next++].done);
        if (done == before || moment.later >= walked.run.threads[late].operations.size()) continue;  // nothing new
        walked.run.timed.push_back(
            {{early, static_cast<uint32_t>(done - 1)}, {late, static_cast<uint32_t>(moment.later)}});
      }
    }
  }
}

}  // namespace heddle::reproduce
