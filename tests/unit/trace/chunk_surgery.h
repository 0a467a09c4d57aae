// SPDX-License-Identifier: Apache-2.0
//
// Takes trace files apart into chunks and puts changed chunks together again,
// with checksums that fit, so that a test can make any damage it likes.
#pragma once

#include <zstd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "trace/event_encoder.h"
#include "trace/format.h"
#include "trace/writer.h"

namespace heddle::trace {

struct Chunk {
  ChunkHeader header;  // kind, thread and number are used as they are
  std::string plain;
  std::string stored;
  bool sealed = false;  // `stored` and the lengths in the header are used as they are

  // Packs the content with zstd even if that makes it longer than it was, and
  // claims one byte more than stored where the rule on lengths needs that.
  void pack() {
    stored.resize(ZSTD_compressBound(plain.size()));
    stored.resize(ZSTD_compress(stored.data(), stored.size(), plain.data(), plain.size(), 1));
    header.stored_bytes = static_cast<uint32_t>(stored.size());
    header.plain_bytes = static_cast<uint32_t>(std::max(plain.size(), stored.size() + 2));
    sealed = true;
  }
};

inline std::vector<Chunk> take_apart(const std::string& file) {
  std::vector<Chunk> chunks;
  Packer packer;
  for (size_t at = kPreambleBytes; at < file.size();) {
    Chunk chunk;
    if (!decode_chunk_header(file.substr(at, kChunkHeaderBytes), &chunk.header).empty()) std::abort();
    chunk.stored = file.substr(at + kChunkHeaderBytes, chunk.header.stored_bytes);
    if (!packer.unpack(chunk.stored, chunk.header.plain_bytes, &chunk.plain)) std::abort();
    at += kChunkHeaderBytes + chunk.header.stored_bytes;
    chunk.header.plain_bytes = chunk.header.stored_bytes = 0;
    chunk.header.payload_check = 0;
    chunks.push_back(chunk);
  }
  return chunks;
}

// A header field that a test has set counts as a change to the right one: lengths
// that are not 0 stay, and payload_check is mixed into the checksum.
inline std::string put_together(const std::vector<Chunk>& chunks) {
  std::string file = encode_preamble();
  for (const Chunk& chunk : chunks) {
    ChunkHeader header = chunk.header;
    const std::string& stored = chunk.sealed ? chunk.stored : chunk.plain;
    if (!chunk.sealed) {
      header.stored_bytes = static_cast<uint32_t>(stored.size());
      if (header.plain_bytes == 0) header.plain_bytes = header.stored_bytes;
    }
    header.payload_check ^= base::hash_bytes(stored);
    file += encode_chunk_header(header) + stored;
  }
  return file;
}

inline size_t place_of(const std::vector<Chunk>& chunks, ChunkKind kind) {
  size_t place = 0;
  while (place < chunks.size() && chunks[place].header.kind != kind) ++place;
  return place;
}

inline std::vector<Chunk> renumbered(std::vector<Chunk> chunks) {
  for (uint32_t i = 0; i < chunks.size(); ++i) chunks[i].header.number = i;
  return chunks;
}

// The bytes of the file that the trace is written to.
inline std::string file_of(const Trace& trace) {
  auto directory = base::TemporaryDirectory::create("trace");
  const std::string path = directory->path() + "/whole.trace";
  if (!write_trace(path, trace)) std::abort();
  return *base::read_file(path);
}

}  // namespace heddle::trace
