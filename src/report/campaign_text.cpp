// SPDX-License-Identifier: Apache-2.0
#include "report/campaign_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace heddle::report {
namespace {

using propagate::FaultStatistics;
using propagate::kOutcomes;
using propagate::Outcome;
using propagate::outcome_name;

std::vector<const FaultStatistics*> rows_of(const propagate::CampaignStatistics& statistics) {
  std::vector<const FaultStatistics*> rows;
  for (const FaultStatistics& fault : statistics.faults) rows.push_back(&fault);
  if (rows.size() > 1) rows.push_back(&statistics.all);
  return rows;
}

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.1f} %", 100 * *share) : "-"; }

// First column to the left, the others to the right, each as wide as it must be.
std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    text += fmt::format("{:<{}}", line[0], widths[0]);
    for (size_t i = 1; i < line.size(); ++i) text += fmt::format("  {:>{}}", line[i], widths[i]);
    text += '\n';
  }
  return text;
}

// Where the segment of each outcome ends, so that rounding never changes the length of the whole bar.
std::string bar(const FaultStatistics& fault, size_t width) {
  std::string text;
  uint64_t so_far = 0;
  for (const Outcome outcome : kOutcomes) {
    so_far += fault.outcome(outcome).deviated;
    const double share = static_cast<double>(so_far) / static_cast<double>(std::max<uint64_t>(fault.injected, 1));
    text.resize(static_cast<size_t>(std::lround(share * static_cast<double>(width))), outcome_name(outcome).front());
  }
  return text;
}

}  // namespace

std::string campaign_table(const propagate::CampaignStatistics& statistics) {
  std::vector<std::vector<std::string>> lines{{"fault", "runs", "injected", "coverage", "95 %"}};
  for (const Outcome outcome : kOutcomes) lines[0].emplace_back(outcome_name(outcome));
  std::vector<std::vector<std::string>> missed{{"share without deviation"}};
  for (const Outcome outcome : kOutcomes) missed[0].emplace_back(outcome_name(outcome));
  for (const FaultStatistics* fault : rows_of(statistics)) {
    const propagate::Interval interval = fault->coverage_interval();
    lines.push_back(
        {fault->fault, std::to_string(fault->runs), std::to_string(fault->injected), percent(fault->coverage()),
         fault->injected ? fmt::format("{:.1f} .. {:.1f} %", 100 * interval.low, 100 * interval.high) : "-"});
    missed.push_back({fault->fault});
    for (const Outcome outcome : kOutcomes) {
      lines.back().push_back(std::to_string(fault->outcome(outcome).injected));
      missed.back().push_back(percent(fault->mpfnr(outcome)));
    }
  }
  std::string text = aligned(lines) + "\n" + aligned(missed);
  if (statistics.all.only_crash > 0)
    text +=
        fmt::format("\nin {} of the {} crashes no thread did anything else before: the crash itself is the deviation\n",
                    statistics.all.only_crash, statistics.all.outcome(Outcome::kCrash).injected);
  if (statistics.all.only_outcome > 0)
    text += fmt::format(
        "\n{} faults changed the outcome although no thread was seen to deviate: the comparison missed them\n",
        statistics.all.only_outcome);
  if (statistics.all.false_alarms > 0)
    text += fmt::format("\n{} runs deviated before a fault was injected: the program is not deterministic\n",
                        statistics.all.false_alarms);
  return text;
}

std::string campaign_bars(const propagate::CampaignStatistics& statistics, size_t width) {
  size_t name_width = 0;
  for (const FaultStatistics* fault : rows_of(statistics)) name_width = std::max(name_width, fault->fault.size());
  std::string text;
  for (const FaultStatistics* fault : rows_of(statistics))
    text += fmt::format("{:<{}}  |{:<{}}|  {}\n", fault->fault, name_width, bar(*fault, width), width,
                        percent(fault->coverage()));
  text += fmt::format("{:<{}}   ", "", name_width);
  for (const Outcome outcome : kOutcomes)
    text += fmt::format("{} {}  ", outcome_name(outcome).front(), outcome_name(outcome));
  text.resize(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace heddle::report
