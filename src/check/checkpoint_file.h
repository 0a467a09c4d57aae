// SPDX-License-Identifier: Apache-2.0
//
// The file of a checkpoint (docs/reference/checkpoint_format.md): bytes in
// blocks, each packed and with a check value; written whole or not at all. A
// reader refuses a file in which anything is missing or damaged.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::check {

inline constexpr uint32_t kCheckpointVersion = 1;

class CheckpointFile {
 public:
  static constexpr size_t kBlock = 4u << 20;  // bytes that are best added at once

  // With more than one worker, others pack what was added while more is made.
  explicit CheckpointFile(size_t workers) : packs_aside_(workers > 1) {}
  void add(std::string plain);
  base::Result<void> write(const std::string& path);

 private:
  struct Block {
    size_t plain_bytes;
    std::string packed;
    const char* failure = nullptr;
  };
  static Block pack(const std::string& plain);

  const bool packs_aside_;
  std::vector<std::future<Block>> blocks_;
};

base::Result<std::string> read_checkpoint_file(const std::string& path);

}  // namespace heddle::check
