// SPDX-License-Identifier: Apache-2.0
//
// Which pairs of accesses of a window are worth asking about? Conflicting ones
// of different threads that no lock and no order that always holds keeps apart.
// What is left out here is left out for a reason that holds in every order in
// which reads keep their values:
//
//   locks         both hold a lock, at least one of them alone
//   forced order  what must come before what (forced_order.h); a read that only one
//                 write of the window can have served comes after that write
//
// Accesses are compared in classes (of one thread, place and lock set), so that
// many accesses of the same kind cost little.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "causal/execution.h"
#include "predict/carried_state.h"
#include "predict/forced_order.h"
#include "trace/trace.h"

namespace heddle::predict {

using CandidatePair = std::pair<causal::EventId, causal::EventId>;  // in the trace's numbers

// kNothing: reads may find other values, so that what they found orders nothing.
enum class ReadsKeep { kValues, kNothing };

class CandidateFinder {
 public:
  // `is_open`: are races of these two places still looked for?
  using IsOpen = std::function<bool(const HeddleRecord&, const HeddleRecord&)>;
  CandidateFinder(const trace::Trace& trace, IsOpen is_open, ReadsKeep reads_keep = ReadsKeep::kValues)
      : trace_(trace), is_open_(std::move(is_open)), reads_keep_(reads_keep), order_(trace) {}

  // Of events [begin, end); `state` is that before `begin`. At most
  // `most_of_a_place` for each pair of sites. The answer is good until the next call.
  const std::vector<CandidatePair>& find(size_t begin, size_t end, const CarriedState& state, size_t most_of_a_place);

  // So many pairs were left out for their number alone, in all.
  uint64_t left_out() const { return left_out_; }

 private:
  struct Access {
    uint64_t word;
    uint32_t place;  // in the trace, from the beginning of the window
  };
  struct Group {  // accesses to one word, in their order
    size_t begin, end;
    bool is_contested;  // two threads, a write, one that is not atomic
  };
  const HeddleRecord& record(uint32_t place) const { return trace_.events[begin_ + place].record; }
  void collect_groups(size_t end);
  void collect_servers(const Group& group, const CarriedState& state);
  void compare(const Group& group, size_t most_of_a_place);
  void compare_classes(std::span<const uint32_t> one, std::span<const uint32_t> other, size_t most_of_a_place);

  const trace::Trace& trace_;
  const IsOpen is_open_;
  const ReadsKeep reads_keep_;
  size_t begin_ = 0;
  std::vector<Access> accesses_;
  std::vector<Group> groups_;
  ForcedOrder order_;
  std::vector<uint32_t> servers_;  // by place: that of the only write that can have served the read
  std::map<std::pair<uint32_t, uint32_t>, size_t> taken_;  // by sites
  std::vector<CandidatePair> pairs_;
  uint64_t left_out_ = 0;
};

}  // namespace heddle::predict
