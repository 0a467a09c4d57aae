// SPDX-License-Identifier: Apache-2.0
//
// Values as bytes, for files that Heddle writes for itself: numbers of variable
// length (seven bits a byte, low ones first), texts with their length before
// them. A reader that runs out of bytes, or meets a length that cannot be, stays
// in a failed state and gives zeros; ask it once at the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle::base {

class ByteWriter {
 public:
  void number(uint64_t value) {
    char digits[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7) digits[count++] = static_cast<char>(value | 0x80);
    digits[count++] = static_cast<char>(value);
    bytes_.append(digits, count);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  template <typename T>
  void plain(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    number(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) break;
      const uint64_t byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    return fail();
  }
  // A number of things that take at least `size` bytes each.
  size_t count(size_t size = 1) {
    const uint64_t value = number();
    return value <= (bytes_.size() - at_) / size ? static_cast<size_t>(value) : fail();
  }
  std::string text() {
    const size_t size = count();
    at_ += size;
    return std::string(bytes_.substr(at_ - size, size));
  }
  template <typename T>
  std::vector<T> plain() {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(count(sizeof(T)));
    if (!values.empty()) std::memcpy(values.data(), bytes_.data() + at_, values.size() * sizeof(T));
    at_ += values.size() * sizeof(T);
    return values;
  }
  // Something that was read cannot be.
  size_t fail() {
    failed_ = true;
    at_ = bytes_.size();
    return 0;
  }
  bool failed() const { return failed_; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string_view bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace heddle::base
