// SPDX-License-Identifier: Apache-2.0
//
// What linkers print with --trace, one used file per line:
//
//   main.o          an object, shared library or linker script
//   libx.a(y.o)     an archive member (lld, gold, mold)
//   (libx.a)y.o     the same (GNU ld)
//   libx.a          an archive that was opened (GNU ld); no member is meant
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::build {

struct LinkedFile {
  std::string path;
  std::string member;  // empty: the file itself

  bool operator==(const LinkedFile&) const = default;
};

struct LinkTrace {
  std::vector<LinkedFile> files;  // each once, in link order
  std::string other_output;       // lines that name no file: for the user
};

LinkTrace parse_link_trace(std::string_view text);

}  // namespace heddle::build
