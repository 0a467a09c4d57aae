// SPDX-License-Identifier: Apache-2.0
#include "build/link_target.h"

#include <fmt/format.h>
#include <llvm/Object/ELFObjectFile.h>

#include <filesystem>
#include <unordered_map>

#include "base/files.h"
#include "base/process.h"
#include "build/clang.h"

namespace heddle::build {

namespace fs = std::filesystem;

base::Result<void> link_target(const program::WholeProgram& program, const std::string& runtime,
                               const std::string& object, const std::string& directory, const std::string& executable) {
  auto clang = find_clang(program.needs_cxx() ? Language::cxx : Language::c);
  if (!clang) return clang.error();
  std::vector<std::string> command = {*clang, "-no-pie", "-pthread", "-fuse-ld=lld-19", "-o", executable, object};
  for (size_t i = 0; i < program.native_objects().size(); ++i) {
    const std::string path = fmt::format("{}/native{}.o", directory, i);
    if (auto written = base::write_file(path, program.native_objects()[i].bytes); !written) return written.error();
    command.push_back(path);
  }
  // The runtime comes first, and stays although nothing may need it.
  command.insert(command.end(), {"-Wl,--no-as-needed", runtime, "-Wl,--as-needed", "-Wl,-z,now",
                                 "-Wl,-rpath," + fs::path(runtime).parent_path().string()});
  for (const std::string& library : program.shared_libraries()) {
    command.push_back(library);
    command.push_back("-Wl,-rpath," + fs::path(library).parent_path().string());
  }
  for (const std::string& flag : program.link_flags())
    if (flag != "-pie" && flag != "-static" && flag != "-static-pie") command.push_back(flag);
  base::ProcessOptions quiet;
  quiet.capture_err = quiet.capture_out = true;
  auto linked = base::run_process(command, quiet);
  if (!linked) return linked.error();
  if (linked->exit_code != 0)
    return base::Error{"cannot link the instrumented program:\n" + linked->err,
                       "the program needs a library that was not recorded?"};
  return {};
}

base::Result<std::vector<trace::Global>> locate_globals(const std::string& executable,
                                                        const std::vector<pass::GlobalObject>& wanted) {
  auto file = llvm::object::ObjectFile::createObjectFile(executable);
  if (!file) return base::Error{"cannot read " + executable + ": " + llvm::toString(file.takeError()), ""};
  std::unordered_map<std::string, uint64_t> addresses;
  for (const auto& symbol : file->getBinary()->symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto flags = symbol.getFlags();
    const bool useless = !name || !address || !flags || (*flags & llvm::object::SymbolRef::SF_Undefined);
    if (!useless) addresses.emplace(name->str(), *address);
    if (!name) llvm::consumeError(name.takeError());
    if (!address) llvm::consumeError(address.takeError());
    if (!flags) llvm::consumeError(flags.takeError());
  }
  std::vector<trace::Global> globals;
  for (const pass::GlobalObject& global : wanted) {
    const auto found = addresses.find(global.symbol);
    if (found != addresses.end()) globals.push_back({global.name, found->second, global.size});
  }
  return globals;
}

}  // namespace heddle::build
