// SPDX-License-Identifier: Apache-2.0
//
// Learns from an execution, and holds it against what is known: it is followed
// step by step on the machine. Each operation must be the one that its thread's
// automaton has at this point, must be possible, and must come to the result
// that the machine predicts; what nobody had seen is added. A difference means
// that the program depends on something that the machine does not have.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causal/execution.h"
#include "check/learn/footprints.h"
#include "check/learn/machine.h"
#include "property/plan.h"

namespace heddle::check::learn {

struct Mismatch {
  enum class Kind : uint8_t {
    kDifference,   // the program did something else than predicted
    kUnsupported,  // something that the machine does not have
  };
  Kind kind;
  std::string text;  // what the machine does not have; of a difference: for notes
  // Of a difference.
  struct Event {
    std::string what;   // "store of 5"
    uint32_t site = 0;  // 0: not known
  };
  ThreadId thread = 0;
  uint32_t index = 0;  // of the operation, in its thread
  Event expected = {}, happened = {};
  std::string cause = {};  // the likely one
};

class ExecutionReader {
 public:
  ExecutionReader(Model& model, const Machine& machine, Footprints& footprints)
      : model_(model), machine_(machine), footprints_(footprints) {}

  // `plan`: what the execution followed first. Nothing: it fits.
  std::optional<Mismatch> read(const causal::Execution& execution, const std::vector<property::PlannedStep>& plan);

  const State& end() const { return state_; }  // of the execution read last
  // The execution read last corrected something that states explored before relied on.
  bool corrects() const { return corrects_; }
  // How many histories were found to be like another one.
  uint64_t merged() const { return merged_; }
  // Some allocation was seen to return different addresses.
  bool has_seen_reuse() const { return has_seen_reuse_; }
  // Of the execution read last: the points where a thread did its operations, and what these came to; and all steps.
  struct Followed {
    PointId point;
    Result result;
  };
  const std::vector<Followed>& followed(ThreadId thread) const { return progress_[thread].path; }
  const std::vector<Step>& path() const { return path_; }
  // Several threads were seen to touch the word of this slot.
  bool is_shared(uint32_t slot) const { return slot < uses_.size() && uses_[slot].is_shared; }

 private:
  struct Progress {
    std::vector<Followed> path;    // by index of the operation
    std::vector<uint32_t> stores;  // indices of those in the buffer
  };

  bool follow(const causal::Happening& happening);
  bool follow_flush(const causal::Happening& happening);
  bool follow_operation(const HeddleRecord& record);
  void follow_queue(const HeddleRecord& record, uint32_t object, const Step& step);
  bool note_operation(PointId id, const HeddleRecord& record);
  void note_places(PointId id, const HeddleRecord& record);
  void note_object(Point& point);
  uint64_t known_type(const HeddleRecord& waiting) const;
  void note_fates();
  void note_fate(PointId id);
  void note_contested(PointId id);
  void note_initial(uint64_t address, uint32_t size);
  void note_initial();
  void note_locals();
  void note_user(uint32_t slot, ThreadId thread);
  // note_heap.cpp
  void note_heap();
  void note_region(HeapBlocks::Region& region);
  void note_block(PointId id, const HeddleRecord& record);
  void note_objects(const Point& point);
  bool note_allocation(PointId id, const HeddleRecord& record);
  // What a thread is like before an operation.
  struct Alike {
    ThreadId thread;
    uint32_t index;
    uint8_t kind, size;
    uint32_t site;
    uint64_t address, low, high;
    auto operator<=>(const Alike&) const = default;
  };
  PointId alike(const HeddleRecord& record, std::optional<Alike>& key) const;
  uint32_t note_deaths(const HeddleRecord& record);
  void note_arrival(PointId id, const HeddleRecord& record, const Edge& edge);
  void note_looks(PointId id, causal::EventId event);
  void note_waiting();
  Step step_of(const HeddleRecord& record);
  Result result_of(const HeddleRecord& record, const Point& point) const;
  void know_thread(ThreadId thread);
  bool differ(const HeddleRecord& record, Mismatch::Event expected, std::string happened = {});  // differences.cpp
  static Mismatch::Event known_operation(const Point& point);
  bool differ_in_value(const HeddleRecord& record, const std::string& what, uint64_t expected, uint64_t happened);
  std::string likely_cause(const HeddleRecord& record, bool only_value_differs) const;
  bool refuse(const std::string& text);

  Model& model_;
  const Machine& machine_;
  Footprints& footprints_;
  struct WordUse {
    ThreadId thread = 0;
    bool is_used = false, is_shared = false;
  };
  std::vector<WordUse> uses_;  // by slot of a word
  std::map<Alike, PointId> alike_;
  uint64_t merged_ = 0;
  std::map<uint64_t, uint64_t> types_;  // of locks, by object_key
  // Who joins or detaches a thread: only the first one may.
  struct Fate {
    ThreadId first;
    bool is_contested;
    std::vector<PointId> points;
  };
  std::map<ThreadId, Fate> fates_;
  std::map<std::string, uint32_t> names_;  // of observations: 1 + number
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> observations_;

  const causal::Execution* execution_ = nullptr;
  State state_;
  std::vector<Progress> progress_;  // by thread
  std::vector<Step> path_;
  std::map<causal::EventId, ThreadId> woken_by_plan_;
  std::map<uint32_t, std::deque<ThreadId>> queues_;  // by slot of a futex word
  std::optional<Mismatch> mismatch_;
  bool corrects_ = false;
  bool has_seen_reuse_ = false;
};

}  // namespace heddle::check::learn
