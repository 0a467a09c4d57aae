// SPDX-License-Identifier: Apache-2.0
#include "check/checkpoint_file.h"

#include <zstd.h>

#include <cstring>

#include "base/files.h"

namespace heddle::check {
namespace {

constexpr std::string_view kMagic("\x89HEDCHK\n", 8);
constexpr size_t kPreambleBytes = 12, kHeaderBytes = 24;
constexpr size_t kMostInABlock = 8u << 20;  // plain bytes
constexpr int kLevel = 1;                   // it is written while others wait

struct BlockHeader {
  uint32_t plain = 0, stored = 0;  // bytes; both 0: the end
  uint64_t check = 0;              // XXH3 of the stored bytes; of the end: number of blocks
  uint64_t own_check = 0;          // XXH3 of the fields before it
};
static_assert(sizeof(BlockHeader) == kHeaderBytes);

uint64_t check_of(const BlockHeader& header) {
  return base::hash_bytes({reinterpret_cast<const char*>(&header), offsetof(BlockHeader, own_check)});
}

void append_block(BlockHeader header, std::string_view stored, std::string& file) {
  header.own_check = check_of(header);
  file.append(reinterpret_cast<const char*>(&header), sizeof header);
  file.append(stored);
}

}  // namespace

CheckpointFile::Block CheckpointFile::pack(const std::string& plain) {
  Block block{plain.size(), std::string(ZSTD_compressBound(plain.size()), '\0')};
  const size_t size = ZSTD_compress(block.packed.data(), block.packed.size(), plain.data(), plain.size(), kLevel);
  if (ZSTD_isError(size)) {
    block.failure = ZSTD_getErrorName(size);
  } else {
    block.packed.resize(size);
    block.packed.shrink_to_fit();
  }
  return block;
}

void CheckpointFile::add(std::string plain) {
  for (; plain.size() > kMostInABlock; plain.erase(0, kMostInABlock)) add(plain.substr(0, kMostInABlock));
  blocks_.push_back(std::async(packs_aside_ ? std::launch::async : std::launch::deferred, pack, std::move(plain)));
  if (!packs_aside_) blocks_.back().wait();
}

base::Result<void> CheckpointFile::write(const std::string& path) {
  std::string file(kMagic);
  file.append(reinterpret_cast<const char*>(&kCheckpointVersion), sizeof kCheckpointVersion);
  for (std::future<Block>& packed : blocks_) {
    const Block block = packed.get();
    if (block.failure) return base::Error{"cannot pack a checkpoint: " + std::string(block.failure), ""};
    append_block({static_cast<uint32_t>(block.plain_bytes), static_cast<uint32_t>(block.packed.size()), base::hash_bytes(block.packed)},
                 block.packed, file);
  }
  append_block({0, 0, blocks_.size()}, {}, file);
  return base::write_file(path, file);
}

base::Result<std::string> read_checkpoint_file(const std::string& path) {
  auto content = base::read_file(path);
  if (!content) return content.error();
  std::string_view file = *content;
  const auto damaged = [&](const char* what) {
    return base::Error{path + " is damaged: " + what, "start the check from the beginning"};
  };
  if (file.size() < kPreambleBytes || file.substr(0, kMagic.size()) != kMagic)
    return base::Error{path + " is not a checkpoint", "name a run that was interrupted, or its directory"};
  uint32_t version = 0;
  std::memcpy(&version, file.data() + kMagic.size(), sizeof version);
  if (version != kCheckpointVersion)
    return base::Error{path + " is a checkpoint of another version of heddle", "start the check from the beginning"};
  file.remove_prefix(kPreambleBytes);
  std::string plain;
  for (uint64_t blocks = 0;; ++blocks) {
    BlockHeader header;
    if (file.size() < sizeof header) return damaged("its end is missing");
    std::memcpy(&header, file.data(), sizeof header);
    file.remove_prefix(sizeof header);
    if (header.own_check != check_of(header)) return damaged("a check value is wrong");
    if (header.plain == 0 && header.stored == 0) {
      if (header.check != blocks) return damaged("a block is missing");
      if (!file.empty()) return damaged("something follows its end");
      return plain;
    }
    if (header.plain > kMostInABlock) return damaged("a block is too large");
    if (file.size() < header.stored) return damaged("its end is missing");
    const std::string_view stored = file.substr(0, header.stored);
    file.remove_prefix(header.stored);
    if (base::hash_bytes(stored) != header.check) return damaged("a check value is wrong");
    const size_t before = plain.size();
    plain.resize(before + header.plain);
    if (ZSTD_decompress(plain.data() + before, header.plain, stored.data(), stored.size()) != header.plain)
      return damaged("a block cannot be unpacked");
  }
}

}  // namespace heddle::check
