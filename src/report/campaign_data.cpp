// SPDX-License-Identifier: Apache-2.0
#include "report/campaign_data.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace heddle::report {

using Json = nlohmann::ordered_json;
using propagate::FaultStatistics;
using propagate::kOutcomes;
using propagate::Outcome;
using propagate::outcome_name;

namespace {

Json number_or_null(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json fault_json(const FaultStatistics& fault) {
  Json json = {
      {"fault", fault.fault}, {"runs", fault.runs}, {"injected", fault.injected}, {"deviated", fault.deviated}};
  Json missed = Json::object(), deviated = Json::object();
  for (const Outcome outcome :
       {Outcome::kCrash, Outcome::kSdc, Outcome::kHang, Outcome::kDetected, Outcome::kRefused, Outcome::kBenign}) {
    const std::string name(outcome_name(outcome));
    json[name] = fault.outcome(outcome).injected;
    deviated[name] = fault.outcome(outcome).deviated;
    missed[name] = number_or_null(fault.mpfnr(outcome));
  }
  const propagate::Interval interval = fault.coverage_interval();
  json["only_outcome"] = fault.only_outcome;
  json["only_crash"] = fault.only_crash;
  json["false_alarms"] = fault.false_alarms;
  json["coverage"] = number_or_null(fault.coverage());
  json["coverage_low"] = interval.low;
  json["coverage_high"] = interval.high;
  json["mpfnr"] = std::move(missed);
  json["deviated_by_outcome"] = std::move(deviated);
  json["median_instructions_until_deviation"] = fault.median_instructions_until_deviation;
  json["median_seconds"] = fault.median_seconds;
  return json;
}

// As RFC 4180 wants it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"" + text + "\"";
  for (size_t quote = quoted.find('"', 1); quote + 1 < quoted.size(); quote = quoted.find('"', quote + 2))
    quoted.insert(quote, 1, '"');
  return quoted;
}

std::string share(std::optional<double> value) { return value ? fmt::format("{:.6f}", *value) : ""; }

}  // namespace

std::string campaign_json(const propagate::CampaignStatistics& statistics) {
  Json list = Json::array();
  for (const FaultStatistics& fault : statistics.faults) list.push_back(fault_json(fault));
  return list.dump(2);
}

std::string campaign_csv(const propagate::CampaignStatistics& statistics) {
  std::string text = "fault,runs,injected,deviated,coverage,coverage_low,coverage_high";
  for (const Outcome outcome : kOutcomes) text += fmt::format(",{0},{0}_deviated,{0}_mpfnr", outcome_name(outcome));
  text += ",only_outcome,only_crash,false_alarms\n";
  const auto add = [&](const FaultStatistics& fault) {
    const propagate::Interval interval = fault.coverage_interval();
    text += fmt::format("{},{},{},{},{},{:.6f},{:.6f}", field(fault.fault), fault.runs, fault.injected, fault.deviated,
                        share(fault.coverage()), interval.low, interval.high);
    for (const Outcome outcome : kOutcomes) {
      const propagate::OutcomeCount& count = fault.outcome(outcome);
      text += fmt::format(",{},{},{}", count.injected, count.deviated, share(fault.mpfnr(outcome)));
    }
    text += fmt::format(",{},{},{}\n", fault.only_outcome, fault.only_crash, fault.false_alarms);
  };
  for (const FaultStatistics& fault : statistics.faults) add(fault);
  add(statistics.all);
  return text;
}

std::string experiments_csv(std::span<const propagate::ExperimentResult> results) {
  std::string text =
      "id,fault,thread,index,place,function,instruction,detail,outcome,reason,injected,deviated,instructions_until_"
      "deviation,"
      "first_deviation,objects,functions,threads_reached,crossings,propagation,instructions,seconds\n";
  for (const propagate::ExperimentResult& result : results) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{:d},{:d},{},", result.id, field(result.fault),
                        field(result.thread), result.index, field(result.place), field(result.function),
                        field(result.instruction), field(result.detail), outcome_name(result.outcome),
                        field(result.reason), result.injected, result.deviated, result.instructions_until_deviation);
    text += fmt::format("{},{},{},{},{},{},{},{:.6f}\n", field(result.first_deviation), field(result.objects),
                        field(result.functions), field(result.threads_reached), field(result.crossings),
                        field(result.propagation), result.instructions, result.seconds);
  }
  return text;
}

}  // namespace heddle::report
