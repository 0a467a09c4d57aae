// SPDX-License-Identifier: Apache-2.0
#include "build/link_job.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "base/files.h"
#include "build/job_files.h"
#include "build/link_trace.h"
#include "program/archive.h"
#include "program/elf_file.h"
#include "program/find_library.h"
#include "program/frame.h"
#include "program/records.h"

namespace heddle::build {
namespace {

using base::Result;
using program::ElfFile;
using program::LinkFacts;

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool is_startup_object(const std::string& path) {
  const std::string name = file_name(path);
  return name.starts_with("crtbegin") || name.starts_with("crtend") || name.starts_with("clang_rt.crt") ||
         name == "crti.o" || name == "crtn.o" || name == "crtfastmath.o" || name.ends_with("crt1.o");
}

// Static forms of the libraries that come with the compiler.
bool is_compiler_archive(const std::string& path) {
  const std::string name = file_name(path);
  for (const char* start : {"libgcc", "libc.a", "libc_nonshared", "libpthread", "libclang_rt", "libstdc++.a",
                            "libsupc++", "libm.a", "libm-", "libmvec", "libdl.a", "librt.a", "libutil.a"})
    if (name.starts_with(start)) return true;
  return false;
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

// Linker flags that change what the program means, as the driver takes them.
std::vector<std::string> lasting_flags(const std::vector<std::string>& command) {
  std::vector<std::string> flags;
  for (size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string name = word.starts_with("--") ? word.substr(1) : word;
    if (name == "-export-dynamic" || word == "-E") add_once(flags, "-rdynamic");
    if (name.starts_with("-wrap=") || name.starts_with("-defsym=")) add_once(flags, "-Wl,-" + name);
    if ((name == "-wrap" || name == "-defsym") && i + 1 < command.size())
      add_once(flags, "-Wl,-" + name + "=" + command[i + 1]);
  }
  return flags;
}

bool links_cxx_library(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const std::string& word) { return word == "-lstdc++" || word == "-lc++"; });
}

class FactCollector {
 public:
  FactCollector(LinkFacts& facts, const ElfFile& output) : facts_(facts), output_(output) {}

  Result<void> add(const LinkedFile& file) {
    if (is_startup_object(file.path)) return {};
    if (!file.member.empty()) return add_member(file);
    Result<std::string> bytes = base::read_file(file.path);
    if (!bytes) return bytes.error();
    if (!program::looks_like_elf(*bytes)) return {};  // archive, linker script
    Result<ElfFile> elf = ElfFile::parse(std::move(*bytes), file.path);
    if (!elf) return elf.error();
    if (elf->is_relocatable())
      add_object(*elf, file_name(file.path));
    else
      add_library(*elf, file.path);
    return {};
  }

 private:
  void add_object(const ElfFile& elf, const std::string& name) {
    if (elf.sections(program::kBitcodeSection).empty()) facts_.native_objects.push_back({name, elf.bytes()});
  }

  // The linker also opens libraries that libraries need; only what the output
  // itself asks for is linked.
  void add_library(const ElfFile& elf, const std::string& path) {
    const std::string soname = elf.soname().empty() ? file_name(path) : elf.soname();
    const std::vector<std::string>& needed = output_.needed();
    const bool is_needed = std::any_of(needed.begin(), needed.end(),
                                       [&](const std::string& name) { return file_name(name) == file_name(soname); });
    if (!is_needed && !output_.is_relocatable()) return;
    if (program::is_default_library(soname))
      add_once(facts_.flags, program::default_library_flag(soname));
    else
      add_once(facts_.shared_libraries, base::absolute_path(path));
  }

  Result<void> add_member(const LinkedFile& file) {
    if (is_compiler_archive(file.path)) {
      if (file_name(file.path).starts_with("libm")) add_once(facts_.flags, "-lm");
      return {};
    }
    auto place = archives_.find(file.path);
    if (place == archives_.end()) {
      Result<std::vector<program::NativeObject>> members = program::read_archive(file.path);
      if (!members) return members.error();
      place = archives_.emplace(file.path, std::move(*members)).first;
    }
    for (const program::NativeObject& member : place->second) {
      if (member.name != file_name(file.member) || !program::looks_like_elf(member.bytes)) continue;
      const std::string name = file_name(file.path) + "(" + member.name + ")";
      Result<ElfFile> elf = ElfFile::parse(member.bytes, name);
      if (!elf) return elf.error();
      add_object(*elf, name);
    }
    return {};
  }

  LinkFacts& facts_;
  const ElfFile& output_;
  std::map<std::string, std::vector<program::NativeObject>> archives_;
};

Result<LinkFacts> collect(const Job& job, const LinkTrace& trace, const ElfFile& output) {
  LinkFacts facts;
  facts.needs_cxx = links_cxx_library(job.command);
  facts.rpaths = output.search_paths();
  facts.flags = lasting_flags(job.command);
  if (!output.is_relocatable() && !output.is_shared_object()) add_once(facts.flags, "-no-pie");
  FactCollector collector(facts, output);
  for (const LinkedFile& file : trace.files)
    if (Result<void> added = collector.add(file); !added) return added.error();
  return facts;
}

Result<void> add_link_record(const Job& job, const LinkTrace& trace) {
  const std::string path = job.value_of("-o");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  Result<std::string> bytes = base::read_file(path);
  if (!bytes) return bytes.error();
  if (!program::looks_like_elf(*bytes)) return {};  // -Wl,--oformat=binary
  Result<ElfFile> output = ElfFile::parse(std::move(*bytes), path);
  if (!output) return output.error();
  if (output->sections(program::kBitcodeSection).empty()) return {};
  Result<LinkFacts> facts = collect(job, trace, *output);
  if (!facts) return facts.error();
  Result<std::string> whole = program::append_section(*output, program::kLinkSection, program::encode_link(*facts));
  if (!whole) return whole.error();
  return write_output(path, *whole);
}

}  // namespace

Result<int> run_link_job(const Job& job, const std::string& directory) {
  std::vector<std::string> command = job.command;
  command.insert(command.end(), {"--trace", "--trace"});
  base::ProcessOptions options;
  options.capture_out = true;
  Result<base::ProcessOutput> ran = run_job_command(command, directory, options);
  if (!ran) return ran.error();
  const LinkTrace trace = parse_link_trace(ran->out);
  const bool user_traces = std::any_of(job.command.begin(), job.command.end(), [](const std::string& word) {
    return word == "-t" || word == "--trace" || word == "--verbose";
  });
  const std::string& shown = user_traces ? ran->out : trace.other_output;
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  if (ran->exit_code != 0) return ran->exit_code;
  if (Result<void> added = add_link_record(job, trace); !added) return added.error();
  return 0;
}

}  // namespace heddle::build
