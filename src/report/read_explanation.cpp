// SPDX-License-Identifier: Apache-2.0
#include "report/explanation.h"
#include "report/run_result.h"

namespace heddle::report {

namespace {

Frame frame_of(const Json& json) {
  return {text_at(json, "function"), text_at(json, "file"), static_cast<uint32_t>(number_at(json, "line"))};
}

const Json& member(const Json& json, const char* key) {
  static const Json none;
  return json.is_object() && json.contains(key) ? json[key] : none;
}

ExplainedStep step_of(const Json& json) { return {text_at(json, "thread"), text_at(json, "action"), frame_of(json)}; }

}  // namespace

Explanation read_explanation(const Json& finding) {
  Explanation explanation;
  for (const Json& place : list_at(finding, "places")) {
    Circumstances here;
    here.action = text_at(place, "action");
    for (const Json& frame : list_at(place, "stack")) here.stack.push_back(frame_of(frame));
    for (const Json& held : list_at(place, "locks"))
      here.locks.push_back({text_at(held, "lock"), flag_at(held, "shared"), frame_of(member(held, "taken"))});
    explanation.places.push_back(std::move(here));
  }
  for (const Json& edge : list_at(finding, "ordered_by"))
    explanation.ordered_by.push_back({step_of(member(edge, "from")), step_of(member(edge, "to"))});
  return explanation;
}

}  // namespace heddle::report
