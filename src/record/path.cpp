// SPDX-License-Identifier: Apache-2.0
#include "record/recording.h"

namespace heddle::record {

void Path::append(bool bit) {
  if (size_ % 64 == 0) words_.push_back(0);
  words_.back() |= uint64_t{bit} << (size_ % 64);
  ++size_;
}

std::optional<bool> PathCursor::bit() {
  if (at_end()) return std::nullopt;
  return (*path_)[position_++];
}

std::optional<uint64_t> PathCursor::bits(unsigned width) {
  if (path_->size() - position_ < width) return std::nullopt;
  uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) value = value << 1 | uint64_t{(*path_)[position_++]};
  return value;
}

unsigned switch_width(uint64_t successors) {
  unsigned width = 0;
  while (width < 63 && uint64_t{1} << width < successors) ++width;
  return width;
}

}  // namespace heddle::record
