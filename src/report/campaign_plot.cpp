// SPDX-License-Identifier: Apache-2.0
#include "report/campaign_plot.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {
namespace {

using propagate::FaultStatistics;
using propagate::kOutcomes;
using propagate::Outcome;
using propagate::outcome_name;

constexpr double kTop = 56, kHeight = 240, kLeft = 52, kBar = 30, kGap = 10, kGroupGap = 28;
constexpr double kBottom = kTop + kHeight;

const char* colour(Outcome outcome) {
  switch (outcome) {
    case Outcome::kBenign: return "#a8c8e8";
    case Outcome::kSdc: return "#d95f02";
    case Outcome::kDetected: return "#66a61e";
    case Outcome::kCrash: return "#404040";
    case Outcome::kHang: return "#7570b3";
    case Outcome::kRefused: break;
  }
  return "#b8a04a";
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += letter;
    }
  }
  return result;
}

double height_of(double share) { return kBottom - share * kHeight; }

std::string text_at(double x, double y, const char* anchor, const std::string& text, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escaped(text));
}

// Segments from below, in the order of the outcomes; then the interval and the figure.
std::string bar(const FaultStatistics& fault, double x) {
  std::string svg;
  const double middle = x + kBar / 2, injected = static_cast<double>(std::max<uint64_t>(fault.injected, 1));
  uint64_t so_far = 0;
  for (const Outcome outcome : kOutcomes) {
    const uint64_t count = fault.outcome(outcome).deviated;
    if (count == 0) continue;
    const double from = height_of(static_cast<double>(so_far) / injected);
    so_far += count;
    const double to = height_of(static_cast<double>(so_far) / injected);
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" fill=\"{}\"><title>{} {}: {} of "
        "{}</title></rect>\n",
        x, to, kBar, from - to, colour(outcome), escaped(fault.fault), outcome_name(outcome), count, fault.injected);
  }
  const propagate::Interval interval = fault.coverage_interval();
  if (fault.injected > 0) {
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1:.2f}V{2:.2f}M{3:.1f} {1:.2f}H{4:.1f}M{3:.1f} {2:.2f}H{4:.1f}\" stroke=\"#c00\"/>\n",
        middle, height_of(interval.low), height_of(interval.high), middle - 5, middle + 5);
    svg += text_at(middle, height_of(interval.high) - 4, "middle", fmt::format("{:.2f}", *fault.coverage()));
  } else {
    svg += text_at(middle, kBottom - 4, "middle", "none");
  }
  svg += text_at(middle, kBottom + 12, "end", fault.fault,
                 fmt::format(" transform=\"rotate(-45 {:.1f} {:.1f})\"", middle, kBottom + 12));
  return svg;
}

std::string axis(double width) {
  std::string svg;
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    const double y = height_of(tenth / 10.0);
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, y, width);
    svg += text_at(kLeft - 6, y + 4, "end", fmt::format("{:.1f}", tenth / 10.0));
  }
  return svg + text_at(16, kTop + kHeight / 2, "middle", "coverage",
                       fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", kTop + kHeight / 2));
}

std::string legend() {
  std::string svg;
  double x = kLeft;
  for (const Outcome outcome : kOutcomes) {
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"4\" width=\"11\" height=\"11\" fill=\"{}\"/>\n", x, colour(outcome));
    svg += text_at(x + 15, 14, "start", std::string(outcome_name(outcome)));
    x += 76;
  }
  return svg;
}

}  // namespace

std::string campaign_plot(std::span<const ProgramCampaign> campaigns) {
  std::string bars;
  double x = kLeft + kGap;
  for (const ProgramCampaign& campaign : campaigns) {
    const double from = x;
    for (const FaultStatistics& fault : campaign.statistics.faults) {
      bars += bar(fault, x);
      x += kBar + kGap;
    }
    bars += text_at((from + x - kGap) / 2, kTop - 26, "middle", campaign.program, " font-weight=\"bold\"");
    x += kGroupGap;
  }
  const double width = std::max(x, kLeft + 76 * static_cast<double>(kOutcomes.size()));
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
             "{1:.0f}\" "
             "font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"#fff\"/>\n",
             width, kBottom + 76) +
         legend() + axis(width) + bars + "</svg>\n";
}

}  // namespace heddle::report
