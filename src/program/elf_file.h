// SPDX-License-Identifier: Apache-2.0
//
// Just enough of ELF: find sections by name, read what the dynamic loader
// reads, list symbols, and append a section. Every offset is checked against
// the file, so a damaged file is an Error, never a wild read.
//
// Only 64-bit little-endian x86-64 files are accepted.
#pragma once

#include <elf.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::program {

bool looks_like_elf(std::string_view bytes);

class ElfFile {
 public:
  // `name` is for messages.
  static base::Result<ElfFile> parse(std::string bytes, const std::string& name);

  bool is_relocatable() const { return type_ == ET_REL; }
  bool is_shared_object() const { return type_ == ET_DYN; }  // shared library or PIE

  // The contents of all sections of this name, in file order. Views into this
  // object.
  std::vector<std::string_view> sections(std::string_view name) const;

  // DT_NEEDED, DT_RPATH and DT_RUNPATH (split at colons), DT_SONAME.
  const std::vector<std::string>& needed() const { return needed_; }
  const std::vector<std::string>& search_paths() const { return search_paths_; }
  const std::string& soname() const { return soname_; }
  bool is_symbolic() const { return symbolic_; }  // -Bsymbolic

  // Symbols of the dynamic table that this file defines for others.
  std::set<std::string> exported_symbols() const;

  // Global symbols of a relocatable file. A weak reference is not `undefined`:
  // it pulls no archive member.
  struct Symbols {
    std::set<std::string> defined;
    std::set<std::string> undefined;
  };
  Symbols linker_symbols() const;

  const std::string& bytes() const { return bytes_; }

 private:
  ElfFile() = default;
  std::string_view content(const Elf64_Shdr& section) const;
  void read_dynamic();
  std::vector<Elf64_Sym> symbols(const Elf64_Shdr& table) const;
  std::string_view symbol_name(const Elf64_Shdr& table, const Elf64_Sym& symbol) const;

  std::string bytes_;
  uint16_t type_ = 0;
  std::vector<Elf64_Shdr> headers_;
  std::vector<std::string> names_;  // of the sections
  std::vector<std::string> needed_;
  std::vector<std::string> search_paths_;
  std::string soname_;
  bool symbolic_ = false;
};

// The file with one more section, which takes no part in the running program.
// SHF_GNU_RETAIN keeps linkers with --gc-sections from dropping it.
base::Result<std::string> append_section(const ElfFile& file, std::string_view name, std::string_view content);

}  // namespace heddle::program
