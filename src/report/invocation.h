// SPDX-License-Identifier: Apache-2.0
//
// How the program of a run was given on the command line: what replaying one of
// its findings needs. Kept in result.json, under "invocation".
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::report {

struct Invocation {
  std::vector<std::string> inputs;  // program or sources, relative to where heddle was called
  std::vector<std::string> cflags;
  std::vector<std::string> arguments;  // of the program
  std::string heap = "fresh";
  bool optimised = false;  // the module as optimised for the user, sources with -O2
  bool operator==(const Invocation&) const = default;
};

// From the result.json of a run.
base::Result<Invocation> read_invocation(const std::string& path);

}  // namespace heddle::report
