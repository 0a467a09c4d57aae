// SPDX-License-Identifier: Apache-2.0
//
// Files as values: whole-file reads, and writes that are whole or absent. A
// file is written under a temporary name beside its target and renamed when
// complete, so a reader never sees half of one, also when the disk is full.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle::base {

bool is_file(const std::string& path);  // or a link to one

// Without "." and "..", links left as they are.
std::string absolute_path(const std::string& path);

Result<std::string> read_file(const std::string& path);

// Replaces `path` atomically. On failure the old file is untouched.
Result<void> write_file(const std::string& path, std::string_view content);

// A new empty directory below the system's temporary directory, removed with
// everything in it when the object goes away.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> create(std::string_view purpose);
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Stable 64-bit content hash (XXH3), and its 16 hexadecimal digits.
uint64_t hash_bytes(std::string_view bytes);
std::string hash_text(std::string_view bytes);

}  // namespace heddle::base
