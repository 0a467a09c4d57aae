// SPDX-License-Identifier: Apache-2.0
//
// Bytes of memory as far as they are known: used for what memory held before
// anybody wrote to it.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/bytes.h"

namespace heddle::causal {

class MemoryImage {
 public:
  // Keeps bytes that are known already. `size` is at most 8.
  void learn(uint64_t address, uint32_t size, uint64_t value);

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
  std::unordered_map<uint64_t, Word> words_;  // by address / 8
};

}  // namespace heddle::causal
