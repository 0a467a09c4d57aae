// SPDX-License-Identifier: Apache-2.0
#include "trace/format.h"

#include <fmt/format.h>
#include <zstd.h>

#include "base/check.h"
#include "base/files.h"

namespace heddle::trace {
namespace {

// Traces are large and short-lived: the fastest level.
constexpr int kCompressionLevel = 1;

template <typename T>
void put_fixed(std::string* out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

template <typename T>
T get_fixed(std::string_view bytes, size_t offset) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i));
  }
  return value;
}

uint32_t short_check(std::string_view bytes) { return static_cast<uint32_t>(base::hash_bytes(bytes)); }

}  // namespace

const char* chunk_kind_name(ChunkKind kind) {
  switch (kind) {
    case ChunkKind::kHeader: return "header";
    case ChunkKind::kThreads: return "threads";
    case ChunkKind::kSites: return "sites";
    case ChunkKind::kGlobals: return "globals";
    case ChunkKind::kEvents: return "events";
    case ChunkKind::kCheckpoint: return "checkpoint";
    case ChunkKind::kEnd: return "end";
    case ChunkKind::kSlotEvents: return "slot events";
  }
  return nullptr;
}

std::string encode_preamble() {
  std::string bytes(kMagic);
  put_fixed<uint32_t>(&bytes, kFormatVersion);
  put_fixed<uint32_t>(&bytes, short_check(bytes));
  return bytes;
}

std::string preamble_problem(std::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) return "it does not begin like a trace (bad magic)";
  if (bytes.size() < kPreambleBytes) return "it breaks off inside the first 16 bytes";
  if (get_fixed<uint32_t>(bytes, 12) != short_check(bytes.substr(0, 12))) {
    return "the first 16 bytes are damaged (checksum mismatch)";
  }
  const uint32_t version = get_fixed<uint32_t>(bytes, 8);
  if (version != kFormatVersion) {
    return fmt::format("its format version is {}; this program reads version {}", version, kFormatVersion);
  }
  return {};
}

std::string encode_chunk_header(const ChunkHeader& header) {
  std::string bytes;
  put_fixed(&bytes, static_cast<uint32_t>(header.kind));
  put_fixed(&bytes, header.thread);
  put_fixed(&bytes, header.number);
  put_fixed(&bytes, header.stored_bytes);
  put_fixed(&bytes, header.plain_bytes);
  put_fixed(&bytes, header.payload_check);
  put_fixed(&bytes, short_check(bytes));
  return bytes;
}

std::string decode_chunk_header(std::string_view bytes, ChunkHeader* header) {
  HEDDLE_CHECK(bytes.size() == kChunkHeaderBytes, "a chunk header has a fixed length");
  if (get_fixed<uint32_t>(bytes, 28) != short_check(bytes.substr(0, 28))) return "checksum mismatch in its header";
  header->kind = static_cast<ChunkKind>(get_fixed<uint32_t>(bytes, 0));
  header->thread = get_fixed<uint32_t>(bytes, 4);
  header->number = get_fixed<uint32_t>(bytes, 8);
  header->stored_bytes = get_fixed<uint32_t>(bytes, 12);
  header->plain_bytes = get_fixed<uint32_t>(bytes, 16);
  header->payload_check = get_fixed<uint64_t>(bytes, 20);
  if (!chunk_kind_name(header->kind)) return fmt::format("unknown chunk kind {}", static_cast<uint32_t>(header->kind));
  if (header->plain_bytes > kMaxPayload || header->stored_bytes > header->plain_bytes) {
    return fmt::format("length out of range: {} bytes stored, {} unpacked, at most {}", header->stored_bytes,
                       header->plain_bytes, kMaxPayload);
  }
  const bool has_thread = header->thread != HEDDLE_NO_THREAD;
  if (has_thread != holds_events(header->kind)) return "a thread where none belongs, or none where one does";
  return {};
}

Packer::Packer() : pack_context_(ZSTD_createCCtx()), unpack_context_(ZSTD_createDCtx()) {
  HEDDLE_CHECK(pack_context_ && unpack_context_, "zstd has memory for its contexts");
}

Packer::~Packer() {
  ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(pack_context_));
  ZSTD_freeDCtx(static_cast<ZSTD_DCtx*>(unpack_context_));
}

std::string Packer::pack(std::string_view plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const size_t size = ZSTD_compressCCtx(static_cast<ZSTD_CCtx*>(pack_context_), packed.data(), packed.size(),
                                        plain.data(), plain.size(), kCompressionLevel);
  HEDDLE_CHECK(!ZSTD_isError(size), "zstd packs into a buffer of its own bound");
  if (size >= plain.size()) return std::string(plain);
  packed.resize(size);
  return packed;
}

bool Packer::unpack(std::string_view stored, size_t plain_bytes, std::string* plain) {
  if (stored.size() == plain_bytes) {
    plain->assign(stored);
    return true;
  }
  plain->resize(plain_bytes);
  const size_t size = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(unpack_context_), plain->data(), plain_bytes,
                                          stored.data(), stored.size());
  return !ZSTD_isError(size) && size == plain_bytes;
}

}  // namespace heddle::trace
