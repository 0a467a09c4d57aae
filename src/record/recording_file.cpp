// SPDX-License-Identifier: Apache-2.0
#include "record/recording_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "abi/version.h"
#include "base/files.h"
#include "record/facts.h"

namespace heddle::record {
namespace {

constexpr uint64_t kMostBytes = 64ull << 30;         // of addresses; the file has holes
constexpr uint64_t kBytesWithoutAsking = 256 << 20;  // taken at once where the kernel cannot be asked for room

constexpr uint64_t kLeastWords = 128;  // of a path in a chunk

constexpr uint64_t whole_pages(uint64_t bytes) {
  return (bytes + HEDDLE_RECORDED_PAGE - 1) / HEDDLE_RECORDED_PAGE * HEDDLE_RECORDED_PAGE;
}

uint64_t largest_file() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMostBytes;
  return std::min<uint64_t>(kMostBytes, limit.rlim_cur);
}

void lay_out(HeddleRecording& head, uint64_t facts_bytes, const RecordingFile::Limits& limits) {
  head.magic = HEDDLE_RECORDING_MAGIC;
  head.version = HEDDLE_RECORDING_VERSION;
  head.values = limits.values;
  head.instrumentation = HEDDLE_INSTRUMENTATION_VERSION;
  head.facts_offset = whole_pages(sizeof(HeddleRecording));
  head.facts_bytes = facts_bytes;
  head.threads_offset = whole_pages(head.facts_offset + facts_bytes);
  head.chunks_offset = whole_pages(head.threads_offset + uint64_t{HEDDLE_MOST_RECORDED} * sizeof(HeddlePath));
  const uint64_t room = largest_file();
  head.all_chunks = room > head.chunks_offset ? (room - head.chunks_offset) / HEDDLE_RECORDED_CHUNK_BYTES : 0;
  head.most_chunks = head.all_chunks;
  head.marks_cores = limits.marks_cores;
  head.stamps = limits.stamp_margin != 0;
  head.stamp_margin = limits.stamp_margin;
  head.keeps_last = limits.keep_last != 0;
  head.path_words = HEDDLE_CHUNK_WORDS;
  if (limits.keep_last) {
    head.most_chunks = std::min(head.all_chunks, limits.keep_last / HEDDLE_RECORDED_CHUNK_BYTES);
    // A path has two chunks at least; so each of them may have half of little.
    head.path_words =
        static_cast<uint32_t>(std::clamp<uint64_t>(limits.keep_last / 16, kLeastWords, HEDDLE_CHUNK_WORDS));
  }
  head.file_bytes = head.chunks_offset + head.all_chunks * HEDDLE_RECORDED_CHUNK_BYTES;
}

}  // namespace

base::Result<RecordingFile> RecordingFile::create(const std::string& path, const Facts& facts, const Limits& limits) {
  const auto failed = [&](const char* what) {
    return base::Error{fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)),
                       "is there room, and may it be written?"};
  };
  RecordingFile file;
  file.path_ = path;
  file.descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) return failed("create");
  const std::string bytes = write_facts(facts);
  HeddleRecording head = {};
  lay_out(head, bytes.size(), limits);
  head.facts_hash = base::hash_bytes(bytes);
  if (::pwrite(file.descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(head.facts_offset)) !=
          static_cast<ssize_t>(bytes.size()) ||
      ::pwrite(file.descriptor_, &head, sizeof head, 0) != sizeof head ||
      ::ftruncate(file.descriptor_, static_cast<off_t>(head.file_bytes)) != 0)
    return failed("write");
  void* memory = ::mmap(nullptr, whole_pages(sizeof head), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor_, 0);
  if (memory == MAP_FAILED) return failed("map");
  file.head_ = static_cast<HeddleRecording*>(memory);
  file.head_->populates = ::madvise(memory, whole_pages(sizeof head), MADV_POPULATE_WRITE) == 0;
  if (file.head_->populates) return file;
  const uint64_t wanted = std::min(head.file_bytes, head.chunks_offset + kBytesWithoutAsking);
  if ((errno = ::posix_fallocate(file.descriptor_, 0, static_cast<off_t>(wanted))) != 0) return failed("find room for");
  file.head_->all_chunks = (wanted - head.chunks_offset) / HEDDLE_RECORDED_CHUNK_BYTES;
  file.head_->most_chunks = std::min(head.most_chunks, file.head_->all_chunks);
  return file;
}

RecordingFile::RecordingFile(RecordingFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      head_(std::exchange(other.head_, nullptr)),
      path_(std::move(other.path_)) {}

RecordingFile::~RecordingFile() {
  if (head_) ::munmap(head_, whole_pages(sizeof(HeddleRecording)));
  if (descriptor_ >= 0) ::close(descriptor_);
}

base::Result<void> RecordingFile::finish(Ending ending, int status) {
  head_->ending = static_cast<uint32_t>(ending);
  head_->status = status;
  const uint64_t used = head_->chunks_offset + std::min(head_->chunks, head_->all_chunks) * HEDDLE_RECORDED_CHUNK_BYTES;
  if (::ftruncate(descriptor_, static_cast<off_t>(std::min(used, head_->file_bytes))) != 0)
    return base::Error{fmt::format("cannot shorten {}: {}", path_, std::strerror(errno)), ""};
  return {};
}

uint64_t RecordingFile::bytes_on_disk() const {
  struct stat info = {};
  return ::fstat(descriptor_, &info) == 0 ? static_cast<uint64_t>(info.st_blocks) * 512 : 0;
}

}  // namespace heddle::record
