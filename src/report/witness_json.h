// SPDX-License-Identifier: Apache-2.0
//
// A run as data for the page that shows it: threads, objects, places and steps,
// each step with where its value or its turn comes from. Texts are kept once and
// referred to by number, so that 20,000 steps are about a megabyte.
#pragma once

#include <nlohmann/json.hpp>

#include "property/finding.h"
#include "report/source_excerpts.h"

namespace heddle::report {

// {"memory", "threads": [{"name", "function"}], "objects": [name], "kinds": [name], "orders": [name], "texts": [text],
//  "sites": [[file, line, column, function]],   file: a number in `excerpts`
//  "steps": [[number, thread, object, kind, mark, quiet, text, site, cause, step of the cause, order, size, value, what
//  a passing run did]], "culprits": [step]}    the steps that the finding names
// Marks and causes are numbers of Mark and CauseKind; what does not apply is -1. `finding` must have a controlled
// trace; `passing` may be null.
nlohmann::ordered_json witness_json(const property::Finding& finding, const trace::Trace* passing,
                                    SourceExcerpts& excerpts);

}  // namespace heddle::report
