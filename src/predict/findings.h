// SPDX-License-Identifier: Apache-2.0
//
// Predictions as findings: kind, message and places.
#pragma once

#include "predict/atomicity_search.h"
#include "predict/race_search.h"
#include "predict/recipe_failures.h"
#include "predict/whole_trace.h"
#include "property/finding.h"
#include "trace/trace.h"

namespace heddle::predict {

property::Finding finding_of(const trace::Trace& trace, const PredictedRace& race);
property::Finding finding_of(const trace::Trace& trace, const PredictedBug& bug);
property::Finding finding_of(const trace::Trace& trace, const Interference& found);
property::Finding finding_of(const trace::Trace& trace, const PredictedFailure& failure);

// Of what is not in the trace, such as an access on a side that was not taken, there is none.
Evidence evidence_of(const PredictedRace& race);
Evidence evidence_of(const PredictedBug& bug);
Evidence evidence_of(const Interference& found);

}  // namespace heddle::predict
