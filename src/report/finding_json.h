// SPDX-License-Identifier: Apache-2.0
//
// Parts of result.json that every analysis has.
#pragma once

#include <nlohmann/json.hpp>

#include "property/finding.h"
#include "report/program_facts.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

// `number`: of the finding in its run, from 0.
Json finding_json(const property::Finding& finding, size_t number);

Json invocation_json(const Invocation& invocation);

}  // namespace heddle::report
