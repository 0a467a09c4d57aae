// SPDX-License-Identifier: Apache-2.0
#include "program/archive.h"

#include <fmt/format.h>
#include <llvm/Object/Archive.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "program/elf_file.h"
#include "program/module_reader_llvm.h"
#include "program/read_program.h"

namespace heddle::program {
namespace {

using base::Error;
using base::Result;
using Symbols = ElfFile::Symbols;

struct Candidate {
  std::string name;
  std::string bytes;
  Symbols symbols;
  bool taken = false;
};

void add_symbols(Symbols& all, const Symbols& more) {
  all.defined.insert(more.defined.begin(), more.defined.end());
  all.undefined.insert(more.undefined.begin(), more.undefined.end());
}

Result<Symbols> symbols_of_module(const ModulePart& part) {
  llvm::LLVMContext context;
  Result<std::unique_ptr<llvm::Module>> module = read_module(part.unoptimised, part.source_name, context);
  if (!module) return module.error();
  Symbols symbols;
  for (const llvm::GlobalValue& value : (*module)->global_values()) {
    if (value.hasLocalLinkage() || value.getName().starts_with("llvm.")) continue;
    if (!value.isDeclarationForLinker())
      symbols.defined.insert(value.getName().str());
    else if (!value.hasExternalWeakLinkage())
      symbols.undefined.insert(value.getName().str());
  }
  return symbols;
}

Result<Symbols> symbols_of(const ProgramParts& parts) {
  Symbols all;
  all.undefined.insert("main");
  for (const ModulePart& part : parts.modules) {
    Result<Symbols> symbols = symbols_of_module(part);
    if (!symbols) return symbols.error();
    add_symbols(all, *symbols);
  }
  for (const NativeObject& object : parts.link.native_objects) {
    Result<ElfFile> file = ElfFile::parse(object.bytes, object.name);
    if (!file) return file.error();
    add_symbols(all, file->linker_symbols());
  }
  return all;
}

bool is_needed(const Candidate& candidate, const Symbols& all) {
  for (const std::string& symbol : candidate.symbols.defined)
    if (all.undefined.contains(symbol) && !all.defined.contains(symbol)) return true;
  return false;
}

Result<std::vector<Candidate>> candidates_of(const std::string& archive) {
  Result<std::vector<NativeObject>> members = read_archive(archive);
  if (!members) return members.error();
  std::vector<Candidate> candidates;
  for (NativeObject& member : *members) {
    if (!looks_like_elf(member.bytes)) continue;
    const std::string name = fmt::format("{}({})", archive, member.name);
    Result<ElfFile> file = ElfFile::parse(member.bytes, name);
    if (!file) return file.error();
    candidates.push_back({name, std::move(member.bytes), file->linker_symbols()});
  }
  return candidates;
}

}  // namespace

Result<std::vector<NativeObject>> read_archive(const std::string& path) {
  Result<std::string> bytes = base::read_file(path);
  if (!bytes) return bytes.error();
  const auto broken = [&](llvm::Error error) {
    return Error{fmt::format("{}: cannot read the archive: {}", path, llvm::toString(std::move(error))), ""};
  };
  llvm::Expected<std::unique_ptr<llvm::object::Archive>> archive =
      llvm::object::Archive::create(llvm::MemoryBufferRef(*bytes, path));
  if (!archive) return broken(archive.takeError());
  std::vector<NativeObject> members;
  llvm::Error failed = llvm::Error::success();
  for (const llvm::object::Archive::Child& child : (*archive)->children(failed)) {
    llvm::Expected<llvm::StringRef> name = child.getName();
    llvm::Expected<llvm::StringRef> content = child.getBuffer();
    if (!name || !content) {
      llvm::consumeError(std::move(failed));
      llvm::Error reason = llvm::joinErrors(name.takeError(), content.takeError());
      return broken(std::move(reason));
    }
    members.push_back({std::filesystem::path(name->str()).filename().string(), content->str()});
  }
  if (failed) return broken(std::move(failed));
  return members;
}

Result<void> add_needed_members(ProgramParts& parts, const std::vector<std::string>& archives) {
  if (archives.empty()) return {};
  Result<Symbols> all = symbols_of(parts);
  if (!all) return all.error();
  std::vector<Candidate> candidates;
  for (const std::string& archive : archives) {
    Result<std::vector<Candidate>> more = candidates_of(archive);
    if (!more) return more.error();
    for (Candidate& candidate : *more) candidates.push_back(std::move(candidate));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Candidate& candidate : candidates) {
      if (candidate.taken || !is_needed(candidate, *all)) continue;
      candidate.taken = changed = true;
      add_symbols(*all, candidate.symbols);
      if (Result<void> added = add_object(parts, std::move(candidate.bytes), candidate.name); !added) return added;
    }
  }
  return {};
}

}  // namespace heddle::program
