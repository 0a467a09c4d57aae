// SPDX-License-Identifier: Apache-2.0
#include "check/checkpoint_file.h"

#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "base/files.h"

namespace heddle::check {
namespace {

constexpr std::string_view kMagic("\x89HEDCHK\n", 8);
constexpr size_t kPreambleBytes = 12, kHeaderBytes = 24;
constexpr size_t kBlock = 8u << 20;  // plain bytes of a block, at most
constexpr int kLevel = 1;            // it is written while others wait

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

struct Block {
  std::string_view plain;
  std::string packed;
  const char* failure = nullptr;
};

void pack(Block& block) {
  block.packed.resize(ZSTD_compressBound(block.plain.size()));
  const size_t size = ZSTD_compress(block.packed.data(), block.packed.size(), block.plain.data(), block.plain.size(), kLevel);
  if (ZSTD_isError(size)) {
    block.failure = ZSTD_getErrorName(size);
  } else {
    block.packed.resize(size);
  }
}

void pack_all(std::vector<Block>& blocks, size_t workers) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t block = next++; block < blocks.size(); block = next++) pack(blocks[block]);
  };
  std::vector<std::thread> others;
  for (size_t worker = 1; worker < std::min(workers, blocks.size()); ++worker) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace

base::Result<void> write_checkpoint_file(const std::string& path, std::string_view plain, size_t workers) {
  std::vector<Block> blocks;
  for (; !plain.empty(); plain.remove_prefix(blocks.back().plain.size())) blocks.push_back({plain.substr(0, kBlock), "", nullptr});
  pack_all(blocks, workers);
  std::string file(kMagic);
  file.append(reinterpret_cast<const char*>(&kCheckpointVersion), sizeof kCheckpointVersion);
  for (const Block& block : blocks) {
    if (block.failure) return base::Error{"cannot pack a checkpoint: " + std::string(block.failure), ""};
    append_block({static_cast<uint32_t>(block.plain.size()), static_cast<uint32_t>(block.packed.size()), base::hash_bytes(block.packed)},
                 block.packed, file);
  }
  append_block({0, 0, blocks.size()}, {}, file);
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
    if (header.plain > kBlock) return damaged("a block is too large");
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
