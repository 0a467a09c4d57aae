// SPDX-License-Identifier: Apache-2.0
//
// Parts of result.json that every analysis has.
#pragma once

#include <nlohmann/json.hpp>

#include "property/finding.h"
#include "report/gap_texts.h"
#include "report/program_facts.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

// `number`: of the finding in its run, from 0.
Json finding_json(const property::Finding& finding, size_t number);

// All that does not depend on the analysis; "stats" and the lists of outcomes and findings are there and empty.
Json result_frame(const char* command, const std::string& verdict, const std::vector<Reason>& reasons,
                  const ProgramFacts& facts);
// As it is written and printed.
std::string result_text(const Json& result);

}  // namespace heddle::report
