// SPDX-License-Identifier: Apache-2.0
//
// A failure that the program itself does not notice, in the words of its user:
//
//   count < 0 at buffer.c:31       reading count there gave less than 0
//
// A variable as the source calls it, a comparison with a number, a place. It has
// happened in a run in which some thread read that value there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "solve/terms.h"
#include "trace/trace.h"

namespace heddle::reproduce {

class BugCondition {
 public:
  static base::Result<BugCondition> parse(const std::string& text);

  const std::string& text() const { return text_; }
  // The site reads the variable there.
  bool is_there(const trace::Site& site) const;
  // A read that happened found such a value.
  bool happened(const HeddleRecord& record, const std::vector<trace::Site>& sites) const;
  // The same of a value that is not known yet.
  solve::Term holds(solve::Terms& terms, solve::Term read, uint32_t bytes) const;

 private:
  enum class Comparison : uint8_t { kEqual, kDiffers, kLess, kAtMost, kMore, kAtLeast };
  std::string text_, variable_, file_;
  uint32_t line_ = 0;
  Comparison comparison_ = Comparison::kEqual;
  int64_t value_ = 0;
};

}  // namespace heddle::reproduce
