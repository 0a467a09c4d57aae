// SPDX-License-Identifier: Apache-2.0
#include "reproduce/bug_condition.h"

#include <charconv>
#include <regex>

namespace heddle::reproduce {
namespace {

int64_t signed_value(uint64_t value, uint32_t bytes) {
  const unsigned shift = bytes < 8 ? 64 - 8 * bytes : 0;
  return static_cast<int64_t>(value << shift) >> shift;
}

}  // namespace

base::Result<BugCondition> BugCondition::parse(const std::string& text) {
  static const std::regex form(R"(\s*([^\s=!<>]+)\s*(==|!=|<=|>=|<|>)\s*(-?[0-9]+)\s+at\s+(.+):([0-9]+)\s*)");
  const base::Error unusable{"not a condition: " + text,
                             "say VARIABLE == NUMBER at FILE:LINE, with == != < <= > or >="};
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return unusable;
  const auto number = [](const std::string& digits, auto& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  BugCondition result;
  result.text_ = text;
  result.variable_ = parts[1];
  const std::string comparison = parts[2];
  result.comparison_ = comparison == "=="   ? Comparison::kEqual
                       : comparison == "!=" ? Comparison::kDiffers
                       : comparison == "<"  ? Comparison::kLess
                       : comparison == "<=" ? Comparison::kAtMost
                       : comparison == ">"  ? Comparison::kMore
                                            : Comparison::kAtLeast;
  result.file_ = parts[4];
  if (!number(parts[3], result.value_) || !number(parts[5], result.line_)) return unusable;
  return result;
}

bool BugCondition::is_there(const trace::Site& site) const {
  const bool same_file = site.file == file_ || site.file.ends_with("/" + file_);
  return site.line == line_ && same_file && site.variable == variable_;
}

bool BugCondition::happened(const HeddleRecord& record, const std::vector<trace::Site>& sites) const {
  if (record.kind != HEDDLE_LOAD || record.size == 0 || record.size > 8 || record.site >= sites.size() ||
      !is_there(sites[record.site]))
    return false;
  const int64_t found = signed_value(record.value, record.size);
  switch (comparison_) {
    case Comparison::kEqual: return found == value_;
    case Comparison::kDiffers: return found != value_;
    case Comparison::kLess: return found < value_;
    case Comparison::kAtMost: return found <= value_;
    case Comparison::kMore: return found > value_;
    case Comparison::kAtLeast: return found >= value_;
  }
  return false;
}

solve::Term BugCondition::holds(solve::Terms& terms, solve::Term read, uint32_t bytes) const {
  const solve::Term value = terms.constant(8 * bytes, static_cast<uint64_t>(value_));
  switch (comparison_) {
    case Comparison::kEqual: return terms.eq(read, value);
    case Comparison::kDiffers: return terms.complement(terms.eq(read, value));
    case Comparison::kLess: return terms.apply(solve::Op::kSlt, read, value);
    case Comparison::kAtMost: return terms.complement(terms.apply(solve::Op::kSlt, value, read));
    case Comparison::kMore: return terms.apply(solve::Op::kSlt, value, read);
    case Comparison::kAtLeast: return terms.complement(terms.apply(solve::Op::kSlt, read, value));
  }
  return terms.truth(false);
}

}  // namespace heddle::reproduce
