// SPDX-License-Identifier: Apache-2.0
//
// The frame of a trace file: the preamble and the headers of chunks, as
// docs/reference/trace_format.md lays them out, with the limits that a reader
// relies on. Nothing here touches a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trace/event_encoder.h"

namespace heddle::trace {

inline constexpr std::string_view kMagic("\x89HEDDLE\n", 8);
inline constexpr uint32_t kFormatVersion = 1;
inline constexpr size_t kPreambleBytes = 16;
inline constexpr size_t kChunkHeaderBytes = 32;

inline constexpr size_t kChunkTarget = 256 << 10;  // a writer ends a payload at about this size
inline constexpr size_t kMaxPayload = 4 << 20;     // no payload is larger, stored or plain
inline constexpr size_t kMaxString = 1 << 20;
inline constexpr size_t kMaxTableBytes = 256u << 20;  // all tables of a file together, plain
inline constexpr uint32_t kMaxThreads = 1 << 20;
inline constexpr uint32_t kMaxThreadDepth = 4096;
inline constexpr uint32_t kMaxSites = 1 << 22;
inline constexpr uint32_t kMaxGlobals = 1 << 22;
inline constexpr uint32_t kMaxGroupEvents = 1 << 20;  // between two checkpoints

enum class ChunkKind : uint32_t {
  kHeader = 1,
  kThreads = 2,
  kSites = 3,
  kGlobals = 4,
  kEvents = 5,
  kCheckpoint = 6,
  kEnd = 7,
  kSlotEvents = 8,
};

// The two that hold events, each coded in its own way.
inline bool holds_events(ChunkKind kind) { return kind == ChunkKind::kEvents || kind == ChunkKind::kSlotEvents; }

const char* chunk_kind_name(ChunkKind kind);

struct ChunkHeader {
  ChunkKind kind = ChunkKind::kHeader;
  uint32_t thread = HEDDLE_NO_THREAD;  // of an event chunk
  uint32_t number = 0;                 // of the chunk in the file, from 0
  uint32_t stored_bytes = 0;           // length of the payload in the file
  uint32_t plain_bytes = 0;            // and unpacked; equal lengths: it is not packed
  uint64_t payload_check = 0;          // XXH3 of the stored payload
};

std::string encode_preamble();
// Empty when the preamble is one that this version reads; otherwise what is wrong.
std::string preamble_problem(std::string_view bytes);

std::string encode_chunk_header(const ChunkHeader& header);
// Empty when the kChunkHeaderBytes in `bytes` are a header; otherwise what is
// wrong. Lengths, kind and thread are within their limits afterwards.
std::string decode_chunk_header(std::string_view bytes, ChunkHeader* header);

// Packs a payload with zstd, or returns it as it is where that is not shorter.
class Packer {
 public:
  Packer();
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  std::string pack(std::string_view plain);
  // False when `stored` does not unpack to exactly `plain_bytes`.
  bool unpack(std::string_view stored, size_t plain_bytes, std::string* plain);

 private:
  void* pack_context_;
  void* unpack_context_;
};

}  // namespace heddle::trace
