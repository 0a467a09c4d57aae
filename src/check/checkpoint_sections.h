// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint on its way to its file: sections that follow one another, each with
// who writes it. Sections say nothing to each other, so several threads write them
// at once, each into memory that it uses again for its next section. Small ones
// need little new memory, and clearing that takes as long as writing.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace heddle::check {

class CheckpointSections {
 public:
  using Write = std::function<void(base::ByteWriter& out)>;

  // What `write` refers to must stay as it is until the file is written. Any thread may call it.
  void add(Write write) { list_.push_back(std::move(write)); }
  // For `count` things, in groups: write(out, thing).
  template <typename WriteOne>
  void add_each(size_t count, size_t group, const WriteOne& write) {
    for (size_t begin = 0; begin < count; begin += group) {
      const size_t end = count - begin < group ? count : begin + group;
      add([=](base::ByteWriter& out) {
        for (size_t thing = begin; thing < end; ++thing) write(out, thing);
      });
    }
  }

  const std::vector<Write>& list() const { return list_; }

 private:
  std::vector<Write> list_;
};

}  // namespace heddle::check
