// SPDX-License-Identifier: Apache-2.0
#include "trace/stats.h"

#include <fmt/format.h>

#include <memory>
#include <unordered_set>

#include "trace/event_encoder.h"
#include "trace/format.h"
#include "trace/kinds.h"

namespace heddle::trace {
namespace {

// Encodes the events of each thread as a writer would.
uint64_t encoded_size(const Trace& trace) {
  std::vector<std::vector<const Event*>> threads(trace.threads.size());
  for (const Event& event : trace.events) {
    if (event.record.thread < threads.size()) threads[event.record.thread].push_back(&event);
  }
  auto encoder = std::make_unique<EventEncoder>();
  std::vector<unsigned char> buffer(kChunkTarget);
  uint64_t total = 0;
  for (const auto& events : threads) {
    encoder->begin(buffer.data(), buffer.size(), trace.header.mode == Mode::kFree);
    for (const Event* event : events) {
      if (encoder->append(event->record, event->sequence)) continue;
      total += encoder->size();
      encoder->begin(buffer.data(), buffer.size(), trace.header.mode == Mode::kFree);
      encoder->append(event->record, event->sequence);
    }
    total += encoder->size();
  }
  return total;
}

void count(const Event& event, Stats* stats, ThreadStats* thread) {
  const HeddleRecord& record = event.record;
  const KindInfo* info = find_kind(record.kind);
  const bool visible = is_visible(record);
  ++stats->events;
  ++thread->events;
  ++stats->by_kind[record.kind];
  stats->visible += visible;
  thread->visible += visible;
  if (!info) return;
  stats->accesses += info->family == Family::kMemory && info->has_address;
  stats->synchronisation += info->synchronises;
  thread->synchronisation += info->synchronises;
  thread->reads += read_memory(record);
  thread->writes += wrote_memory(record);
}

}  // namespace

double Stats::bytes_per_access() const {
  return accesses == 0 ? 0.0 : static_cast<double>(encoded_bytes) / static_cast<double>(accesses);
}

Stats collect_stats(const Trace& trace) {
  Stats stats;
  for (uint32_t i = 0; i < trace.threads.size(); ++i) {
    stats.by_thread.emplace_back();
    stats.by_thread.back().name = trace.thread_name(i);
  }
  std::unordered_set<uint64_t> addresses;
  std::unordered_set<uint32_t> sites;
  ThreadStats nobody;
  const Event* previous = nullptr;
  for (const Event& event : trace.events) {
    const uint32_t thread = event.record.thread;
    count(event, &stats, thread < stats.by_thread.size() ? &stats.by_thread[thread] : &nobody);
    if (read_memory(event.record) || wrote_memory(event.record)) addresses.insert(event.record.address);
    if (event.record.site != 0) sites.insert(event.record.site);
    stats.thread_switches += previous && previous->record.thread != thread;
    previous = &event;
  }
  if (trace.header.mode == Mode::kFree) stats.thread_switches = 0;
  stats.addresses = addresses.size();
  stats.sites = sites.size();
  stats.encoded_bytes = encoded_size(trace);
  return stats;
}

std::string stats_text(const Trace& trace, const Stats& stats) {
  const Header& header = trace.header;
  const bool free_running = header.mode == Mode::kFree;
  std::string text;
  const auto line = [&text](const char* name, const auto& value) { text += fmt::format("{:<18}{}\n", name, value); };
  line("program", header.program);
  line("module", header.module_hash);
  line("mode", free_running ? "free" : "controlled");
  line("memory model", header.memory_model);
  line("strategy", header.strategy);
  line("seed", header.seed);
  line("instrumentation", header.instrumentation_version);
  if (trace.complete) {
    const char* outcome = outcome_name(trace.ending.outcome);
    line("ending", fmt::format("{} {}{}{}", outcome ? outcome : "?", trace.ending.detail,
                               trace.ending.message.empty() ? "" : ": ", trace.ending.message));
  } else {
    line("ending", "none: the trace broke off" + (trace.damage.empty() ? "" : "; " + trace.damage));
  }
  line("events", fmt::format("{} ({} visible)", stats.events, stats.visible));
  line("memory accesses", fmt::format("{} to {} addresses", stats.accesses, stats.addresses));
  line("synchronisation", stats.synchronisation);
  if (!free_running) line("thread switches", stats.thread_switches);
  line("sites", fmt::format("{} of {}", stats.sites, trace.sites.empty() ? 0 : trace.sites.size() - 1));
  line("encoded", fmt::format("{} bytes, {:.2f} per access", stats.encoded_bytes, stats.bytes_per_access()));
  text +=
      fmt::format("\n{:<18}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "thread", "events", "visible", "reads", "writes", "sync");
  for (const ThreadStats& thread : stats.by_thread) {
    text += fmt::format("{:<18}{:>12}{:>12}{:>12}{:>12}{:>12}\n", thread.name, thread.events, thread.visible,
                        thread.reads, thread.writes, thread.synchronisation);
  }
  text += fmt::format("\n{:<18}{:>12}\n", "kind", "events");
  for (const auto& [kind, number] : stats.by_kind) text += fmt::format("{:<18}{:>12}\n", kind_name(kind), number);
  return text;
}

}  // namespace heddle::trace
