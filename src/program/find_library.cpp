// SPDX-License-Identifier: Apache-2.0
#include "program/find_library.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/files.h"

namespace heddle::program {
namespace {

struct DefaultLibrary {
  const char* soname_start;
  const char* flag;
};

constexpr DefaultLibrary kDefaultLibraries[] = {
    {"libc.so", ""},      {"ld-linux", ""},         {"libgcc_s.so", ""},          {"libstdc++.so", ""},
    {"libmvec.so", ""},   {"libm.so", "-lm"},       {"libdl.so", "-ldl"},         {"libpthread.so", ""},
    {"librt.so", "-lrt"}, {"libutil.so", "-lutil"}, {"libatomic.so", "-latomic"},
};

const DefaultLibrary* find_default(const std::string& soname) {
  for (const DefaultLibrary& library : kDefaultLibraries)
    if (soname.starts_with(library.soname_start)) return &library;
  return nullptr;
}

std::string with_origin(std::string directory, const std::string& user) {
  const std::string origin = std::filesystem::absolute(user).parent_path().string();
  for (const std::string variable : {"${ORIGIN}", "$ORIGIN"})
    for (size_t at; (at = directory.find(variable)) != std::string::npos;)
      directory.replace(at, variable.size(), origin);
  return directory;
}

}  // namespace

std::string find_library(const std::string& name, const std::vector<std::string>& search_paths, const std::string& user,
                         const std::vector<std::string>& recorded) {
  if (is_default_library(name)) return "";
  if (name.find('/') != std::string::npos) return base::is_file(name) ? name : "";
  std::vector<std::string> directories;
  for (const std::string& path : search_paths) directories.push_back(with_origin(path, user));
  if (const char* listed = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream list(listed);
    for (std::string directory; std::getline(list, directory, ':');)
      directories.push_back(directory.empty() ? "." : directory);
  }
  for (const std::string& directory : directories)
    if (const std::string path = directory + "/" + name; base::is_file(path)) return path;
  for (const std::string& path : recorded)
    if (std::filesystem::path(path).filename() == name && base::is_file(path)) return path;
  for (const std::string& path : recorded)
    if (const std::string beside = (std::filesystem::path(path).parent_path() / name).string(); base::is_file(beside))
      return beside;
  for (const char* directory : {"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib64/", "/usr/lib64/",
                                "/usr/local/lib/", "/lib/", "/usr/lib/"})
    if (const std::string path = directory + name; base::is_file(path)) return path;
  return "";
}

bool is_default_library(const std::string& soname) { return find_default(soname) != nullptr; }

std::string default_library_flag(const std::string& soname) {
  const DefaultLibrary* library = find_default(soname);
  return library ? library->flag : "";
}

}  // namespace heddle::program
