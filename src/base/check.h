// SPDX-License-Identifier: Apache-2.0
//
// HEDDLE_CHECK(condition, "what must hold"): a programming error ends the
// process with exit code 70 (internal error), also in release builds. Never use
// it on input.
#pragma once

namespace heddle::base {

[[noreturn]] void check_failed(const char* condition, const char* meaning, const char* file, int line);

}  // namespace heddle::base

#define HEDDLE_CHECK(condition, meaning) \
  (static_cast<bool>(condition) ? void(0) : ::heddle::base::check_failed(#condition, meaning, __FILE__, __LINE__))
