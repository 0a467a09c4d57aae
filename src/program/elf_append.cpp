// SPDX-License-Identifier: Apache-2.0
//
// Appending a section to an ELF file. Nothing that is there moves: the new
// contents, a copy of the table of section names with one more name, and a copy
// of the section table with one more entry go to the end of the file, and the
// ELF header is pointed at the new table. So section numbers, program headers
// and addresses stay valid, in objects and in linked files alike.
#include <fmt/format.h>

#include <cstring>

#include "program/elf_file.h"

namespace heddle::program {
namespace {

constexpr uint64_t kRetain = 1u << 21;  // SHF_GNU_RETAIN; not in every <elf.h>
constexpr size_t kTableAlignment = 8;

template <typename T>
T read_at(const std::string& bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

template <typename T>
void write_at(std::string& bytes, uint64_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

}  // namespace

base::Result<std::string> append_section(const ElfFile& file, std::string_view name, std::string_view content) {
  std::string bytes = file.bytes();
  auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (header.e_shoff == 0) return base::Error{"an ELF file without a section table cannot take another section", ""};
  auto first = read_at<Elf64_Shdr>(bytes, header.e_shoff);
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
  const uint64_t names_index = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
  std::string table = bytes.substr(header.e_shoff, count * sizeof(Elf64_Shdr));

  Elf64_Shdr added{};
  added.sh_type = SHT_PROGBITS;
  added.sh_flags = file.is_relocatable() ? kRetain : 0;
  added.sh_offset = bytes.size();
  added.sh_size = content.size();
  added.sh_addralign = 1;  // records of several objects must lie end to end
  bytes += content;

  auto names = read_at<Elf64_Shdr>(table, names_index * sizeof(Elf64_Shdr));
  if (names.sh_type != SHT_STRTAB) return base::Error{"an ELF file without section names cannot take a section", ""};
  std::string texts = bytes.substr(names.sh_offset, names.sh_size);
  added.sh_name = static_cast<uint32_t>(texts.size());
  texts += name;
  texts += '\0';
  names.sh_offset = bytes.size();
  names.sh_size = texts.size();
  bytes += texts;
  write_at(table, names_index * sizeof(Elf64_Shdr), names);
  table.append(reinterpret_cast<const char*>(&added), sizeof added);

  if (count + 1 < SHN_LORESERVE) {
    header.e_shnum = static_cast<uint16_t>(count + 1);
  } else {
    header.e_shnum = 0;
    first = read_at<Elf64_Shdr>(table, 0);
    first.sh_size = count + 1;
    write_at(table, 0, first);
  }
  bytes.resize((bytes.size() + kTableAlignment - 1) / kTableAlignment * kTableAlignment, '\0');
  header.e_shoff = bytes.size();
  if (added.sh_flags != 0 && header.e_ident[EI_OSABI] == ELFOSABI_NONE) header.e_ident[EI_OSABI] = ELFOSABI_GNU;
  bytes += table;
  write_at(bytes, 0, header);
  return bytes;
}

}  // namespace heddle::program
