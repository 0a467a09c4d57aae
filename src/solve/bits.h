// SPDX-License-Identifier: Apache-2.0
//
// Bit-vectors of 1 to 64 bits in machine words.
#pragma once

#include <cstdint>

namespace heddle::solve {

// The lowest `width` bits.
inline std::uint64_t mask(unsigned width) { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

inline std::int64_t as_signed(std::uint64_t value, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

}  // namespace heddle::solve
