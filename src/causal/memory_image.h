// SPDX-License-Identifier: Apache-2.0
//
// Bytes of memory as far as they are known: what memory held before anybody wrote
// to it, or what it holds at some point of a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/bytes.h"

namespace heddle::causal {

class MemoryImage {
 public:
  // `size` is at most 8; the lowest byte of the value comes first. Keeps bytes that are known already, ...
  void learn(uint64_t address, uint32_t size, uint64_t value) { put(address, size, value, false); }
  // ... and replaces them.
  void store(uint64_t address, uint32_t size, uint64_t value) { put(address, size, value, true); }

  // The bytes at address, lowest first in the lowest bits; none if not all are known.
  std::optional<uint64_t> at(uint64_t address, uint32_t size) const;

  // As bytes and back.
  void write(base::ByteWriter& out) const;
  void read(base::ByteReader& in);

 private:
  struct Word {
    uint64_t value = 0;
    uint8_t known = 0;  // one bit a byte
  };
  void put(uint64_t address, uint32_t size, uint64_t value, bool replace);

  std::unordered_map<uint64_t, Word> words_;  // by address / 8
};

}  // namespace heddle::causal
