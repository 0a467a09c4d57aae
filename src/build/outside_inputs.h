// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "build/numbered_program.h"

namespace heddle::build {

// By site of a call: the function without bitcode that is called there, if it may bring something into the program
// that controlled runs cannot be told again (pass/recorded_inputs.h). Names as people write them.
std::map<uint32_t, std::string> inputs_not_told(const NumberedProgram& program);

}  // namespace heddle::build
