// SPDX-License-Identifier: Apache-2.0
#include "build/job_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstring>

#include "base/files.h"
#include "build/driver_arguments.h"

namespace heddle::build {
namespace {

using base::Result;

constexpr size_t kLongCommand = 100'000;

Result<void> write_into(std::FILE* file, const std::string& path, std::string_view bytes) {
  if (file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0) return {};
  return base::Error{fmt::format("cannot write {}: {}", path, std::strerror(errno)), ""};
}

}  // namespace

Result<base::ProcessOutput> run_job_command(const std::vector<std::string>& command, const std::string& directory,
                                            const base::ProcessOptions& options) {
  size_t length = 0;
  for (const std::string& word : command) length += word.size() + 1;
  if (length < kLongCommand) return base::run_process(command, options);

  // clang wants -cc1 as its first word.
  const bool is_frontend = command.size() > 1 && command[1].starts_with("-cc1");
  const auto rest = command.begin() + (is_frontend ? 2 : 1);
  const std::string path = directory + "/arguments.rsp";
  const std::string text = response_file_text({rest, command.end()});
  if (Result<void> written = base::write_file(path, text); !written) return written.error();
  std::vector<std::string> shorter(command.begin(), rest);
  shorter.push_back("@" + path);
  return base::run_process(shorter, options);
}

Result<void> write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") return write_into(stdout, "standard output", bytes);
  struct stat old{};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    Result<void> written = write_into(file, path, bytes);
    if (file) std::fclose(file);
    return written;
  }
  if (Result<void> written = base::write_file(path, bytes); !written) return written;
  if (exists && ::chmod(path.c_str(), old.st_mode & 07777) != 0)
    return base::Error{fmt::format("cannot set the mode of {}: {}", path, std::strerror(errno)), ""};
  return {};
}

}  // namespace heddle::build
