// SPDX-License-Identifier: Apache-2.0
//
// Numbers of variable length (LEB128: seven bits per byte, low bits first, the
// high bit says that more follow) and the fold of signed differences to small
// unsigned numbers. Plain C++ without library calls: also used inside the target.
#pragma once

#include <cstdint>

namespace heddle::trace {

inline constexpr unsigned kMaxVarintBytes = 10;

// Writes `value` at `out`, which must have room for kMaxVarintBytes; returns the end.
inline unsigned char* put_varint(unsigned char* out, uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<unsigned char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<unsigned char>(value);
  return out;
}

// Reads a number from [in, end); returns the byte after it, or null when the
// bytes end too early or do not fit 64 bits.
inline const unsigned char* get_varint(const unsigned char* in, const unsigned char* end, uint64_t* value) {
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 64 && in != end; shift += 7) {
    const uint64_t bits = *in & 0x7fu;
    if (shift == 63 && bits > 1) return nullptr;
    result |= bits << shift;
    if (!(*in++ & 0x80u)) {
      *value = result;
      return in;
    }
  }
  return nullptr;
}

// Differences wrap around: fold(a - b) undoes to a - b modulo 2^64.
inline uint64_t fold_sign(uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
inline uint64_t unfold_sign(uint64_t folded) { return (folded >> 1) ^ (0 - (folded & 1)); }

}  // namespace heddle::trace
