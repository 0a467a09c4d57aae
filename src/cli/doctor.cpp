// SPDX-License-Identifier: Apache-2.0
//
// heddle doctor: what of this machine Heddle needs, what is there, and how to
// get the rest.
#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "build/clang.h"
#include "build/runtime_library.h"
#include "build/target.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "record/pt/perf.h"

namespace heddle::cli {
namespace {

struct Finding {
  std::string what;
  bool good;
  std::string detail;  // where it is, or what to do
};

Finding compiler(build::Language language) {
  const char* name = language == build::Language::c ? "C compiler" : "C++ compiler";
  auto clang = build::find_clang(language);
  return clang ? Finding{name, true, *clang} : Finding{name, false, "apt-get install clang-19"};
}

Finding program(const char* what, const char* name, const char* package) {
  const std::string path = base::find_program(name);
  return path.empty() ? Finding{what, false, fmt::format("apt-get install {}", package)} : Finding{what, true, path};
}

Finding cpp_library() {
  const bool there = std::filesystem::exists("/usr/include/c++");
  return there ? Finding{"C++ library headers", true, "/usr/include/c++"}
               : Finding{"C++ library headers", false, "apt-get install g++"};
}

Finding runtime() {
  auto library = build::runtime_library(build::Runtime::kControlled);
  return library ? Finding{"Heddle's runtime", true, *library}
                 : Finding{"Heddle's runtime", false, library.error().message};
}

Finding fs_base() {
  constexpr unsigned long kUserFsBase = 2;
  const bool there = getauxval(AT_HWCAP2) & kUserFsBase;
  return {"fibers (user-mode FS base)", there, there ? "supported" : "not on this CPU or kernel: use --carrier=thread"};
}

Finding temporary_files() {
  auto directory = base::TemporaryDirectory::create("doctor");
  if (!directory) return {"temporary files", false, directory.error().message};
  auto written = base::write_file(directory->path() + "/probe", std::string(1 << 20, 'x'));
  return {"temporary files", static_cast<bool>(written), written ? "writable" : written.error().message};
}

// Nobody needs it: recording works without.
std::string processor_trace() {
  auto perf = record::pt::find_perf();
  return perf ? "usable: " + *perf : "not usable: " + perf.error().message;
}

int examine() {
  const std::vector<Finding> findings = {compiler(build::Language::c),
                                         compiler(build::Language::cxx),
                                         program("linker", "ld.lld-19", "lld-19"),
                                         cpp_library(),
                                         runtime(),
                                         fs_base(),
                                         temporary_files()};
  say("{}\n", version_text());
  bool good = true;
  for (const Finding& finding : findings) {
    say("{:7} {:28} {}\n", finding.good ? "ok" : "MISSING", finding.what, finding.detail);
    good &= finding.good;
  }
  say("{:7} {:28} {}\n", "", "Intel PT (record --pt)", processor_trace());
  return good ? kNothingFound : kBadInput;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("doctor", "say what is missing on this machine, and how to get it");
  set_help(*command, {{{"heddle doctor", ""}}, "", "0 all is there, 3 something is missing"});
  command->callback([&action] { action = examine; });
}

}  // namespace heddle::cli
