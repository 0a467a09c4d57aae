// SPDX-License-Identifier: Apache-2.0
#include "report/propagate_json.h"

#include <fmt/format.h>

#include "report/campaign_data.h"
#include "report/result_json.h"

namespace heddle::report {

namespace {

Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(nullptr) : json;
}

std::string joined(const Json& list) {
  std::vector<std::string> words;
  for (const Json& item : list) words.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string deviation_text(const Json& entry) {
  std::string text = fmt::format("  {:8} {:14}", entry.value("thread", ""), entry.value("kind", ""));
  if (entry.contains("expected"))
    text += fmt::format(" {} {:#x} instead of {:#x}", entry.value("instruction", ""),
                        entry.value("actual", uint64_t{0}), entry.value("expected", uint64_t{0}));
  if (entry.contains("object")) text += " at " + entry.value("object", "");
  if (const std::string place = entry.value("place", ""); !place.empty()) text += "  " + place;
  if (const std::string function = entry.value("function", ""); !function.empty()) text += " in " + function;
  if (const uint64_t lost = entry.value("divergences", uint64_t{0}))
    text += fmt::format("; left the path {} times, came back {}", lost, entry.value("rejoined", uint64_t{0}));
  return text + "\n";
}

}  // namespace

std::string propagate_json(const CampaignReport& report) {
  Json result = result_frame("propagate", report.verdict, reasons_of(report.gaps), report.facts);
  if (!report.notes.empty()) result["notes"] = report.notes;
  result["stats"] = {{"experiments", report.statistics.all.runs},
                     {"threads", report.threads},
                     {"instructions", report.instructions},
                     {"fault_free_runs", report.fault_free_runs},
                     {"seconds", report.seconds},
                     {"cpu_seconds", report.cpu_seconds},
                     {"reversibility_seconds", report.reversibility_seconds},
                     {"faults", parsed(campaign_json(report.statistics))}};
  return result_text(result);
}

std::string experiment_json(const propagate::ExperimentResult& result, const std::string& name) {
  return result_text({{"experiment", name},
                      {"fault", result.fault},
                      {"thread", result.thread},
                      {"index", result.index},
                      {"place", result.place},
                      {"function", result.function},
                      {"instruction", result.instruction},
                      {"detail", result.detail},
                      {"outcome", propagate::outcome_name(result.outcome)},
                      {"reason", result.reason},
                      {"injected", result.injected},
                      {"deviated", result.deviated},
                      {"instructions_until_deviation", result.instructions_until_deviation},
                      {"first_deviation", parsed(result.first_deviation)},
                      {"threads_reached", parsed(result.threads_reached)},
                      {"crossings", parsed(result.crossings)},
                      {"objects", parsed(result.objects)},
                      {"functions", parsed(result.functions)},
                      {"propagation", parsed(result.propagation)},
                      {"instructions", result.instructions}});
}

std::string experiment_text(const propagate::ExperimentResult& result, const std::string& name) {
  std::string text =
      fmt::format("{}: {} {} in thread {}, instruction {} ({} at {} in {})\n", name, result.fault, result.detail,
                  result.thread, result.index, result.instruction, result.place, result.function);
  text += fmt::format("outcome: {}{}{}{}\n", propagate::outcome_name(result.outcome), result.reason.empty() ? "" : ", ",
                      result.reason, result.injected ? "" : " (the run ended before the fault)");
  if (!result.deviated) return text + "no thread does anything else than without the fault\n";
  text += fmt::format("first deviation {} instructions after the fault:\n", result.instructions_until_deviation);
  for (const Json& entry : parsed(result.first_deviation)) text += deviation_text(entry);
  for (const Json& entry : parsed(result.crossings))
    text += fmt::format(
        "the error reached {} from {} through {}\n", entry.value("to", ""), entry.value("from", "an unknown thread"),
        entry.value("through", "") + (entry.contains("by") ? ", which it waits for in " + entry.value("by", "") : ""));
  text += fmt::format("objects: {}\n", joined(parsed(result.objects)));
  text += fmt::format("functions: {}\n", joined(parsed(result.functions)));
  return text;
}

}  // namespace heddle::report
