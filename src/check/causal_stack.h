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

#include <memory>
#include <vector>

#include "check/footprint.h"
#include "check/run_points.h"
#include "schedule/memory_model.h"

namespace heddle::check {

class CausalStack {
 public:
  // kNearest leaves out races that are found anyway once a nearer one was turned
  // round; that an exploration with a bound might not get so far needs kAll.
  enum class Races { kNearest, kAll };
  static std::unique_ptr<CausalStack> make(Races wanted, schedule::MemoryModel memory);
  virtual ~CausalStack() = default;

  virtual size_t size() const = 0;
  virtual const Footprint& footprint(size_t position) const = 0;
  virtual void cut(size_t size) = 0;

  // One more step; the races in which it is the later are then known. `point`
  // says what could happen at its place.
  virtual void push(const RunPoint& point, Footprint footprint) = 0;
  // The earlier steps of those races, latest first.
  virtual const std::vector<size_t>& races() const = 0;
  // Races of a step that was not taken: its thread waits for it at the end.
  virtual std::vector<size_t> races_of(const Footprint& waiting) const = 0;

  // To turn a race round, the steps after the earlier one that do not depend on
  // it come first, then the later one. Which of them, by position, can be the
  // first of all? `later` is the last step, or size() for one that was not taken.
  virtual std::vector<size_t> firsts(size_t earlier, size_t later, const Footprint& footprint) const = 0;
};

}  // namespace heddle::check
