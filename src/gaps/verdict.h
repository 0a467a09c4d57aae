// SPDX-License-Identifier: Apache-2.0
//
// The verdict of an exploration. It is computed in one place from what was found
// and what is missing, so "holds" cannot be said of an exploration with gaps.
#pragma once

#include "gaps/gap.h"

namespace heddle::gaps {

class Verdict {
 public:
  enum Kind { kHolds, kViolated, kUndecided };

  Verdict() = default;
  // `violated`: a confirmed finding counts. Gaps beside it do not take it back.
  static Verdict from(bool violated, const Gaps& gaps) {
    return Verdict(violated ? kViolated : gaps.empty() ? kHolds : kUndecided);
  }
  // NOLINTNEXTLINE(google-explicit-constructor): to compare and switch over
  operator Kind() const { return kind_; }

 private:
  explicit Verdict(Kind kind) : kind_(kind) {}
  Kind kind_ = kUndecided;
};

}  // namespace heddle::gaps
