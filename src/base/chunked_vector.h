// SPDX-License-Identifier: Apache-2.0
//
// A vector that never moves its items: references stay valid while it grows.
//
// std::vector invalidates references whenever it reallocates, which is easy to
// forget where one function holds a reference and another one, far down the call
// stack, appends. Items lie in chunks of kChunk; finding one costs one load more
// than in a std::vector.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace heddle::base {

template <typename Item, size_t kChunk = 1024>
class ChunkedVector {
  static_assert((kChunk & (kChunk - 1)) == 0, "a power of two, so that finding an item is a shift");

 public:
  Item& operator[](size_t index) { return chunks_[index / kChunk][index % kChunk]; }
  const Item& operator[](size_t index) const { return chunks_[index / kChunk][index % kChunk]; }
  Item& back() { return (*this)[size_ - 1]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  Item& emplace_back() {
    if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<Item[]>(kChunk));
    return (*this)[size_++];
  }
  Item& push_back(Item item) { return emplace_back() = std::move(item); }

 private:
  std::vector<std::unique_ptr<Item[]>> chunks_;
  size_t size_ = 0;
};

}  // namespace heddle::base
