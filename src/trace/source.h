// SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of a trace come from: a file, a pipe, or memory. Reading goes
// forward only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle::trace {

class Source {
 public:
  virtual ~Source() = default;

  // Makes the next `size` bytes the content of `bytes`; fewer only at the end.
  base::Result<void> read(size_t size, std::string* bytes);
  // All that is left, without the bytes that were read.
  base::Result<std::string> read_rest();

  const std::string& name() const { return name_; }
  // Bytes read so far.
  uint64_t offset() const { return offset_; }

  static base::Result<std::unique_ptr<Source>> open(const std::string& path);
  // The bytes must outlive the source.
  static std::unique_ptr<Source> over_bytes(std::string_view bytes, const std::string& name);

 protected:
  explicit Source(std::string name) : name_(std::move(name)) {}
  // At most `size` bytes into `out`; 0 at the end.
  virtual base::Result<size_t> read_some(char* out, size_t size) = 0;

 private:
  std::string name_;
  uint64_t offset_ = 0;
};

}  // namespace heddle::trace
