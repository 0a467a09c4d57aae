// SPDX-License-Identifier: Apache-2.0
#include "record/pt/decode_run.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "build/code_marks.h"
#include "record/pt/add_paths.h"
#include "record/pt/perf_data.h"

namespace heddle::record::pt {

base::Result<Trace> read_trace(const build::Target& target, const std::string& perf_data) {
  auto bytes = base::read_file(perf_data);
  if (!bytes) return bytes.error();
  auto trace = read_perf_data(*bytes);
  if (!trace) return trace.error();
  std::error_code missing;
  const std::string executable = std::filesystem::canonical(target.executable, missing);
  // Others that lay at the same addresses, in other processes, were not traced.
  std::vector<Mapping>& mappings = trace->mappings;
  mappings.erase(
      std::remove_if(mappings.begin(), mappings.end(), [&](const Mapping& each) { return each.file != executable; }),
      mappings.end());
  if (mappings.empty()) return base::Error{"perf did not see the program start: " + target.executable, ""};
  return trace;
}

base::Result<void> decode_run(const build::Target& target, const std::string& perf_data, RecordingFile& file) {
  const auto decode = [&]() -> base::Result<DecodedPaths> {
    auto marks = build::marks_of(target.executable);
    if (!marks) return marks.error();
    auto trace = read_trace(target, perf_data);
    if (!trace) return trace.error();
    return decode_paths(*trace, *marks);
  };
  auto decoded = decode();
  if (auto added = add_paths(file, decoded ? *decoded : DecodedPaths{}); !added) return added;
  if (!decoded) return decoded.error();
  return {};
}

}  // namespace heddle::record::pt
