// SPDX-License-Identifier: Apache-2.0
#include "build/driver_plan.h"

#include <algorithm>

#include "base/process.h"

namespace heddle::build {
namespace {

// One line of quoted words; `text` begins at its first quote and is cut behind
// its end. A word may hold a line break.
std::vector<std::string> take_command(std::string_view& text) {
  std::vector<std::string> words;
  size_t at = 0;
  while (at < text.size() && text[at] != '\n') {
    if (text[at] != '"') {
      ++at;
      continue;
    }
    std::string word;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      word += text[at];
    }
    words.push_back(std::move(word));
    if (at < text.size()) ++at;
  }
  text.remove_prefix(std::min(at + 1, text.size()));
  return words;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_native_target(const std::string& triple) {
  return triple.starts_with("x86_64-") && triple.find("linux") != std::string::npos && !triple.ends_with("x32");
}

JobKind kind_of(const Job& job) {
  if (job.command.size() < 2) return JobKind::other;
  if (job.command[1] == "-cc1") {
    const std::string language = job.value_of("-x");
    const bool is_known = language == "c" || language == "c++" || language == "cpp-output" ||
                          language == "c++-cpp-output" || language == "ir";
    const bool input_is_last = job.command.size() > 4 && job.command[job.command.size() - 3] == "-x";
    return contains(job.command, "-emit-obj") && is_known && input_is_last && is_native_target(job.value_of("-triple"))
               ? JobKind::compile
               : JobKind::other;
  }
  const std::string program = job.command[0].substr(job.command[0].rfind('/') + 1);
  const bool is_linker = program == "ld" || program.starts_with("ld.") || program.find("-ld") != std::string::npos ||
                         program == "mold" || program.starts_with("lld");
  return is_linker && !job.value_of("-o").empty() ? JobKind::link : JobKind::other;
}

bool is_warning(std::string_view line) {
  for (const char* mark : {"warning: ", "note: ", "remark: "})
    if (line.find(mark) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string Job::value_of(std::string_view option) const {
  for (size_t i = command.size(); i-- > 1;)
    if (command[i - 1] == option) return command[i];
  return "";
}

DriverPlan parse_plan(std::string_view text) {
  DriverPlan plan;
  while (!text.empty()) {
    if (text.starts_with(" \"")) {
      Job job;
      job.command = take_command(text);
      job.kind = kind_of(job);
      plan.jobs.push_back(std::move(job));
      continue;
    }
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    if (line.starts_with(" (in-process)")) continue;
    (is_warning(line) ? plan.warnings : plan.header) += line;
  }
  return plan;
}

base::Result<std::optional<DriverPlan>> plan_jobs(const std::string& clang, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {clang, "-###"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  base::ProcessOptions options;
  options.capture_err = true;
  options.capture_out = true;
  base::Result<base::ProcessOutput> output = base::run_process(command, options);
  if (!output) return output.error();
  if (output->exit_code != 0 || !output->out.empty()) return std::optional<DriverPlan>();
  DriverPlan plan = parse_plan(output->err);
  const bool gains =
      std::any_of(plan.jobs.begin(), plan.jobs.end(), [](const Job& job) { return job.kind != JobKind::other; });
  return gains ? std::optional(std::move(plan)) : std::nullopt;
}

}  // namespace heddle::build
