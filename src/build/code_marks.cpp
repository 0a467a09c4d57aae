// SPDX-License-Identifier: Apache-2.0
#include "build/code_marks.h"

#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>
#include <cstring>

#include "pass/way_marks.h"

namespace heddle::build {
namespace {

using Opened = llvm::object::OwningBinary<llvm::object::ObjectFile>;

base::Result<Opened> open(const std::string& executable) {
  auto file = llvm::object::ObjectFile::createObjectFile(executable);
  if (!file) return base::Error{"cannot read " + executable + ": " + llvm::toString(file.takeError()), ""};
  return std::move(*file);
}

base::Error damaged(const std::string& executable) {
  return {"the marks in " + executable + " are damaged", "remove it; heddle makes it again"};
}

}  // namespace

base::Result<std::vector<CodeMark>> marks_of(const std::string& executable) {
  auto file = open(executable);
  if (!file) return file.error();
  std::vector<CodeMark> marks;
  for (const llvm::object::SectionRef& section : file->getBinary()->sections()) {
    auto name = section.getName();
    if (!name) llvm::consumeError(name.takeError());
    if (!name || *name != pass::kMarkSection) continue;
    auto contents = section.getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      return damaged(executable);
    }
    if (contents->size() % pass::kMarkBytes != 0) return damaged(executable);
    for (size_t at = 0; at < contents->size(); at += pass::kMarkBytes) {
      CodeMark mark;
      uint32_t what = 0;
      std::memcpy(&mark.address, contents->data() + at, 8);
      std::memcpy(&mark.site, contents->data() + at + 8, 4);
      std::memcpy(&what, contents->data() + at + 12, 4);
      mark.is_store = what >> 24 == pass::kStoreMark;
      if (!mark.is_store) mark.width = what >> 24;
      mark.number = what & 0xffffff;
      if (!mark.is_store && (mark.width == 0 || mark.width > 24)) return damaged(executable);
      marks.push_back(mark);
    }
  }
  std::sort(marks.begin(), marks.end(), [](const CodeMark& a, const CodeMark& b) { return a.address < b.address; });
  const auto same = [](const CodeMark& a, const CodeMark& b) { return a.address == b.address; };
  if (std::adjacent_find(marks.begin(), marks.end(), same) != marks.end()) return damaged(executable);
  return marks;
}

base::Result<std::vector<CodeSegment>> code_segments(const std::string& executable) {
  auto file = open(executable);
  if (!file) return file.error();
  const auto* elf = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(file->getBinary());
  if (!elf) return base::Error{executable + " is no program for x86-64", ""};
  auto headers = elf->getELFFile().program_headers();
  if (!headers) return base::Error{"cannot read " + executable + ": " + llvm::toString(headers.takeError()), ""};
  std::vector<CodeSegment> found;
  for (const auto& header : *headers)
    if (header.p_type == llvm::ELF::PT_LOAD && header.p_flags & llvm::ELF::PF_X)
      found.push_back({header.p_vaddr, header.p_filesz, header.p_offset});
  return found;
}

}  // namespace heddle::build
