// SPDX-License-Identifier: Apache-2.0
//
// The compiler behind Heddle: where clang is, and what every compilation by
// Heddle adds to the user's flags.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::build {

enum class Language { c, cxx };

// clang-19 or clang++-19: from PATH, or from LLVM's own directory.
base::Result<std::string> find_clang(Language language);

// Lets sources find <heddle.h>, which lies in `../include` seen from the
// running executable, and tells them that Heddle compiles them. That directory
// is searched last: when Heddle is installed below /usr it is the system's own,
// which must keep its place in the order.
std::vector<std::string> heddle_source_flags();

}  // namespace heddle::build
