// SPDX-License-Identifier: Apache-2.0
#include "property/finding.h"

#include <algorithm>

namespace heddle::property {

const char* finding_kind(HeddleFailure failure) {
  switch (failure) {
    case HEDDLE_FAILURE_ASSERTION: return "assertion";
    case HEDDLE_FAILURE_ABORT: return "abort";
    case HEDDLE_FAILURE_SIGNAL: return "crash";
    case HEDDLE_FAILURE_EXCEPTION: return "uncaught-exception";
    case HEDDLE_FAILURE_NULL: return "null-dereference";
    case HEDDLE_FAILURE_USE_AFTER_FREE: return "use-after-free";
    case HEDDLE_FAILURE_DOUBLE_FREE: return "double-free";
    case HEDDLE_FAILURE_BAD_FREE: return "bad-free";
    case HEDDLE_FAILURE_MISUSE: return "misuse";
    case HEDDLE_FAILURE_OUT_OF_BOUNDS: return "out-of-bounds";
  }
  return "failure";
}

std::string identity_of(const Finding& finding) {
  std::vector<std::string> places;
  for (const Place& place : finding.places) places.push_back(place.file + ":" + std::to_string(place.line));
  std::sort(places.begin(), places.end());
  std::string identity = finding.kind;
  for (const std::string& place : places) identity += "|" + place;
  return finding.kind == "exit-code" ? identity + "|" + finding.message : identity;
}

}  // namespace heddle::property
