// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.h"

#include <algorithm>
#include <map>

namespace heddle::trace {
namespace {

// Each thread runs ahead one tick per event; a numbered event also waits for the
// numbered one before it.
std::vector<uint64_t> free_timeline(const Trace& trace) {
  std::map<uint32_t, std::vector<size_t>> threads;
  std::vector<size_t> numbered;
  for (size_t i = 0; i < trace.events.size(); ++i) {
    threads[trace.events[i].record.thread].push_back(i);
    if (trace.events[i].sequence != 0) numbered.push_back(i);
  }
  std::sort(numbered.begin(), numbered.end(), [&](size_t a, size_t b) {
    return std::pair(trace.events[a].sequence, a) < std::pair(trace.events[b].sequence, b);
  });

  std::vector<uint64_t> moments(trace.events.size());
  std::map<uint32_t, size_t> done;      // events of a thread that have their moment
  std::map<uint32_t, uint64_t> clocks;  // the thread's next moment
  const auto advance = [&](uint32_t thread, size_t last, uint64_t at_least) {
    const std::vector<size_t>& events = threads[thread];
    for (size_t& next = done[thread]; next < events.size(); ++next) {
      if (events[next] == last) clocks[thread] = std::max(clocks[thread], at_least);
      moments[events[next]] = clocks[thread]++;
      if (events[next] == last) {
        ++next;
        return;
      }
    }
  };
  uint64_t now = 0;
  for (const size_t place : numbered) {
    advance(trace.events[place].record.thread, place, now);
    now = std::max(now, moments[place] + 1);
  }
  for (const auto& [thread, events] : threads) advance(thread, SIZE_MAX, 0);
  return moments;
}

}  // namespace

std::vector<uint64_t> timeline(const Trace& trace) {
  if (trace.header.mode == Mode::kFree) return free_timeline(trace);
  std::vector<uint64_t> moments;
  for (size_t i = 0; i < trace.events.size(); ++i) moments.push_back(i);
  return moments;
}

}  // namespace heddle::trace
