// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/sync_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/meaning.h"
#include "trace/kinds.h"
#include "trace/text.h"

namespace heddle::propagate {

SyncGraph::SyncGraph(const trace::Trace& trace, MustClocks& clocks, Namer object_at)
    : trace_(trace),
      clocks_(clocks),
      object_at_(std::move(object_at)),
      by_thread_(trace.threads.size()),
      started_(trace.threads.size(), kNone),
      ended_(trace.threads.size(), kNone),
      held_(trace.threads.size()) {
  for (const trace::Thread& thread : trace.threads) {
    if (thread.parent == HEDDLE_NO_THREAD || thread.child_number < HEDDLE_UNCREATED_CHILD) continue;
    unmodelled_.insert(thread.child_number < HEDDLE_FOREIGN_CHILD
                           ? "a signal handler interrupts a thread: when it does is not fixed"
                           : "code without bitcode starts threads of its own");
  }
}

void SyncGraph::refuse(const HeddleRecord& record, const std::string& what) {
  unmodelled_.insert(fmt::format("{} ({})", what, trace::site_text(trace_, record.site)));
}

SyncGraph::Name SyncGraph::name_of(const HeddleRecord& record, uint64_t address) {
  const ObjectNumber object = object_at_(address, record.thread);
  if (object == kUnclear) refuse(record, "a thread came to a lock or barrier by a way that orders nothing");
  return {object, address};
}

Node SyncGraph::add_node(uint32_t event) {
  const auto node = static_cast<Node>(nodes_.size());
  const uint32_t thread = trace_.events[event].record.thread;
  auto& own = by_thread_[thread];
  nodes_.push_back({.event = event, .thread = thread, .previous = own.empty() ? kNone : own.back()});
  own.push_back(node);
  return node;
}

Node SyncGraph::node_from(uint32_t event) const {
  const auto& own = by_thread_[trace_.events[event].record.thread];
  const auto at = std::lower_bound(own.begin(), own.end(), event,
                                   [&](Node node, uint32_t wanted) { return nodes_[node].event < wanted; });
  return at == own.end() ? kNone : *at;
}

Node SyncGraph::node_before(uint32_t event) const {
  const auto& own = by_thread_[trace_.events[event].record.thread];
  const Node from = node_from(event);
  if (from != kNone) return nodes_[from].previous;
  return own.empty() ? kNone : own.back();
}

Node SyncGraph::node_up_to(uint32_t event) const {
  const Node from = node_from(event);
  return from != kNone && nodes_[from].event == event ? from : node_before(event);
}

uint32_t SyncGraph::new_channel() {
  channels_.emplace_back();
  return static_cast<uint32_t>(channels_.size() - 1);
}

void SyncGraph::publish(Node node, uint32_t channel) {
  Channel& to = channels_[channel];
  if (!to.acquired.empty() && problem_.empty()) {
    problem_ = fmt::format("{} lets others go on that have already gone on",
                           trace::event_text(trace_, trace_.events[nodes_[node].event]));
  }
  nodes_[node].publishes = channel;
  to.published.push_back(node);
  clocks_.publish(nodes_[node].thread, &to.clock);
}

void SyncGraph::acquire(Node node, uint32_t channel) {
  nodes_[node].acquires = channel;
  channels_[channel].acquired.push_back(node);
  clocks_.acquire(nodes_[node].thread, channels_[channel].clock);
}

void SyncGraph::visit(uint32_t event) {
  const HeddleRecord& record = trace_.events[event].record;
  switch (semantics::family_of(record)) {
    case HEDDLE_FAMILY_THREAD: return visit_thread(event, record);
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK: return visit_lock(event, record);
    case HEDDLE_FAMILY_CONDITION: return visit_condition(event, record);
    case HEDDLE_FAMILY_BARRIER: return visit_barrier(event, record);
    case HEDDLE_FAMILY_SEMAPHORE: return visit_semaphore(record);
    case HEDDLE_FAMILY_ONCE: return visit_once(event, record);
    case HEDDLE_FAMILY_WORD:
      if (record.flags & HEDDLE_FLAG_TIMEOUT)
        refuse(record, "a timed wait for a word: whether it runs out is not fixed");
      return;
    case HEDDLE_FAMILY_SIGNAL: return refuse(record, "threads send each other signals");
    default: break;
  }
  switch (record.kind) {
    case HEDDLE_EXIT: return visit_exit(record);
    case HEDDLE_DESCRIPTOR_READ:
    case HEDDLE_DESCRIPTOR_POLL:
    case HEDDLE_DESCRIPTOR_ACCEPT:
      return refuse(record, "a thread waits for a descriptor: what comes, and when, is not fixed");
    case HEDDLE_UNTRACKED: return visit_unseen(record);
    default: return;
  }
}

void SyncGraph::visit_thread(uint32_t event, const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  if (effect == HEDDLE_EFFECT_JOIN) return visit_join(event, record);
  if (effect == HEDDLE_EFFECT_CANCEL) return refuse(record, "a thread is cancelled: where it stops is not fixed");
  if (effect == HEDDLE_EFFECT_DETACH) return;
  if (effect == HEDDLE_EFFECT_CREATE) {
    if (!trace::succeeded(record) || record.value >= trace_.threads.size()) {
      return refuse(record, "a thread could not be created");
    }
    const Node node = add_node(event);
    started_[record.value] = new_channel();
    return publish(node, started_[record.value]);
  }
  const Node node = add_node(event);
  if (effect == HEDDLE_EFFECT_END) {
    ended_[record.thread] = new_channel();
    return publish(node, ended_[record.thread]);
  }
  if (started_[record.thread] != kNone) return acquire(node, started_[record.thread]);
  if (trace_.threads[record.thread].child_number < HEDDLE_UNCREATED_CHILD && problem_.empty()) {
    problem_ = fmt::format("{} starts before it is created", trace_.thread_name(record.thread));
  }
}

void SyncGraph::visit_join(uint32_t event, const HeddleRecord& record) {
  if (!trace::succeeded(record)) return refuse(record, "a join that gives up: whether it does is not fixed");
  if (record.value >= trace_.threads.size() || ended_[record.value] == kNone) {
    if (problem_.empty())
      problem_ = fmt::format("{} joins a thread that has not ended", trace_.thread_name(record.thread));
    return;
  }
  acquire(add_node(event), ended_[record.value]);
}

// A thread that still runs is cut off, and how far it comes depends on the run.
void SyncGraph::visit_exit(const HeddleRecord& record) {
  for (uint32_t thread = 0; thread < trace_.threads.size(); ++thread) {
    if (thread == record.thread || trace_.threads[thread].child_number >= HEDDLE_UNCREATED_CHILD) continue;
    const bool created = thread == 0 || started_[thread] != kNone;
    if (!created || !has_ended_before(thread, record.thread)) {
      refuse(record, fmt::format("nothing makes the end of the program wait for {}: how far it comes is not fixed",
                                 trace_.thread_name(thread)));
    }
  }
}

// A function without bitcode ran, or left traces: what it touches nobody knows,
// which does not matter while its thread is alone.
void SyncGraph::visit_unseen(const HeddleRecord& record) {
  for (uint32_t thread = 0; thread < trace_.threads.size(); ++thread) {
    const bool runs = thread == 0 || started_[thread] != kNone;
    if (thread == record.thread || !runs || has_ended_before(thread, record.thread)) continue;
    return refuse(record, "code without bitcode may touch memory that other threads use");
  }
}

bool SyncGraph::has_ended_before(uint32_t thread, uint32_t other) const {
  return ended_[thread] != kNone && clocks_.before({thread, clocks_.now(thread).time - 1}, other);
}

void SyncGraph::visit_semaphore(const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  if (effect == HEDDLE_EFFECT_INSPECT) return refuse(record, "sem_getvalue: what it finds is not fixed");
  if (effect != HEDDLE_EFFECT_TAKE) return;
  if (semantics::form_of(record) == HEDDLE_FORM_ATTEMPT)
    return refuse(record, "sem_trywait: whether it succeeds is not fixed");
  if (semantics::form_of(record) == HEDDLE_FORM_TIMED)
    refuse(record, "a timed wait for a semaphore: whether it runs out is not fixed");
}

void SyncGraph::visit_barrier(uint32_t event, const HeddleRecord& record) {
  if (semantics::changes_life(record.kind)) return;
  Barrier& barrier = barriers_[name_of(record, record.address)];
  const bool arrives = semantics::effect_of(record) == HEDDLE_EFFECT_ARRIVE;
  const uint32_t round = (arrives ? barrier.arrived : barrier.left)[record.thread]++;
  const Node node = add_node(event);
  if (!arrives && round >= barrier.rounds.size()) {
    if (problem_.empty())
      problem_ = fmt::format("{} leaves a barrier where nobody arrived", trace_.thread_name(record.thread));
    return;
  }
  if (round == barrier.rounds.size()) barrier.rounds.push_back(new_channel());
  if (arrives) {
    barrier.is_mixed |= !channels_[barrier.rounds[round]].acquired.empty();
    if (!barrier.is_mixed) publish(node, barrier.rounds[round]);
    return;
  }
  barrier.serial += (record.flags & HEDDLE_FLAG_SERIAL) != 0;
  acquire(node, barrier.rounds[round]);
}

// Who comes first runs it, so that must be the same thread in every run.
void SyncGraph::visit_once(uint32_t event, const HeddleRecord& record) {
  Once& once = onces_[name_of(record, record.address)];
  const Node node = add_node(event);
  if (semantics::effect_of(record) == HEDDLE_EFFECT_INIT) {
    refuse(record, "the flag of a one-time initialisation is initialised anew");
    return;
  }
  if (semantics::effect_of(record) == HEDDLE_EFFECT_FINISH) {
    if (record.flags & HEDDLE_FLAG_FAILED) return;
    once.channel = new_channel();
    return publish(node, once.channel);
  }
  if (once.entered && !clocks_.before(once.last_entry, record.thread)) {
    refuse(record, "which thread runs a one-time initialisation is not fixed");
  }
  if (!once.entered || record.value) once.last_entry = clocks_.now(record.thread);
  once.entered = true;
  if (!record.value && once.channel != kNone) acquire(node, once.channel);
}

void SyncGraph::finish() {
  for (const auto& [name, barrier] : barriers_) {
    const size_t completed = barrier.serial;
    bool same = !barrier.is_mixed;
    for (const auto& [thread, times] : barrier.arrived) {
      const auto left = barrier.left.find(thread);
      const size_t leaves = left == barrier.left.end() ? 0 : left->second;
      same &= leaves == completed && times <= completed + 1;
    }
    if (!same) unmodelled_.insert("a barrier that more threads use than it waits for: who meets whom is not fixed");
  }
  for (const auto& [lock, threads] : tried_) {
    if (lock_users_[lock].size() > 1) {
      unmodelled_.insert(
          "a lock is only tried, or for some time, that other threads take: whether it succeeds is not fixed");
    }
  }
}

}  // namespace heddle::propagate
