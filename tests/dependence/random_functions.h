// SPDX-License-Identifier: Apache-2.0
//
// Random C functions for the dependence table to be judged on: one program, the
// argument says which function main calls. They compute with values of
// heddle_nondet_int through locals, arrays, structures, pointers, helpers that
// return early, call back or leave, and they store to globals.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::tests {

std::string random_functions(uint64_t seed, int count);

}  // namespace heddle::tests
