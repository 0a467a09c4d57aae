// SPDX-License-Identifier: Apache-2.0
//
// The map of a target: a text file beside its executable that says which place
// each site is, where the globals are, and what the program calls outside.
//
//   heddle-map 1
//   executable 23456
//   accesses 12 3
//   site 17 14 3 <tab> file <tab> function <tab> variable
//   global 4210720 4 <tab> file:counter
//   unknown <tab> name
//   outside <tab> name
//   end
//
// It is Heddle's own cache, written and read by the same version; anything else
// in it makes the cache entry void.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/target.h"
#include "pass/instrument.h"

namespace heddle::build {

std::string write_map(const Target& target);
base::Result<void> read_map(const std::string& text, Target& target);

// The target of the program that lies in this directory, or will: nothing is known of it but names.
Target named_target(const program::WholeProgram& program, const std::string& directory);
// The same, if it is there and whole, with all that its map says.
std::optional<Target> read_target(const program::WholeProgram& program, const std::string& directory);

// By number.
std::vector<trace::Site> site_table(const std::vector<pass::SitePlace>& places);

}  // namespace heddle::build
