// SPDX-License-Identifier: Apache-2.0
#include "program/merge.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/files.h"
#include "program/binding_llvm.h"
#include "program/module_reader_llvm.h"
#include "program/whole_program_llvm.h"

namespace heddle::program {
namespace {

using base::Error;
using base::Result;
using ModulePointer = std::unique_ptr<llvm::Module>;

// LLVM tells a context's handler why a link failed; without one it would end
// the process.
class ErrorCollector : public llvm::DiagnosticHandler {
 public:
  explicit ErrorCollector(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream out(text_);
    if (!text_.empty()) out << "; ";
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

class Merger {
 public:
  explicit Merger(bool optimised) : optimised_(optimised), context_(std::make_unique<llvm::LLVMContext>()) {
    context_->setDiagnosticHandler(std::make_unique<ErrorCollector>(problems_));
  }

  // The modules of one program or library as one.
  Result<ModulePointer> join(const std::vector<ModulePart>& parts) {
    ModulePointer whole = empty_module();
    std::map<std::string, std::string> strong;
    for (const ModulePart& part : parts) {
      const std::string& bitcode = optimised_ && !part.optimised.empty() ? part.optimised : part.unoptimised;
      Result<ModulePointer> module = read_module(bitcode, part.source_name, *context_);
      if (!module) return module.error();
      if (Result<void> noted = note_strong_definitions(**module, part.source_name, strong); !noted)
        return noted.error();
      if (std::optional<Error> failed = add(*whole, std::move(*module), part.source_name)) return *failed;
    }
    return whole;
  }

  // Libraries are added first, the last one searched first of all: that is the
  // order in which the loader runs their constructors.
  Result<ModulePointer> join_with_libraries(ModulePointer program, const std::vector<LibraryPart>& libraries) {
    if (libraries.empty()) return program;
    std::set<std::string> taken;
    give_way(*program, false, taken);
    std::vector<ModulePointer> modules;
    for (const LibraryPart& library : libraries) {
      Result<ModulePointer> module = join(library.modules);
      if (!module) return module.error();
      keep_unexported_local(**module, library.exported);
      give_way(**module, library.symbolic, taken);
      modules.push_back(std::move(*module));
    }
    ModulePointer whole = empty_module();
    for (size_t i = modules.size(); i-- > 0;)
      if (std::optional<Error> failed = add(*whole, std::move(modules[i]), libraries[i].path)) return *failed;
    if (std::optional<Error> failed = add(*whole, std::move(program), "the program")) return *failed;
    return whole;
  }

  Result<void> verify(const llvm::Module& module) const {
    std::string text;
    llvm::raw_string_ostream out(text);
    if (!llvm::verifyModule(module, &out)) return {};
    return Error{fmt::format("the program's bitcode is not valid: {}", text.substr(0, text.find('\n'))),
                 "build the program again"};
  }

  std::unique_ptr<llvm::LLVMContext> release_context() {
    context_->setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
    return std::move(context_);
  }

 private:
  ModulePointer empty_module() {
    auto module = std::make_unique<llvm::Module>("program", *context_);
    module->setSourceFileName("program");
    return module;
  }

  std::optional<Error> add(llvm::Module& whole, ModulePointer module, const std::string& source) {
    // Spellings of one architecture differ ("pc", "unknown"); the first stands.
    if (!whole.getTargetTriple().empty()) module->setTargetTriple(whole.getTargetTriple());
    if (!llvm::Linker::linkModules(whole, std::move(module))) return std::nullopt;
    return Error{fmt::format("cannot link {} into the program: {}", source, std::exchange(problems_, {})), ""};
  }

  bool optimised_;
  std::string problems_;
  std::unique_ptr<llvm::LLVMContext> context_;
};

std::string content_hash(const llvm::Module& module, const LinkFacts& link) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out);
  std::string digest = base::hash_text({bytes.data(), bytes.size()});
  for (const NativeObject& object : link.native_objects) digest += "\nobject " + base::hash_text(object.bytes);
  for (const std::string& flag : link.flags)
    if (!flag.starts_with("-L") && !flag.starts_with("-Wl,-rpath")) digest += "\nflag " + flag;
  return base::hash_text(digest);
}

// Where the program, linked again elsewhere, finds its libraries.
void add_run_paths(LinkFacts& link) {
  for (const std::string& library : link.shared_libraries) {
    const std::string flag = "-Wl,-rpath," + std::filesystem::path(library).parent_path().string();
    if (std::find(link.flags.begin(), link.flags.end(), flag) == link.flags.end()) link.flags.push_back(flag);
  }
}

// A program that uses the C++ library leaves some of its names open.
bool uses_cxx_library(const llvm::Module& module) {
  for (const llvm::GlobalValue& value : module.global_values())
    if (value.isDeclaration() && (value.getName().starts_with("_Z") || value.getName().starts_with("__cxa_") ||
                                  value.getName() == "__gxx_personality_v0"))
      return true;
  return false;
}

bool defines_main(const llvm::Module& module) {
  const llvm::Function* main = module.getFunction("main");
  return main && !main->isDeclaration();
}

}  // namespace

Result<WholeProgram> merge(ProgramParts parts, const MergeOptions& options) {
  Merger merger(options.optimised);
  Result<ModulePointer> program = merger.join(parts.modules);
  if (!program) return program.error();
  if (options.need_main && !defines_main(**program))
    return Error{fmt::format("{} has no main function in bitcode", parts.name),
                 "give the whole program: all its sources, or the linked executable built with heddle cc"};
  program = merger.join_with_libraries(std::move(*program), parts.libraries);
  if (!program) return program.error();
  if (Result<void> valid = merger.verify(**program); !valid) return valid.error();

  auto implementation = std::make_unique<WholeProgram::Implementation>();
  implementation->link = std::move(parts.link);
  implementation->link.needs_cxx |= uses_cxx_library(**program);
  implementation->hash = content_hash(**program, implementation->link);
  add_run_paths(implementation->link);
  implementation->name = std::move(parts.name);
  implementation->context = merger.release_context();
  implementation->module = std::move(*program);
  return WholeProgram(std::move(implementation));
}

}  // namespace heddle::program
