// SPDX-License-Identifier: Apache-2.0
//
// What LearnExplorer knows, as bytes: the paths along which the program was run.
// Running it along them again shows all that was known. Which races were found
// is kept beside them.
#include "check/learn/learn_explorer.h"

namespace heddle::check {

using learn::Move;
using learn::Step;

bool LearnExplorer::save(CheckpointSections& sections) {
  if (other_) {
    sections.add([this](base::ByteWriter& out) {
      out.number(1);
      out.text(why_other_);
    });
    return other_->save(sections);
  }
  sections.add([this](base::ByteWriter& out) {
    out.number(0);
    save_paths(out);
  });
  return true;
}

void LearnExplorer::save_paths(base::ByteWriter& out) const {
  out.number(learned_);
  size_t at = 0;
  for (size_t run = 0; run < learned_; ++run) {
    out.number(runs_[run].last_is_missing);
    out.number(runs_[run].end - at);
    for (; at < runs_[run].end; ++at) {
      out.number(static_cast<uint64_t>(paths_[at].move));
      out.number(paths_[at].thread);
      out.number(paths_[at].choice);
    }
  }
  const bool has_races = races_ != nullptr;
  out.number(has_races ? races_->accesses().shown().size() : 0);
  if (!has_races) return;
  for (const auto& [lines, form] : races_->accesses().shown()) {
    out.number(lines.first);
    out.number(lines.second);
    out.number(static_cast<uint64_t>(form));
  }
}

void LearnExplorer::restore(base::ByteReader& in) {
  if (in.number()) {
    fall_back(in.text());
    other_->restore(in);
    return;
  }
  restored_ = in.count(2);
  for (size_t run = 0; run < restored_; ++run) {
    const bool last_is_missing = in.number() != 0;
    for (size_t left = in.count(3); left > 0; --left) {
      Step step;
      step.move = static_cast<Move>(in.number());
      step.thread = static_cast<uint8_t>(in.number());
      step.choice = static_cast<uint32_t>(in.number());
      paths_.push_back(step);
    }
    runs_.push_back({paths_.size(), last_is_missing});
  }
  for (size_t left = in.count(3); left > 0; --left) {
    const uint32_t low = static_cast<uint32_t>(in.number()), high = static_cast<uint32_t>(in.number());
    const auto form = static_cast<learn::RaceForm>(in.number());
    if (races_) races_->accesses().restore_shown({low, high}, form);
  }
}

}  // namespace heddle::check
