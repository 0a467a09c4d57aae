// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace heddle::base {

void check_failed(const char* condition, const char* meaning, const char* file, int line) {
  std::fprintf(stderr, "heddle: internal error: %s (%s) at %s:%d\n", meaning, condition, file, line);
  std::_Exit(70);
}

}  // namespace heddle::base
