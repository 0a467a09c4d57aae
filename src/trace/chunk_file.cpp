// SPDX-License-Identifier: Apache-2.0
#include "trace/chunk_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "base/files.h"

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

constexpr uint64_t kLargeFile = 64u << 20;
constexpr uint64_t kReserve = 128u << 20;

}  // namespace

ChunkFile::~ChunkFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> ChunkFile::state() const { return failure_ ? Result<void>(*failure_) : Result<void>(); }

Error ChunkFile::stop(Error error) {
  if (!failure_) failure_ = std::move(error);
  return *failure_;
}

Result<void> ChunkFile::open() {
  struct stat present{};
  if (::stat(path_.c_str(), &present) == 0 && !S_ISREG(present.st_mode) && !S_ISDIR(present.st_mode))
    return stop({fmt::format("cannot write {}: it is a device or a pipe", path_), ""});
  fd_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) return stop({fmt::format("cannot create {}: {}", partial_, std::strerror(errno)), ""});
  return write_whole(encode_preamble());
}

// Asks for disk blocks in large pieces once the file is large: writing into them
// costs a fifth less. A wish, no more; finish() gives back what is left over.
void ChunkFile::reserve(uint64_t bytes) {
  if (bytes <= kLargeFile || bytes <= reserved_) return;
  const uint64_t from = std::max(bytes_, reserved_);
  reserved_ = from + kReserve;
  (void)::fallocate(fd_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(kReserve));
}

Result<void> ChunkFile::write_whole(std::string_view head, std::string_view body) {
  if (failure_) return *failure_;
  HEDDLE_CHECK(fd_ >= 0, "the trace file is open while it is written");
  const size_t bytes = head.size() + body.size();
  reserve(bytes_ + bytes);
  while (!head.empty() || !body.empty()) {
    const iovec parts[] = {{const_cast<char*>(head.data()), head.size()},
                           {const_cast<char*>(body.data()), body.size()}};
    const ssize_t written = ::writev(fd_, parts, 2);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      // Best effort: a reader copes with half a chunk at the end as well.
      if (::ftruncate(fd_, static_cast<off_t>(bytes_)) == 0) (void)::lseek(fd_, static_cast<off_t>(bytes_), SEEK_SET);
      return stop({fmt::format("cannot write {}: {}", partial_, std::strerror(error)),
                   fmt::format("{} holds the {} whole chunks written before and can be read", partial_, chunks_)});
    }
    const size_t of_head = std::min(head.size(), static_cast<size_t>(written));
    head.remove_prefix(of_head);
    body.remove_prefix(static_cast<size_t>(written) - of_head);
  }
  bytes_ += bytes;
  return {};
}

Result<void> ChunkFile::append(ChunkKind kind, uint32_t thread, std::string_view plain) {
  if (failure_) return *failure_;
  return append_stored(kind, thread, packer_.pack(plain), plain.size());
}

Result<void> ChunkFile::append_plain(ChunkKind kind, uint32_t thread, std::string_view plain) {
  return append_stored(kind, thread, plain, plain.size());
}

Result<void> ChunkFile::append_stored(ChunkKind kind, uint32_t thread, std::string_view stored, size_t plain_bytes) {
  HEDDLE_CHECK(plain_bytes <= kMaxPayload, "a payload stays below the limit of the format");
  ChunkHeader header;
  header.kind = kind;
  header.thread = thread;
  header.number = chunks_;
  header.stored_bytes = static_cast<uint32_t>(stored.size());
  header.plain_bytes = static_cast<uint32_t>(plain_bytes);
  header.payload_check = base::hash_bytes(stored);
  auto written = write_whole(encode_chunk_header(header), stored);
  if (written) ++chunks_;
  return written;
}

Result<void> ChunkFile::finish() {
  if (failure_) return *failure_;
  if (reserved_ > bytes_) (void)!::ftruncate(fd_, static_cast<off_t>(bytes_));
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) return stop({fmt::format("cannot write {}: {}", partial_, std::strerror(errno)), ""});
  if (::rename(partial_.c_str(), path_.c_str()) != 0) {
    return stop({fmt::format("cannot rename {} to {}: {}", partial_, path_, std::strerror(errno)),
                 fmt::format("the whole trace is in {}", partial_)});
  }
  failure_ = Error{fmt::format("{} is finished; nothing can be added", path_), ""};
  return {};
}

}  // namespace heddle::trace
