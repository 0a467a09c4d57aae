// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle::base {
namespace {

constexpr size_t kBlock = 64, kRounds = 64;

// The constants are the first 32 bits of the fractions of roots of the first primes.
uint32_t fraction_bits(long double root) { return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L); }

struct Constants {
  std::array<uint32_t, 8> start{};
  std::array<uint32_t, kRounds> rounds{};
  Constants() {
    size_t count = 0;
    for (unsigned candidate = 2; count < kRounds; ++candidate) {
      bool is_prime = true;
      for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor) is_prime &= candidate % divisor != 0;
      if (!is_prime) continue;
      if (count < start.size()) start[count] = fraction_bits(std::sqrt(static_cast<long double>(candidate)));
      rounds[count++] = fraction_bits(std::cbrt(static_cast<long double>(candidate)));
    }
  }
};

void take_block(std::array<uint32_t, 8>& state, const char* block, const Constants& constants) {
  std::array<uint32_t, kRounds> words;
  for (size_t i = 0; i < 16; ++i) {
    words[i] = 0;
    for (size_t j = 0; j < 4; ++j) words[i] = words[i] << 8 | static_cast<uint8_t>(block[4 * i + j]);
  }
  for (size_t i = 16; i < kRounds; ++i) {
    const uint32_t early = words[i - 15], late = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) +
               (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < kRounds; ++i) {
    const uint32_t chosen = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + chosen + constants.rounds[i] + words[i];
    const uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const std::array<uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  const Constants constants;
  std::array<uint32_t, 8> state = constants.start;
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % kBlock != kBlock - 8) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += static_cast<char>(static_cast<uint64_t>(bytes.size()) * 8 >> shift);
  for (size_t at = 0; at < padded.size(); at += kBlock) take_block(state, padded.data() + at, constants);
  std::string text;
  for (const uint32_t word : state) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace heddle::base
