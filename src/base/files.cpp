// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace heddle::base {
namespace {

constexpr size_t kMostOfADevice = 256u << 20;  // or of a pipe

Error system_error(const char* what, const std::string& path, int error) {
  return {fmt::format("cannot {} {}: {}", what, path, std::strerror(error)), ""};
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// For devices and pipes, which must not be replaced by a file.
Result<void> write_into(const std::string& path, std::string_view content) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return system_error("open", path, errno);
  const bool written = write_all(fd, content);
  const int error = errno;
  ::close(fd);
  if (!written) return system_error("write", path, error);
  return {};
}

}  // namespace

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

Result<std::string> read_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return system_error("open", path, errno);
  struct stat info{};
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    return Error{fmt::format("cannot read {}: it is a directory", path), ""};
  }
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error = errno;
      ::close(fd);
      return system_error("read", path, error);
    }
    if (got == 0) break;
    if (!S_ISREG(info.st_mode) && content.size() > kMostOfADevice) {
      ::close(fd);
      return Error{fmt::format("cannot read {}: it does not end", path), "give a file"};
    }
    content.append(buffer, static_cast<size_t>(got));
  }
  ::close(fd);
  return content;
}

Result<void> write_file(const std::string& path, std::string_view content) {
  struct stat present{};
  if (::stat(path.c_str(), &present) == 0 && !S_ISREG(present.st_mode)) return write_into(path, content);
  const std::string partial = fmt::format("{}.partial.{}", path, ::getpid());
  const int fd = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return system_error("create", partial, errno);
  const bool written = write_all(fd, content);
  const int write_errno = errno;
  const bool closed = ::close(fd) == 0;
  const int close_errno = errno;
  if (!written || !closed) {
    ::unlink(partial.c_str());
    return system_error("write", path, written ? close_errno : write_errno);
  }
  if (::rename(partial.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(partial.c_str());
    return system_error("write", path, error);
  }
  return {};
}

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view purpose) {
  const char* root = std::getenv("TMPDIR");
  std::string pattern = fmt::format("{}/heddle-{}-XXXXXX", root && *root ? root : "/tmp", purpose);
  if (!::mkdtemp(pattern.data())) return system_error("create directory", pattern, errno);
  return TemporaryDirectory(std::move(pattern));
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

// With xxh_x86dispatch.h this picks the widest vectors of the machine.
uint64_t hash_bytes(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string hash_text(std::string_view bytes) { return fmt::format("{:016x}", hash_bytes(bytes)); }

}  // namespace heddle::base
