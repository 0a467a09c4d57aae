// SPDX-License-Identifier: Apache-2.0
#include "causal/memory_image.h"

#include <algorithm>

namespace heddle::causal {

// A word at a time.
void MemoryImage::put(uint64_t address, uint32_t size, uint64_t value, bool replace) {
  for (uint32_t done = 0; done < size;) {
    const uint32_t first = (address + done) % 8, count = std::min(size - done, 8 - first);
    uint8_t bytes = static_cast<uint8_t>(((1u << count) - 1) << first);
    Word& word = words_[(address + done) / 8];
    if (!replace) bytes &= static_cast<uint8_t>(~word.known);
    uint64_t mask = 0;
    for (uint32_t byte = first; byte < first + count; ++byte)
      if (bytes >> byte & 1) mask |= uint64_t{0xff} << (8 * byte);
    word.value = (word.value & ~mask) | ((value >> (8 * done)) << (8 * first) & mask);
    word.known |= bytes;
    done += count;
  }
}

std::optional<uint64_t> MemoryImage::at(uint64_t address, uint32_t size) const {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const auto word = words_.find((address + i) / 8);
    const uint32_t byte = (address + i) % 8;
    if (word == words_.end() || !(word->second.known >> byte & 1)) return std::nullopt;
    value |= (word->second.value >> (8 * byte) & 0xff) << (8 * i);
  }
  return value;
}

void MemoryImage::write(base::ByteWriter& out) const {
  out.number(words_.size());
  for (const auto& [place, word] : words_) {
    out.number(place);
    out.number(word.value);
    out.number(word.known);
  }
}

void MemoryImage::read(base::ByteReader& in) {
  for (size_t left = in.count(3); left > 0; --left) {
    Word& word = words_[in.number()];
    word.value = in.number();
    word.known = static_cast<uint8_t>(in.number());
  }
}

}  // namespace heddle::causal
