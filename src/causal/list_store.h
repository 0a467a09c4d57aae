// SPDX-License-Identifier: Apache-2.0
//
// Many short lists that never change and go away together. Their elements lie
// side by side in few large pieces of memory: keeping a list costs no allocation
// of its own, and what is read together is near together.
//
//   ListStore store;
//   std::span<const EventId> servers = store.keep(found);  // as long as the store lives
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace heddle::causal {

class ListStore {
 public:
  ListStore() = default;
  ListStore(ListStore&&) = default;  // the lists stay where they are
  ListStore& operator=(ListStore&&) = default;

  template <typename T>
  std::span<const T> keep(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(uint64_t));
    if (list.empty()) return {};
    T* const place = reinterpret_cast<T*>(room_for(list.size() * sizeof(T)));
    std::uninitialized_copy(list.begin(), list.end(), place);
    return {place, list.size()};
  }

  // Forgets all lists, and keeps memory for others.
  void clear() {
    if (pieces_.empty()) return;
    pieces_.erase(pieces_.begin(), pieces_.end() - 1);
    free_ = reinterpret_cast<std::byte*>(pieces_.back().get());
    left_ = last_piece_;
  }

 private:
  static constexpr size_t kFirstPiece = 4096, kLargestPiece = 1 << 20;

  std::byte* room_for(size_t bytes) {
    bytes = (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    if (bytes > left_) {
      left_ = last_piece_ = std::max(bytes, std::clamp(2 * last_piece_, kFirstPiece, kLargestPiece));
      pieces_.push_back(std::make_unique_for_overwrite<uint64_t[]>(left_ / sizeof(uint64_t)));
      free_ = reinterpret_cast<std::byte*>(pieces_.back().get());
    }
    std::byte* const place = free_;
    free_ += bytes;
    left_ -= bytes;
    return place;
  }

  std::vector<std::unique_ptr<uint64_t[]>> pieces_;
  std::byte* free_ = nullptr;  // in the last piece
  size_t left_ = 0;            // bytes from there
  size_t last_piece_ = 0;      // its size
};

}  // namespace heddle::causal
