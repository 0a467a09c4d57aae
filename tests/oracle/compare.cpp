// SPDX-License-Identifier: Apache-2.0
#include "oracle/compare.h"

#include <fmt/format.h>

namespace heddle::oracle {

std::string to_text(const Outcome& outcome) {
  std::string text;
  for (const auto& [name, value] : outcome) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "(nothing observed)" : text;
}

const char* name_of(MemoryModel model) {
  static constexpr const char* kNames[] = {"sc", "tso", "pso"};
  return kNames[static_cast<int>(model)];
}

namespace {

class Comparison {
 public:
  Comparison(const Program& program, const std::vector<int>& lines, Demand demand)
      : program_(program), lines_(lines), demand_(demand) {}

  template <typename Element, typename ToText>
  void compare(const char* what, const std::set<Element>& wanted, const std::set<Element>& found,
               const ToText& element_text) {
    if (demand_ == Demand::kEqual)
      for (const Element& element : wanted)
        if (!found.contains(element)) text_ += fmt::format("  missing {}: {}\n", what, element_text(element));
    for (const Element& element : found)
      if (!wanted.contains(element)) text_ += fmt::format("  wrong {}: {}\n", what, element_text(element));
  }

  void compare_number(const char* what, size_t wanted, size_t found) {
    const bool wrong = demand_ == Demand::kEqual ? found != wanted : found > wanted;
    if (wrong) text_ += fmt::format("  {}: {} instead of {}\n", what, found, wanted);
  }

  void say(const std::string& line) { text_ += "  " + line + "\n"; }

  std::set<int> lines_of(const std::set<int>& numbers) const {
    std::set<int> result;
    for (const int number : numbers) result.insert(lines_[static_cast<size_t>(number)]);
    return result;
  }

  std::set<Pair> lines_of(const std::set<Pair>& pairs) const {
    std::set<Pair> result;
    for (const auto& [one, other] : pairs)
      result.insert(std::minmax(lines_[static_cast<size_t>(one)], lines_[static_cast<size_t>(other)]));
    return result;
  }

  std::string line_text(int line) const {
    for (size_t number = 0; number < lines_.size(); ++number)
      if (lines_[number] == line)
        return fmt::format("#{} {}", number, to_text(operation_with_number(program_, static_cast<int>(number))));
    return fmt::format("line {}, which has no operation", line);
  }

  std::string pair_text(const Pair& pair) const {
    return fmt::format("{}  and  {}", line_text(pair.first), line_text(pair.second));
  }

  std::string take() { return std::move(text_); }

 private:
  const Program& program_;
  const std::vector<int>& lines_;
  Demand demand_;
  std::string text_;
};

}  // namespace

std::string differences(const Program& program, const std::vector<int>& lines, const Truth& truth, const Races* races,
                        const CheckedResult& checked, Demand demand) {
  Comparison comparison(program, lines, demand);
  if (!checked.complete && demand == Demand::kEqual) comparison.say("the search left something out");
  comparison.compare("outcome", truth.outcomes, checked.outcomes,
                     [](const Outcome& outcome) { return to_text(outcome); });
  if (checked.states) comparison.compare_number("classes", truth.classes, *checked.states);
  comparison.compare_number("deadlock", truth.deadlock, checked.deadlock);
  comparison.compare("failing assertion", comparison.lines_of(truth.failing_assertions),
                     checked.failing_assertion_lines, [&](int line) { return comparison.line_text(line); });
  if (races) {
    const auto pair_text = [&](const Pair& pair) { return comparison.pair_text(pair); };
    comparison.compare("race", comparison.lines_of(races->racing), checked.racing_lines, pair_text);
    comparison.compare("race enabled at once", comparison.lines_of(races->enabled_at_once),
                       checked.enabled_at_once_lines, pair_text);
  }
  return comparison.take();
}

}  // namespace heddle::oracle
