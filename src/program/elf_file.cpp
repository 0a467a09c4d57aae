// SPDX-License-Identifier: Apache-2.0
#include "program/elf_file.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <type_traits>

namespace heddle::program {
namespace {

using base::Error;
using base::Result;

// The structure at `offset`, or nothing when it does not lie inside `bytes`.
template <typename T>
std::optional<T> read_at(std::string_view bytes, uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string_view text_at(std::string_view table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  const size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386: return "32-bit x86";
    case EM_ARM: return "32-bit ARM";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "PowerPC64";
    case EM_S390: return "s390x";
    default: return fmt::format("ELF machine {}", machine);
  }
}

Result<Elf64_Ehdr> read_header(std::string_view bytes, const std::string& name) {
  if (!looks_like_elf(bytes))
    return Error{fmt::format("{}: not an ELF file", name), "give an executable, object or library, or source files"};
  if (bytes.size() > EI_CLASS && bytes[EI_CLASS] == ELFCLASS32)
    return Error{fmt::format("{}: wrong architecture: a 32-bit file, Heddle runs x86_64 Linux programs", name),
                 "build it without -m32 and without -mx32"};
  const std::optional<Elf64_Ehdr> header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header) return Error{fmt::format("{}: damaged: its ELF header is cut short", name), "build the file again"};
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != EM_X86_64)
    return Error{fmt::format("{}: wrong architecture: built for {}, Heddle runs x86_64 Linux programs", name,
                             machine_name(header->e_machine)),
                 "build it for x86_64-linux-gnu"};
  return *header;
}

}  // namespace

bool looks_like_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

Result<ElfFile> ElfFile::parse(std::string bytes, const std::string& name) {
  Result<Elf64_Ehdr> header = read_header(bytes, name);
  if (!header) return header.error();
  const Error damaged{fmt::format("{}: damaged: its section table does not lie inside the file", name),
                      "build the file again"};
  ElfFile file;
  file.bytes_ = std::move(bytes);
  file.type_ = header->e_type;
  uint64_t count = header->e_shnum;
  uint64_t names_index = header->e_shstrndx;
  if (header->e_shoff != 0) {
    const std::optional<Elf64_Shdr> first = read_at<Elf64_Shdr>(file.bytes_, header->e_shoff);
    if (!first || header->e_shentsize != sizeof(Elf64_Shdr)) return damaged;
    if (count == 0) count = first->sh_size;
    if (names_index == SHN_XINDEX) names_index = first->sh_link;
  }
  if (count > file.bytes_.size() / sizeof(Elf64_Shdr)) return damaged;
  for (uint64_t i = 0; i < count; ++i) {
    const auto section = read_at<Elf64_Shdr>(file.bytes_, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return damaged;
    const bool has_bytes = section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL;
    if (has_bytes &&
        (section->sh_offset > file.bytes_.size() || section->sh_size > file.bytes_.size() - section->sh_offset))
      return damaged;
    file.headers_.push_back(*section);
  }
  if (count > 0 && names_index >= count) return damaged;
  for (const Elf64_Shdr& section : file.headers_)
    file.names_.emplace_back(text_at(file.content(file.headers_[names_index]), section.sh_name));
  file.read_dynamic();
  return file;
}

std::string_view ElfFile::content(const Elf64_Shdr& section) const {
  if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL) return {};
  return std::string_view(bytes_).substr(section.sh_offset, section.sh_size);
}

std::vector<std::string_view> ElfFile::sections(std::string_view name) const {
  std::vector<std::string_view> found;
  for (size_t i = 0; i < headers_.size(); ++i)
    if (names_[i] == name) found.push_back(content(headers_[i]));
  return found;
}

void ElfFile::read_dynamic() {
  for (const Elf64_Shdr& section : headers_) {
    if (section.sh_type != SHT_DYNAMIC || section.sh_link >= headers_.size()) continue;
    const std::string_view entries = content(section);
    const std::string_view texts = content(headers_[section.sh_link]);
    for (uint64_t at = 0; const auto entry = read_at<Elf64_Dyn>(entries, at); at += sizeof(Elf64_Dyn)) {
      if (entry->d_tag == DT_NULL) break;
      const std::string_view text = text_at(texts, entry->d_un.d_val);
      if (entry->d_tag == DT_NEEDED) needed_.emplace_back(text);
      if (entry->d_tag == DT_SONAME) soname_ = text;
      if (entry->d_tag == DT_SYMBOLIC || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_SYMBOLIC))
        symbolic_ = true;
      if (entry->d_tag != DT_RPATH && entry->d_tag != DT_RUNPATH) continue;
      for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(':', begin), text.size());
        if (end > begin) search_paths_.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  }
}

std::vector<Elf64_Sym> ElfFile::symbols(const Elf64_Shdr& table) const {
  std::vector<Elf64_Sym> found;
  const std::string_view entries = content(table);
  for (uint64_t at = 0; const auto symbol = read_at<Elf64_Sym>(entries, at); at += sizeof(Elf64_Sym))
    found.push_back(*symbol);
  return found;
}

std::string_view ElfFile::symbol_name(const Elf64_Shdr& table, const Elf64_Sym& symbol) const {
  return table.sh_link < headers_.size() ? text_at(content(headers_[table.sh_link]), symbol.st_name) : "";
}

std::set<std::string> ElfFile::exported_symbols() const {
  std::set<std::string> exported;
  for (const Elf64_Shdr& table : headers_) {
    if (table.sh_type != SHT_DYNSYM) continue;
    for (const Elf64_Sym& symbol : symbols(table))
      if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
        exported.emplace(symbol_name(table, symbol));
  }
  return exported;
}

ElfFile::Symbols ElfFile::linker_symbols() const {
  Symbols found;
  for (const Elf64_Shdr& table : headers_) {
    if (table.sh_type != SHT_SYMTAB) continue;
    for (const Elf64_Sym& symbol : symbols(table)) {
      const unsigned binding = ELF64_ST_BIND(symbol.st_info);
      const std::string_view name = symbol_name(table, symbol);
      if (binding == STB_LOCAL || name.empty()) continue;
      if (symbol.st_shndx != SHN_UNDEF)
        found.defined.emplace(name);
      else if (binding != STB_WEAK)
        found.undefined.emplace(name);
    }
  }
  return found;
}

}  // namespace heddle::program
