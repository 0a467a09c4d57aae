// SPDX-License-Identifier: Apache-2.0
#include "report/source_path.h"

#include <filesystem>

namespace heddle::report {

namespace fs = std::filesystem;

std::string source_path(const std::string& file) {
  std::error_code error;
  if (file.empty() || file.starts_with('/') || fs::is_regular_file(file, error)) return file;
  for (fs::path folder = fs::current_path(error); folder.has_relative_path(); folder = folder.parent_path())
    if (const fs::path path = folder.parent_path() / file; fs::is_regular_file(path, error)) return path.string();
  return file;
}

}  // namespace heddle::report
