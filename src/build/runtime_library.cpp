// SPDX-License-Identifier: Apache-2.0
#include "build/runtime_library.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/process.h"

namespace heddle::build {

namespace fs = std::filesystem;

namespace {

const char* name_of(Runtime runtime) {
  switch (runtime) {
    case Runtime::kControlled: return "libheddle_runtime.so";
    case Runtime::kFree: return "libheddle_free.so";
    case Runtime::kComparison: return "libheddle_compare.so";
    case Runtime::kRecording: break;
  }
  return "libheddle_record.so";
}

}  // namespace

base::Result<std::string> runtime_library(Runtime runtime) {
  const fs::path library = fs::path(base::own_path()).parent_path().parent_path() / "lib/heddle" / name_of(runtime);
  std::error_code failed;
  const fs::path found = fs::canonical(library, failed);
  if (failed)
    return base::Error{fmt::format("the runtime is missing: {}", library.string()), "build or install heddle anew"};
  return found.string();
}

}  // namespace heddle::build
