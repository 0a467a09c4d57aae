// SPDX-License-Identifier: Apache-2.0
#include "reproduce/given_inputs.h"

#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "abi/given_inputs.h"
#include "base/files.h"

namespace heddle::reproduce {
namespace {

struct Call {
  uint64_t thread = 0, site = 0, result = 0;
  std::string bytes;
};

// "T0.1.2" as the runtime counts it; nothing: a thread that nobody created.
std::optional<uint64_t> number_of(const std::string& name) {
  if (!name.starts_with("T0")) return std::nullopt;
  uint64_t number = HEDDLE_FIRST_THREAD_NUMBER;
  const char* at = name.data() + 2;
  const char* end = name.data() + name.size();
  while (at != end) {
    uint32_t child = 0;
    if (*at != '.') return std::nullopt;
    const auto [next, error] = std::from_chars(at + 1, end, child);
    if (error != std::errc()) return std::nullopt;
    number = heddle_thread_number(number, child);
    at = next;
  }
  return number;
}

// Bytes that a call wrote stand before its result.
void add_calls(const record::Thread& thread, uint64_t number, std::vector<Call>& calls) {
  std::map<uint32_t, std::string> waiting;  // by site: for their result
  for (const record::Note& note : thread.notes) {
    if (note.kind == record::NoteKind::kBytes) waiting[note.site] += note.bytes;
    if (note.kind != record::NoteKind::kResult) continue;
    calls.push_back({number, note.site, note.value, std::move(waiting[note.site])});
    waiting.erase(note.site);
  }
}

template <typename Value>
void append(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string given_inputs(const record::Recording& recording) {
  std::vector<Call> calls;
  for (const record::Thread& thread : recording.threads)
    if (const auto number = number_of(thread.name); number && !thread.lacks_first_notes && !thread.was_seen_late)
      add_calls(thread, *number, calls);
  if (calls.empty()) return "";
  std::vector<size_t> order(calls.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(calls[a].thread, calls[a].site, a) < std::tie(calls[b].thread, calls[b].site, b);
  });
  std::string head, rest;
  append(head, HeddleGivenHead{HEDDLE_GIVEN_MAGIC, calls.size()});
  const uint64_t start = sizeof(HeddleGivenHead) + calls.size() * sizeof(HeddleGivenCall);
  for (const size_t i : order) {
    append(head, HeddleGivenCall{calls[i].thread, calls[i].site, calls[i].result, calls[i].bytes.size(),
                                 start + rest.size()});
    rest += calls[i].bytes;
  }
  return head + rest;
}

std::vector<std::string> inputs_not_given(const record::Recording& recording,
                                          const std::map<uint32_t, std::string>& functions) {
  std::set<std::string> names;
  for (const record::Thread& thread : recording.threads)
    for (const record::Note& note : thread.notes)
      if (const auto found = functions.find(note.site);
          found != functions.end() && note.kind == record::NoteKind::kResult)
        names.insert(found->second);
  return {names.begin(), names.end()};
}

base::Result<GivenInputs> GivenInputs::provide(const std::string& inputs) {
  ::unsetenv(HEDDLE_GIVEN_VARIABLE);
  GivenInputs given;
  if (inputs.empty()) return given;
  auto directory = base::TemporaryDirectory::create("inputs");
  if (!directory) return directory.error();
  const std::string file = directory->path() + "/inputs";
  if (auto written = base::write_file(file, inputs); !written) return written.error();
  ::setenv(HEDDLE_GIVEN_VARIABLE, file.c_str(), 1);
  given.directory_.emplace(std::move(*directory));
  return given;
}

GivenInputs::~GivenInputs() {
  if (directory_) ::unsetenv(HEDDLE_GIVEN_VARIABLE);
}

}  // namespace heddle::reproduce
