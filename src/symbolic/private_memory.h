// SPDX-License-Identifier: Apache-2.0
//
// The memory that only one thread sees and that has no events: byte by byte, the
// terms that the thread has written there. Addresses are those of the run.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "solve/terms.h"

namespace heddle::symbolic {

class PrivateMemory {
 public:
  explicit PrivateMemory(solve::Terms& terms) : terms_(terms) {}
  // The same, with terms of a copy of its terms.
  PrivateMemory(const PrivateMemory& other, solve::Terms& terms) : terms_(terms), bytes_(other.bytes_) {}

  void write(uint64_t address, solve::Term value);
  // What is not known of it is as in `observed`.
  solve::Term read(uint64_t address, unsigned width, uint64_t observed);
  bool knows(uint64_t address, unsigned width) const;
  void copy(uint64_t to, uint64_t from, uint64_t size);
  void forget(uint64_t address, uint64_t size);
  void forget() { bytes_.clear(); }
  bool is_empty() const { return bytes_.empty(); }

 private:
  solve::Terms& terms_;
  std::unordered_map<uint64_t, solve::Term> bytes_;
};

}  // namespace heddle::symbolic
