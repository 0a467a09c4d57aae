// SPDX-License-Identifier: Apache-2.0
//
// What threads do on their own. Where a thread has come to, it often does the same again:
// it takes a row of steps that concern nobody (footprints.h), whatever the others have done.
// Such a *stretch* is walked once and remembered: where it begins (the thread's point and
// its store buffer), what it finds in the state, what it changes, and what it touches.
// Where a thread comes to the same beginning, finds the same, and touches nothing that others
// may still touch, it is taken at once.
//
//   begins at point 7, finds x = 3, y = 0: point 12, y = 4        (load x, store y, load y, ...)
//
// That is the same as taking its steps one by one, each of them alone. Only accesses to
// memory, fences and stores that leave the buffer are part of stretches; what they find is in
// their words, in whether their block was released, and in the buffer. Allocations and releases are
// not: they look at more.
#pragma once

#include <cstdint>
#include <vector>

#include "check/learn/footprints.h"
#include "check/learn/machine.h"

namespace heddle::check::learn {

class Stretches {
 public:
  Stretches(const Model& model, const Machine& machine, Footprints& footprints)
      : model_(model), machine_(machine), footprints_(footprints) {}

  // Takes the thread, whose step led to the state, as far as is remembered. The steps go to the end of `path`, and what
  // is asleep then to `asleep`.
  void repeat(State& state, ThreadId thread, std::vector<Step>& path, StepMask& asleep) {
    if (version_ != footprints_.version()) [[unlikely]]
      forget();
    if (first_at(machine_.point_of(state, thread))) repeat_known(state, thread, path, asleep);
  }

  // From here on, the steps of this thread may be a stretch.
  void begin(const State& state, ThreadId thread);
  // The step, possible in the state, is about to be taken, and nothing else need be.
  void note(const State& state, const Step& step) {
    if (is_noting_) note_step(state, step);
  }
  // There is no such step any more.
  void end(const State& state) {
    if (is_noting_) keep(state);
  }
  // What was noted since begin() is of no use.
  void drop() { is_noting_ = false; }
  bool is_noting() const { return is_noting_; }
  uint64_t bytes() const {
    return stretches_.size() * sizeof(Stretch) + words_.size() * sizeof(Word) + steps_.size() * sizeof(Step) +
           beginnings_.size() * sizeof(Beginning);
  }

 private:
  struct Word {
    uint32_t slot, word;
  };
  // Those that begin at one point.
  struct Beginning {
    uint32_t first : 24 = 0;  // in stretches_; 0: none
    uint32_t tries : 8 = 0;   // how often one was noted there
    uint32_t round = 0;       // when that was so
  };
  struct Stretch {
    Footprints::Passed passed;
    uint32_t buffer;                 // where it begins, beside the point
    uint32_t other;                  // another one that begins at the same point; 0: none
    uint32_t found, changed, end;    // in words_: what it finds, what it changes
    uint32_t steps, end_of_steps;    // in steps_
    uint32_t deaths, end_of_deaths;  // in deaths_
  };
  static constexpr uint8_t kMostTries = 8;  // then what happens there differs too often
  static constexpr size_t kMostSteps = 64;
  static constexpr size_t kMost = size_t{1} << 23;
  static constexpr size_t kFewestSteps = 2;  // one step is as fast by itself

  void forget();
  uint32_t first_at(PointId point) const { return beginnings_[point].round == round_ ? beginnings_[point].first : 0; }
  uint32_t find(const State& state, ThreadId thread, StepMask asleep);
  bool fits(const State& state, ThreadId thread, const Stretch& stretch) const;
  void note_memory(const Point& point);
  void note_found(uint32_t slot);
  void note_deaths(const Point& point);
  void repeat_known(State& state, ThreadId thread, std::vector<Step>& path, StepMask& asleep);
  void note_step(const State& state, const Step& step);
  void keep(const State& state);
  bool keep_changes(const State& state);

  const Model& model_;
  const Machine& machine_;
  Footprints& footprints_;
  uint64_t version_ = 0;               // of what footprints_ knows
  std::vector<Beginning> beginnings_;  // by point
  uint32_t round_ = 0;                 // grows when all is forgotten
  std::vector<Stretch> stretches_ = std::vector<Stretch>(1);
  std::vector<Word> words_;
  std::vector<Step> steps_;
  std::vector<Range> deaths_;  // of locals that others were seen to touch

  // What is being noted.
  bool is_noting_ = false;
  ThreadId thread_ = 0;
  PointId point_ = 0;
  State::Mark mark_ = 0;
  Stretch noted_ = {};
  std::vector<uint32_t> found_;  // slots
};

}  // namespace heddle::check::learn
