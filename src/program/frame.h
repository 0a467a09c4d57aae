// SPDX-License-Identifier: Apache-2.0
//
// Frames: how Heddle's records lie in an ELF section. Linkers concatenate
// sections of one name without a look inside, so a section holds one frame per
// object that was linked, end to end:
//
//   frame    magic(8) version(u32) parts(u32) length(u64) part* checksum(u64)
//   part     tag(4) encoding(u32) raw_size(u64) stored_size(u64) bytes
//
// `length` counts the whole frame; the checksum (XXH3) covers all bytes before
// it, and is looked at before anything else is believed. Numbers are
// little-endian. docs/reference/bitcode_section.md is the full description.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::program {

inline constexpr std::string_view kBitcodeSection = ".heddle.bitcode";
inline constexpr std::string_view kLinkSection = ".heddle.link";
inline constexpr std::string_view kBitcodeMagic = "HDLBITC\n";
inline constexpr std::string_view kLinkMagic = "HDLLINK\n";
inline constexpr uint32_t kFrameVersion = 1;

struct FramePart {
  std::string tag;  // four characters
  std::string bytes;
};

struct Frame {
  std::vector<FramePart> parts;

  // The bytes of the first part with this tag, or null.
  const std::string* find(std::string_view tag) const;
};

// Parts are compressed where that makes them smaller.
std::string encode_frame(std::string_view magic, const Frame& frame);

// All frames of a section. `where` names file and section in messages.
base::Result<std::vector<Frame>> decode_frames(std::string_view magic, std::string_view section,
                                               const std::string& where);

}  // namespace heddle::program
