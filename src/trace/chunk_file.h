// SPDX-License-Identifier: Apache-2.0
//
// The lower half of Writer: a file that grows by whole chunks. A chunk that
// cannot be written entirely is taken back, so that the file ends with the last
// whole one; the failure is remembered and is the answer to every later call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/format.h"

namespace heddle::trace {

class ChunkFile {
 public:
  explicit ChunkFile(std::string path) : path_(std::move(path)), partial_(path_ + ".partial") {}
  ~ChunkFile();
  ChunkFile(const ChunkFile&) = delete;
  ChunkFile& operator=(const ChunkFile&) = delete;

  // Creates PATH.partial, empty, and writes the preamble.
  base::Result<void> open();
  base::Result<void> append(ChunkKind kind, uint32_t thread, std::string_view plain);
  // The same without packing, for payloads that come faster than they can be packed.
  base::Result<void> append_plain(ChunkKind kind, uint32_t thread, std::string_view plain);
  // Closes the file and gives it its name.
  base::Result<void> finish();

  // The failure that stopped the writing, if there was one.
  base::Result<void> state() const;
  // Makes this failure the one that stopped the writing.
  base::Error stop(base::Error error);

  uint64_t bytes() const { return bytes_; }
  uint32_t chunks() const { return chunks_; }
  const std::string& partial_path() const { return partial_; }

 private:
  base::Result<void> append_stored(ChunkKind kind, uint32_t thread, std::string_view stored, size_t plain_bytes);
  base::Result<void> write_whole(std::string_view head, std::string_view body = {});
  void reserve(uint64_t bytes);

  std::string path_;
  std::string partial_;
  int fd_ = -1;
  uint64_t bytes_ = 0;  // all of whole chunks
  uint64_t reserved_ = 0;
  uint32_t chunks_ = 0;
  std::optional<base::Error> failure_;
  Packer packer_;
};

}  // namespace heddle::trace
