// SPDX-License-Identifier: Apache-2.0
//
// What came of reproducing a recorded failure, for people and as JSON (result.json, schema 1).
#pragma once

#include <string>

#include "report/columns.h"
#include "report/program_facts.h"
#include "reproduce/reproduce.h"

namespace heddle::report {

std::string reproduce_json(const reproduce::Report& report, const ProgramFacts& facts);
std::string reproduce_text(const reproduce::Report& report, const std::string& directory, const ColumnOptions& columns);

}  // namespace heddle::report
