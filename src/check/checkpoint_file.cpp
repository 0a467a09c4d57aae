// SPDX-License-Identifier: Apache-2.0
#include "check/checkpoint_file.h"

#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "base/files.h"
#include "base/thread_group.h"

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

// Blocks as they are in the file.
struct Packed {
  std::string bytes;
  uint64_t blocks = 0;
  const char* failure = nullptr;
};

class Packer {
 public:
  Packer() : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {}

  Packed pack(const CheckpointSections::Write& write) {
    out_.clear();
    write(out_);
    Packed packed;
    for (std::string_view plain = out_.bytes(); !plain.empty() && !packed.failure;
         plain.remove_prefix(std::min(plain.size(), kBlock)))
      add_block(plain.substr(0, kBlock), packed);
    return packed;
  }

 private:
  void add_block(std::string_view plain, Packed& packed) {
    if (const size_t room = ZSTD_compressBound(plain.size()); room > stored_.size()) stored_.resize(room);
    const size_t size =
        context_ ? ZSTD_compressCCtx(context_.get(), stored_.data(), stored_.size(), plain.data(), plain.size(), kLevel)
                 : 0;
    if (!context_ || ZSTD_isError(size)) {
      packed.failure = context_ ? ZSTD_getErrorName(size) : "no memory";
      return;
    }
    const std::string_view stored(stored_.data(), size);
    append_block({static_cast<uint32_t>(plain.size()), static_cast<uint32_t>(size), base::hash_bytes(stored)}, stored,
                 packed.bytes);
    ++packed.blocks;
  }

  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  base::ByteWriter out_;  // the section at hand
  std::string stored_;    // room for a block
};

std::vector<Packed> pack_all(const std::vector<CheckpointSections::Write>& sections, size_t workers) {
  std::vector<Packed> packed(sections.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    Packer packer;
    for (size_t section = next++; section < sections.size(); section = next++)
      packed[section] = packer.pack(sections[section]);
  };
  base::ThreadGroup others;
  for (size_t worker = 1; worker < std::min(workers, sections.size()); ++worker) others.start(work);
  others.run(work);
  others.join();
  return packed;
}

}  // namespace

base::Result<void> write_checkpoint_file(const std::string& path, const CheckpointSections& sections, size_t workers) {
  std::string file(kMagic);
  file.append(reinterpret_cast<const char*>(&kCheckpointVersion), sizeof kCheckpointVersion);
  uint64_t blocks = 0;
  for (const Packed& packed : pack_all(sections.list(), workers)) {
    if (packed.failure) return base::Error{"cannot pack a checkpoint: " + std::string(packed.failure), ""};
    file += packed.bytes;
    blocks += packed.blocks;
  }
  append_block({0, 0, blocks}, {}, file);
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
