// SPDX-License-Identifier: Apache-2.0
//
// What orders the events of a run: the synchronisation of each thread, where
// threads wait for each other in every run (creation, join, barrier, one-time
// initialisation), and the sections of locks that exclude each other.
//
// Built event by event, in an order of the run, together with the clocks. A
// lock is known by its object and place, not by its address alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "propagate/reversibility/lifetimes.h"
#include "propagate/reversibility/must_clocks.h"
#include "trace/trace.h"

namespace heddle::propagate {

using Node = uint32_t;
inline constexpr uint32_t kNone = ~0u;

struct SyncNode {
  uint32_t event = 0;
  uint32_t thread = 0;
  uint32_t publishes = kNone;  // numbers of channels
  uint32_t acquires = kNone;
  Node previous = kNone;  // in its thread
};

// All that is published comes before all that is acquired.
struct Channel {
  std::vector<Node> published, acquired;
  MustClocks::Clock clock;
};

struct LockSection {
  Node acquire = kNone;
  Node release = kNone;  // kNone: held to the end
  bool is_shared = false;
};

class SyncGraph {
 public:
  // Names what a synchronisation address means to a thread at this time.
  using Namer = std::function<ObjectNumber(uint64_t address, uint32_t thread)>;

  SyncGraph(const trace::Trace& trace, MustClocks& clocks, Namer object_at);

  // The next event of the run.
  void visit(uint32_t event);
  // After the last event.
  void finish();

  // Why no answer can be given; empty if one can.
  const std::set<std::string>& unmodelled() const { return unmodelled_; }
  // Where the trace contradicts itself; empty if it does not.
  const std::string& problem() const { return problem_; }

  const std::vector<SyncNode>& nodes() const { return nodes_; }  // in the order of the run
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<std::vector<LockSection>>& locks() const { return locks_; }
  // In the thread of `event`; kNone if there is none. The nodes up to and from
  // the event count the event itself, if it is one.
  Node node_before(uint32_t event) const;
  Node node_up_to(uint32_t event) const;
  Node node_from(uint32_t event) const;

 private:
  using Name = std::pair<ObjectNumber, uint64_t>;  // and address
  struct Held {
    uint32_t lock;
    uint32_t section;
    uint32_t depth;
  };
  struct Barrier {
    std::map<uint32_t, uint32_t> arrived, left;  // by thread: how often
    std::vector<uint32_t> rounds;                // channels
    uint32_t serial = 0;
    bool is_mixed = false;  // somebody arrives for a round that others have left
  };
  struct Once {
    uint32_t channel = kNone;
    bool entered = false;
    Moment last_entry;
  };

  Node add_node(uint32_t event);
  void publish(Node node, uint32_t channel);
  void acquire(Node node, uint32_t channel);
  uint32_t new_channel();
  void refuse(const HeddleRecord& record, const std::string& what);
  Name name_of(const HeddleRecord& record, uint64_t address);

  void visit_thread(uint32_t event, const HeddleRecord& record);
  void visit_join(uint32_t event, const HeddleRecord& record);
  void visit_exit(const HeddleRecord& record);
  void visit_unseen(const HeddleRecord& record);
  bool has_ended_before(uint32_t thread, uint32_t other) const;
  void visit_lock(uint32_t event, const HeddleRecord& record);
  void visit_condition(uint32_t event, const HeddleRecord& record);
  void visit_semaphore(const HeddleRecord& record);
  void visit_barrier(uint32_t event, const HeddleRecord& record);
  void visit_once(uint32_t event, const HeddleRecord& record);
  void take(uint32_t event, const HeddleRecord& record, uint64_t lock, bool is_shared);
  void give_up(uint32_t event, const HeddleRecord& record, uint64_t lock);

  const trace::Trace& trace_;
  MustClocks& clocks_;
  Namer object_at_;
  std::vector<SyncNode> nodes_;
  std::vector<Channel> channels_;
  std::vector<std::vector<LockSection>> locks_;
  std::vector<std::vector<Node>> by_thread_;
  std::vector<uint32_t> started_, ended_;       // channels, by thread
  std::vector<std::map<uint64_t, Held>> held_;  // by thread and address
  std::map<Name, uint32_t> lock_numbers_;
  std::map<uint32_t, std::set<uint32_t>> tried_, lock_users_;  // by lock: threads
  std::map<Name, Barrier> barriers_;
  std::map<Name, Once> onces_;
  std::set<std::string> unmodelled_;
  std::string problem_;
};

}  // namespace heddle::propagate
