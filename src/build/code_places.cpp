// SPDX-License-Identifier: Apache-2.0
#include "build/code_places.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>

namespace heddle::build {

base::Result<std::vector<CodeRange>> functions_of(const std::string& executable) {
  auto file = llvm::object::ObjectFile::createObjectFile(executable);
  if (!file) return base::Error{"cannot read " + executable + ": " + llvm::toString(file.takeError()), ""};
  std::vector<CodeRange> found;
  for (const auto& symbol : file->getBinary()->symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto type = symbol.getType();
    auto flags = symbol.getFlags();
    if (name && address && type && flags && *type == llvm::object::SymbolRef::ST_Function &&
        !(*flags & llvm::object::SymbolRef::SF_Undefined))
      found.push_back({name->str(), *address, llvm::object::ELFSymbolRef(symbol).getSize()});
    if (!name) llvm::consumeError(name.takeError());
    if (!address) llvm::consumeError(address.takeError());
    if (!type) llvm::consumeError(type.takeError());
    if (!flags) llvm::consumeError(flags.takeError());
  }
  std::sort(found.begin(), found.end(), [](const CodeRange& a, const CodeRange& b) {
    return a.address != b.address ? a.address < b.address : a.function < b.function;
  });
  return found;
}

uint32_t site_at(const std::string& executable, uint64_t address) {
  auto file = llvm::object::ObjectFile::createObjectFile(executable);
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  const auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  const auto context = llvm::DWARFContext::create(
      *file->getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore, ignore);
  const llvm::DILineInfo line = context->getLineInfoForAddress({address, llvm::object::SectionedAddress::UndefSection});
  return line.FileName == llvm::DILineInfo::BadString ? 0 : line.Line;
}

}  // namespace heddle::build
