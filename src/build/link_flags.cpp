// SPDX-License-Identifier: Apache-2.0
#include "build/link_flags.h"

#include "base/files.h"

namespace heddle::build {
namespace {

// Also when written as two words: "-L" "dir".
bool is_link_flag(const std::string& flag) {
  return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") || flag == "-rdynamic" ||
         flag == "-no-pie";
}

void add_library(SortedFlags& sorted, const std::string& flag, const std::vector<std::string>& directories) {
  const std::string name = flag.substr(2);
  for (const std::string& directory : directories) {
    const std::string shared = directory + "/lib" + name + ".so";
    const std::string archive = directory + "/lib" + name + ".a";
    if (base::is_file(shared)) return sorted.shared_libraries.push_back(base::absolute_path(shared));
    if (base::is_file(archive)) return sorted.archives.push_back(base::absolute_path(archive));
  }
  sorted.link.push_back(flag);
}

}  // namespace

SortedFlags sort_flags(const std::vector<std::string>& flags) {
  SortedFlags sorted;
  std::vector<std::string> libraries;
  std::vector<std::string> directories;
  for (size_t i = 0; i < flags.size(); ++i) {
    std::string flag = flags[i];
    if (!is_link_flag(flag)) {
      sorted.compile.push_back(flag);
      continue;
    }
    if ((flag == "-l" || flag == "-L") && i + 1 < flags.size()) flag += flags[++i];
    if (flag.starts_with("-l")) {
      libraries.push_back(flag);
    } else if (flag.starts_with("-L")) {
      directories.push_back(base::absolute_path(flag.substr(2)));
      sorted.link.push_back("-L" + directories.back());
    } else {
      sorted.link.push_back(flag);
    }
  }
  for (const std::string& library : libraries) add_library(sorted, library, directories);
  return sorted;
}

}  // namespace heddle::build
