// SPDX-License-Identifier: Apache-2.0
#include "propagate/experiment.h"

namespace heddle::propagate {

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kBenign: return "benign";
    case Outcome::kSdc: return "sdc";
    case Outcome::kDetected: return "detected";
    case Outcome::kCrash: return "crash";
    case Outcome::kHang: return "hang";
    case Outcome::kRefused: break;
  }
  return "refused";
}

std::optional<Outcome> outcome_named(std::string_view name) {
  for (const Outcome outcome : kOutcomes)
    if (outcome_name(outcome) == name) return outcome;
  return std::nullopt;
}

}  // namespace heddle::propagate
