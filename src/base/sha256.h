// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4), for formats that ask for it. Names in caches and results use
// the faster hash of files.h.
#pragma once

#include <string>
#include <string_view>

namespace heddle::base {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace heddle::base
