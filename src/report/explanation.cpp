// SPDX-License-Identifier: Apache-2.0
#include "report/explanation.h"

#include <fmt/format.h>

namespace heddle::report {

namespace {

std::string place_text(const Frame& frame) {
  std::string text = fmt::format("{}:{}", frame.file.empty() ? "?" : frame.file, frame.line);
  return frame.function.empty() ? text : text + " in " + frame.function;
}

std::string caller_text(const Frame& frame) {
  return frame.line ? "at " + place_text(frame)
                    : "in " + frame.function + (frame.file.empty() ? "" : " (" + frame.file + ")");
}

std::string locks_text(const std::vector<HeldLock>& locks) {
  if (locks.empty()) return "      holds no lock\n";
  std::string text;
  for (const HeldLock& held : locks)
    text += fmt::format("      holds {}{}, taken at {}\n", held.lock, held.is_shared ? " (shared)" : "",
                        place_text(held.taken));
  return text;
}

std::string step_text(const ExplainedStep& step) {
  return fmt::format("{} {} at {}:{}", step.thread, step.action, step.place.file.empty() ? "?" : step.place.file,
                     step.place.line);
}

Json frame_json(const Frame& frame) {
  return {{"function", frame.function}, {"file", frame.file}, {"line", frame.line ? Json(frame.line) : Json(nullptr)}};
}

Json step_json(const ExplainedStep& step) {
  return {{"thread", step.thread}, {"action", step.action}, {"file", step.place.file}, {"line", step.place.line}};
}

}  // namespace

std::vector<Explanation> explain(const predict::Report& report) {
  std::vector<Explanation> explanations(report.findings.size());
  if (report.findings.empty()) return explanations;
  std::vector<causal::EventId> events;
  for (const predict::Evidence& evidence : report.evidence) {
    events.insert(events.end(), evidence.events.begin(), evidence.events.end());
    for (const auto& [from, to] : evidence.ordered_by) events.insert(events.end(), {from, to});
  }
  const naming::Names names(*report.trace);
  std::vector<Circumstances> all = circumstances_of(names, events);
  auto next = all.begin();
  const auto next_step = [&](causal::EventId event) {
    Circumstances& here = *next++;
    return ExplainedStep{names.thread_name(event.thread), here.action, here.stack.empty() ? Frame() : here.stack[0]};
  };
  for (size_t i = 0; i < explanations.size(); ++i) {
    for (size_t place = 0; place < report.evidence[i].events.size(); ++place)
      explanations[i].places.push_back(std::move(*next++));
    for (const auto& [from, to] : report.evidence[i].ordered_by) {
      ExplainedStep first = next_step(from);
      explanations[i].ordered_by.push_back({std::move(first), next_step(to)});
    }
  }
  return explanations;
}

std::string explanation_text(const property::Finding& finding, const Explanation& explanation) {
  std::string text;
  for (size_t i = 0; i < finding.places.size(); ++i) {
    const property::Place& place = finding.places[i];
    const Circumstances here = i < explanation.places.size() ? explanation.places[i] : Circumstances();
    text += fmt::format("  {}{}{} at {}", place.thread, here.action.empty() ? "" : " ", here.action,
                        place_text({place.function, place.file, place.line}));
    text += "\n";
    for (size_t caller = 1; caller < here.stack.size(); ++caller)
      text += "      called " + caller_text(here.stack[caller]) + "\n";
    if (!here.action.empty()) text += locks_text(here.locks);
  }
  if (explanation.ordered_by.empty()) return text;
  text += "  ordered in the run that was seen, by\n";
  for (const auto& [from, to] : explanation.ordered_by)
    text += fmt::format("      {}, then {}\n", step_text(from), step_text(to));
  return text;
}

void add_explanation(Json& finding, const Explanation& explanation) {
  Json& places = finding["places"];
  for (size_t i = 0; i < places.size() && i < explanation.places.size(); ++i) {
    const Circumstances& here = explanation.places[i];
    places[i]["action"] = here.action;
    places[i]["stack"] = Json::array();
    for (const Frame& frame : here.stack) places[i]["stack"].push_back(frame_json(frame));
    places[i]["locks"] = Json::array();
    for (const HeldLock& held : here.locks)
      places[i]["locks"].push_back(
          {{"lock", held.lock}, {"shared", held.is_shared}, {"taken", frame_json(held.taken)}});
  }
  if (explanation.ordered_by.empty()) return;
  finding["ordered_by"] = Json::array();
  for (const auto& [from, to] : explanation.ordered_by)
    finding["ordered_by"].push_back({{"from", step_json(from)}, {"to", step_json(to)}});
}

}  // namespace heddle::report
