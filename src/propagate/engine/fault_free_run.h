// SPDX-License-Identifier: Apache-2.0
//
// The fault-free run as the host sees it: lanes with their names, and for every word
// of their streams which value of which instruction it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "propagate/engine/comparison_server.h"

namespace heddle::propagate {

// A value in a stream.
struct WordPlace {
  uint32_t segment = 0;
  uint32_t slot = 0;
};

class FaultFreeRun {
 public:
  // The server has learned, and nothing else since.
  FaultFreeRun(const build::ComparisonTarget& target, const ComparisonServer& server);
  // The server has adopted the run that `other` describes.
  FaultFreeRun(const build::ComparisonTarget& target, const ComparisonServer& server, const FaultFreeRun& other);

  const build::ComparisonTarget& target() const { return target_; }
  const ComparisonServer& server() const { return server_; }
  uint32_t lanes() const { return server_.channel().known_lanes; }
  uint64_t words(uint32_t lane) const { return server_.channel().known[lane].words; }
  uint64_t instructions() const { return instructions_; }  // values, of all lanes
  const Output& output() const { return output_; }
  // Neither to its standard output nor to a file: nothing can show that a result is wrong.
  bool writes_nothing() const;
  int exit_code() const { return exit_code_; }
  double seconds() const { return seconds_; }

  // Where the segments of a lane begin, in order.
  const std::vector<uint64_t>& headers(uint32_t lane) const { return headers_[lane]; }
  uint32_t segment_at(uint32_t lane, uint64_t header) const {
    return static_cast<uint32_t>(server_.stream(lane)[header] - 1);
  }
  uint64_t value(uint32_t lane, uint64_t word) const { return server_.stream(lane)[word]; }
  // A run that jumped to a wrong place may think that it is anywhere: HEDDLE_NO_WORD for what is no word of the lane.
  uint64_t plausible(uint32_t lane, uint64_t word) const {
    return lane < lanes() && word > words(lane) ? HEDDLE_NO_WORD : word;
  }
  // Nothing for headers and words beyond the end.
  std::optional<WordPlace> place(uint32_t lane, uint64_t word) const;

  // The how manieth value of its lane a word is; of a header: the next value.
  uint64_t instruction_number(uint32_t lane, uint64_t word) const;

  // "T0.1"; also for threads that only the last run has.
  std::string thread_name(uint32_t lane) const;
  const build::ComparedSlot& slot(WordPlace place) const {
    return target_.code.segments[place.segment].slots[place.slot];
  }
  std::string function(uint32_t segment) const;
  // "file.c:17:5".
  std::string source_place(const build::ComparedSlot& slot) const;

 private:
  void find_headers();

  const build::ComparisonTarget& target_;
  const ComparisonServer& server_;
  std::vector<std::vector<uint64_t>> headers_;
  Output output_;
  int exit_code_ = 0;
  uint64_t instructions_ = 0;
  double seconds_ = 0;
};

}  // namespace heddle::propagate
