// SPDX-License-Identifier: Apache-2.0
#include "symbolic/private_memory.h"

#include <vector>

namespace heddle::symbolic {

using solve::Term;

void PrivateMemory::write(uint64_t address, Term value) {
  const unsigned width = terms_.width(value), bytes = (width + 7) / 8;
  const Term whole = terms_.extend(solve::Op::kZext, value, bytes * 8);
  for (unsigned i = 0; i < bytes; ++i) bytes_[address + i] = terms_.extract(whole, 8 * i, 8);
}

Term PrivateMemory::read(uint64_t address, unsigned width, uint64_t observed) {
  const unsigned bytes = (width + 7) / 8;
  Term whole;
  for (unsigned i = 0; i < bytes; ++i) {
    const auto known = bytes_.find(address + i);
    const Term byte = known == bytes_.end() ? terms_.constant(8, observed >> (8 * i)) : known->second;
    whole = i == 0 ? byte : terms_.concat(byte, whole);
  }
  return terms_.extract(whole, 0, width);
}

bool PrivateMemory::knows(uint64_t address, unsigned width) const {
  for (unsigned i = 0; i < (width + 7) / 8; ++i)
    if (!bytes_.count(address + i)) return false;
  return true;
}

void PrivateMemory::copy(uint64_t to, uint64_t from, uint64_t size) {
  std::vector<std::pair<uint64_t, Term>> moved;
  for (uint64_t i = 0; i < size; ++i)
    if (const auto known = bytes_.find(from + i); known != bytes_.end()) moved.emplace_back(to + i, known->second);
  forget(to, size);
  for (const auto& [address, byte] : moved) bytes_[address] = byte;
}

void PrivateMemory::forget(uint64_t address, uint64_t size) {
  if (bytes_.empty()) return;
  for (uint64_t i = 0; i < size; ++i) bytes_.erase(address + i);
}

}  // namespace heddle::symbolic
