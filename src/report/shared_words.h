// SPDX-License-Identifier: Apache-2.0
//
// Which memory of a run is of interest to more than one thread: words that several
// threads access. What the C++ library does to start and end a thread does not count:
// std::thread keeps a block on the heap that its creator fills and the thread releases.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "trace/trace.h"

namespace heddle::report {

class SharedWords {
 public:
  explicit SharedWords(const trace::Trace& trace);

  bool touched_by(const HeddleRecord& access) const;
  // Of an allocation or a release: the block is one that starting a thread takes.
  bool is_block_of_thread_start(const HeddleRecord& record) const;

 private:
  struct Block {
    uint64_t size;
    bool starts_thread = false;
  };

  bool is_thread_start(const HeddleRecord& record) const;
  void note_access(const HeddleRecord& record);
  Block* block_around(uint64_t address);

  const trace::Trace& trace_;
  std::unordered_map<uint64_t, uint32_t> owners_;  // of aligned words of eight bytes; HEDDLE_NO_THREAD: several
  std::map<uint64_t, Block> blocks_;               // of the heap, by address
};

// Loads, stores, what is both, and stores that leave a buffer.
bool accesses_memory(const HeddleRecord& record);

}  // namespace heddle::report
