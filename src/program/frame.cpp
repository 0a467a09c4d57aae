// SPDX-License-Identifier: Apache-2.0
#include "program/frame.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/Error.h>

#include <optional>

#include "base/check.h"
#include "base/files.h"

namespace heddle::program {
namespace {

using base::Error;
using base::Result;
namespace zstd = llvm::compression::zstd;

enum class Encoding : uint32_t { raw = 0, zstd = 1 };

constexpr size_t kMagicSize = 8;
constexpr size_t kHeaderSize = kMagicSize + 4 + 4 + 8;
constexpr size_t kPartHeaderSize = 4 + 4 + 8 + 8;
constexpr size_t kChecksumSize = 8;
constexpr uint64_t kLargestPart = uint64_t{1} << 32;
constexpr int kCompressionLevel = 3;

void put32(std::string& out, uint32_t value) {
  char bytes[4];
  llvm::support::endian::write32le(bytes, value);
  out.append(bytes, sizeof bytes);
}

void put64(std::string& out, uint64_t value) {
  char bytes[8];
  llvm::support::endian::write64le(bytes, value);
  out.append(bytes, sizeof bytes);
}

uint32_t get32(std::string_view bytes, size_t at) { return llvm::support::endian::read32le(bytes.data() + at); }
uint64_t get64(std::string_view bytes, size_t at) { return llvm::support::endian::read64le(bytes.data() + at); }

llvm::ArrayRef<uint8_t> as_array(std::string_view bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

void put_part(std::string& out, const FramePart& part) {
  HEDDLE_CHECK(part.tag.size() == 4, "a tag has four characters");
  llvm::SmallVector<uint8_t, 0> packed;
  zstd::compress(as_array(part.bytes), packed, kCompressionLevel);
  const bool smaller = packed.size() < part.bytes.size();
  out += part.tag;
  put32(out, static_cast<uint32_t>(smaller ? Encoding::zstd : Encoding::raw));
  put64(out, part.bytes.size());
  put64(out, smaller ? packed.size() : part.bytes.size());
  if (smaller)
    out.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  else
    out += part.bytes;
}

Error damaged(const std::string& where, const std::string& what) {
  return {fmt::format("{} is damaged: {}", where, what), "build the file again with heddle cc"};
}

// `rest` begins with the part and is cut behind it. Nothing when the part does
// not fit its frame; its frame's checksum was right, so only a faulty writer or
// a collision gets here.
std::optional<FramePart> take_part(std::string_view& rest) {
  if (rest.size() < kPartHeaderSize) return std::nullopt;
  FramePart part;
  part.tag = rest.substr(0, 4);
  const auto encoding = static_cast<Encoding>(get32(rest, 4));
  const uint64_t raw_size = get64(rest, 8);
  const uint64_t stored_size = get64(rest, 16);
  rest.remove_prefix(kPartHeaderSize);
  if (stored_size > rest.size() || raw_size > kLargestPart) return std::nullopt;
  const std::string_view stored = rest.substr(0, stored_size);
  rest.remove_prefix(stored_size);
  if (encoding == Encoding::raw && raw_size == stored_size) {
    part.bytes = stored;
    return part;
  }
  if (encoding != Encoding::zstd) return std::nullopt;
  llvm::SmallVector<uint8_t, 0> raw;
  if (llvm::Error failed = zstd::decompress(as_array(stored), raw, raw_size)) {
    llvm::consumeError(std::move(failed));
    return std::nullopt;
  }
  if (raw.size() != raw_size) return std::nullopt;
  part.bytes.assign(reinterpret_cast<const char*>(raw.data()), raw.size());
  return part;
}

// `section` begins with the frame and is cut behind it.
Result<Frame> take_frame(std::string_view magic, std::string_view& section, const std::string& where) {
  if (section.size() < kHeaderSize + kChecksumSize) return damaged(where, "it is cut short inside a record's head");
  if (!section.starts_with(magic)) return damaged(where, "a record does not begin with its mark");
  const uint64_t length = get64(section, kMagicSize + 8);
  if (length < kHeaderSize + kChecksumSize || length > section.size())
    return damaged(where, "a record is longer than what is left of the section");
  const std::string_view covered = section.substr(0, length - kChecksumSize);
  if (base::hash_bytes(covered) != get64(section, length - kChecksumSize))
    return damaged(where, "a record's checksum does not match");
  section.remove_prefix(length);
  if (const uint32_t version = get32(covered, kMagicSize); version != kFrameVersion)
    return Error{fmt::format("{} has format version {}, this Heddle reads version {}", where, version, kFrameVersion),
                 "build the program and run its analysis with the same version of Heddle"};

  Frame frame;
  std::string_view rest = covered.substr(kHeaderSize);
  for (uint32_t left = get32(covered, kMagicSize + 4); left > 0; --left) {
    std::optional<FramePart> part = take_part(rest);
    if (!part) return damaged(where, "a part of a record cannot be unpacked");
    frame.parts.push_back(std::move(*part));
  }
  if (!rest.empty()) return damaged(where, "a record has bytes that belong to no part");
  return frame;
}

}  // namespace

const std::string* Frame::find(std::string_view tag) const {
  for (const FramePart& part : parts)
    if (part.tag == tag) return &part.bytes;
  return nullptr;
}

std::string encode_frame(std::string_view magic, const Frame& frame) {
  HEDDLE_CHECK(magic.size() == kMagicSize, "a frame's mark has eight bytes");
  std::string body;
  for (const FramePart& part : frame.parts) put_part(body, part);
  std::string out(magic);
  put32(out, kFrameVersion);
  put32(out, static_cast<uint32_t>(frame.parts.size()));
  put64(out, kHeaderSize + body.size() + kChecksumSize);
  out += body;
  put64(out, base::hash_bytes(out));
  return out;
}

Result<std::vector<Frame>> decode_frames(std::string_view magic, std::string_view section, const std::string& where) {
  std::vector<Frame> frames;
  while (!section.empty()) {
    Result<Frame> frame = take_frame(magic, section, where);
    if (!frame) return frame.error();
    frames.push_back(std::move(*frame));
  }
  return frames;
}

}  // namespace heddle::program
