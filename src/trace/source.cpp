// SPDX-License-Identifier: Apache-2.0
#include "trace/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace heddle::trace {

using base::Error;
using base::Result;

namespace {

class FileSource final : public Source {
 public:
  FileSource(std::string path, int fd) : Source(std::move(path)), fd_(fd) {}
  ~FileSource() override { ::close(fd_); }

 private:
  Result<size_t> read_some(char* out, size_t size) override {
    for (;;) {
      const ssize_t got = ::read(fd_, out, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) return Error{fmt::format("cannot read {}: {}", name(), std::strerror(errno)), ""};
    }
  }

  int fd_;
};

class MemorySource final : public Source {
 public:
  MemorySource(std::string_view bytes, std::string name) : Source(std::move(name)), rest_(bytes) {}

 private:
  Result<size_t> read_some(char* out, size_t size) override {
    const size_t count = std::min(size, rest_.size());
    if (count > 0) std::memcpy(out, rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

  std::string_view rest_;
};

}  // namespace

Result<std::unique_ptr<Source>> Source::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error{fmt::format("cannot open {}: {}", path, std::strerror(errno)), ""};
  struct stat info{};
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    return Error{fmt::format("cannot read {}: it is a directory", path), ""};
  }
  return std::unique_ptr<Source>(new FileSource(path, fd));
}

std::unique_ptr<Source> Source::over_bytes(std::string_view bytes, const std::string& name) {
  return std::make_unique<MemorySource>(bytes, name);
}

Result<void> Source::read(size_t size, std::string* bytes) {
  bytes->resize(size);
  size_t filled = 0;
  while (filled < size) {
    auto got = read_some(bytes->data() + filled, size - filled);
    if (!got) return got.error();
    if (*got == 0) break;
    filled += *got;
  }
  bytes->resize(filled);
  offset_ += filled;
  return {};
}

Result<std::string> Source::read_rest() {
  std::string rest;
  std::string piece;
  for (;;) {
    if (auto got = read(1 << 16, &piece); !got) return got.error();
    if (piece.empty()) return rest;
    rest += piece;
  }
}

}  // namespace heddle::trace
