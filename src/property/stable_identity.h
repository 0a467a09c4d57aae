// SPDX-License-Identifier: Apache-2.0
//
// What a finding is called from one version of a program to the next. Lines move
// when something above them changes, so a place is known by its file's name, its
// function and what its line does, and where several lines of a function do the
// same, by its number among them:
//
//   counter.c, add, reads and writes "counter", the second such line
//
// What is changed in other functions, and lines with other variables in the same
// one, make no difference. Threads do not count: the same places are one finding.
#pragma once

#include <span>
#include <string>

#include "property/finding.h"
#include "trace/trace.h"

namespace heddle::property {

// `sites`: the program's. Findings of one version that identity_of tells apart
// stay apart, unless files of the same name have functions of the same name.
std::string stable_identity(const Finding& finding, std::span<const trace::Site> sites);

}  // namespace heddle::property
