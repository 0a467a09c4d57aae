// SPDX-License-Identifier: Apache-2.0
//
// The steps of an execution with what comes before what because of dependences
// (happens-before), and the races in it: pairs of dependent steps that nothing
// else orders, so that the later might have come first. Dynamic partial order
// reduction (Flanagan and Godefroid) turns each race round.
//
// A step comes after the last step of its process, after every earlier step that
// it depends on, and after the step that made it possible. The last follows from
// what the execution says could happen at each point, so no rule about locks,
// signals or store buffers is needed here.
#pragma once

#include <cstdint>
#include <vector>

#include "check/footprint.h"
#include "check/run_points.h"

namespace heddle::check {

// A set of positions.
class Positions {
 public:
  bool has(size_t position) const {
    return position / 64 < words_.size() && (words_[position / 64] >> (position % 64) & 1);
  }
  void add(size_t position);
  void add(const Positions& others);

 private:
  std::vector<uint64_t> words_;
};

class CausalStack {
 public:
  // kNearest leaves out races that are found anyway once a nearer one was turned
  // round; that an exploration with a bound might not get so far needs kAll.
  enum class Races { kNearest, kAll };
  explicit CausalStack(Races wanted) : wanted_(wanted) {}

  size_t size() const { return steps_.size(); }
  const Footprint& footprint(size_t position) const { return steps_[position].footprint; }
  void cut(size_t size) { steps_.resize(size); }

  // One more step; the races in which it is the later are then known. `point`
  // says what could happen at its place.
  void push(const RunPoint& point, Footprint footprint);
  // The earlier steps of those races, latest first.
  const std::vector<size_t>& races() const { return races_; }
  // Races of a step that was not taken: its thread waits for it at the end.
  std::vector<size_t> races_of(const Footprint& waiting) const;

  // To turn a race round, the steps after the earlier one that do not depend on
  // it come first, then the later one. Which of them, by position, can be the
  // first of all? `later` is the last step, or size() for one that was not taken.
  std::vector<size_t> firsts(size_t earlier, size_t later, const Footprint& footprint) const;

 private:
  struct Step {
    Footprint footprint;
    std::vector<Process> possible;
    Positions before;  // and the step itself
  };
  struct Past {
    Positions certain;  // before it, whatever is turned round
    Positions all;
  };
  bool allows(size_t position, Process process) const;
  Past past_of(const Footprint& footprint) const;
  std::vector<size_t> races(const Footprint& footprint, const Positions& certain) const;

  const Races wanted_;
  std::vector<Step> steps_;
  std::vector<size_t> races_;
};

}  // namespace heddle::check
