// SPDX-License-Identifier: Apache-2.0
#include "build/target_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"

namespace heddle::build {

namespace fs = std::filesystem;

namespace {

base::Result<std::string> cache_directory() {
  std::string root;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
    root = cache;
  } else if (const char* home = std::getenv("HOME"); home && *home) {
    root = std::string(home) + "/.cache";
  } else {
    return base::Error{"no place for the cache: neither XDG_CACHE_HOME nor HOME is set", "set XDG_CACHE_HOME"};
  }
  return root + "/heddle/targets";
}

base::Result<std::string> file_stamp(const std::string& path) {
  std::error_code failed, also_failed;
  const auto size = fs::file_size(path, failed);
  const auto time = fs::last_write_time(path, also_failed).time_since_epoch().count();
  if (failed || also_failed)
    return base::Error{fmt::format("cannot read {}: {}", path, (failed ? failed : also_failed).message()),
                       "build or install heddle anew"};
  return fmt::format("{} {} {}", path, size, time);
}

}  // namespace

base::Result<std::string> cached_directory(const program::WholeProgram& program, const std::string& words,
                                           const std::vector<std::string>& files) {
  std::string key = program.hash() + " " + words;
  for (const std::string& library : program.shared_libraries()) key += " library " + library;
  for (const std::string& flag : program.link_flags()) key += " flag " + flag;
  for (const std::string& file : files) {
    auto stamp = file_stamp(file);
    if (!stamp) return stamp.error();
    key += " " + *stamp;
  }
  auto cache = cache_directory();
  if (!cache) return cache.error();
  return *cache + "/" + base::hash_text(key);
}

base::Result<void> fill_cache(const std::string& directory,
                              const std::function<base::Result<void>(const std::string&)>& fill) {
  const std::string partial = fmt::format("{}.partial.{}", directory, ::getpid());
  std::error_code failed;
  fs::remove_all(partial, failed);
  fs::create_directories(partial, failed);
  if (failed) return base::Error{fmt::format("cannot create {}: {}", partial, failed.message()), "set XDG_CACHE_HOME"};
  auto filled = fill(partial);
  if (!filled) {
    fs::remove_all(partial, failed);
    return filled.error();
  }
  fs::remove_all(directory, failed);
  fs::rename(partial, directory, failed);
  if (failed && ::access((directory + "/target").c_str(), X_OK) != 0)
    return base::Error{fmt::format("cannot fill the cache {}: {}", directory, failed.message()), ""};
  fs::remove_all(partial, failed);
  return {};
}

}  // namespace heddle::build
