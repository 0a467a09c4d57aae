// SPDX-License-Identifier: Apache-2.0
#include "program_image.h"

#include <link.h>
#include <string.h>

namespace heddle::rt {

ImageRange g_program_code;
ImageRange g_program_image;

namespace {

constexpr const char* kStandardLibraries[] = {
    "libc.so.", "libstdc++.so.",  "libc++.so.", "libc++abi.so.", "libgcc_s.so.", "libm.so.",  "libatomic.so.",
    "ld-linux", "libpthread.so.", "librt.so.",  "libdl.so.",     "libheddle_",   "linux-vdso"};
constexpr uint32_t kMostStandardLibraries = 64;
ImageRange g_standard_libraries[kMostStandardLibraries];
uint32_t g_standard_library_count;

bool is_standard(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  for (const char* standard : kStandardLibraries)
    if (strncmp(name, standard, strlen(standard)) == 0) return true;
  return false;
}

ImageRange range_of(const dl_phdr_info& info) {
  ImageRange range = {};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uint64_t start = info.dlpi_addr + header.p_vaddr, end = start + header.p_memsz;
    if (!range.start || start < range.start) range.start = start;
    if (end > range.end) range.end = end;
  }
  return range;
}

int look_at_library(dl_phdr_info* info, size_t, void*) {
  if (is_standard(info->dlpi_name) && g_standard_library_count < kMostStandardLibraries)
    g_standard_libraries[g_standard_library_count++] = range_of(*info);
  return 0;
}

int look_for_address(dl_phdr_info* info, size_t, void* address) {
  const ImageRange range = range_of(*info);
  const uint64_t wanted = *static_cast<const uint64_t*>(address);
  return wanted >= range.start && wanted < range.end;
}

int look_at_program(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uint64_t start = info->dlpi_addr + header.p_vaddr, end = start + header.p_memsz;
    if (!g_program_image.start || start < g_program_image.start) g_program_image.start = start;
    if (end > g_program_image.end) g_program_image.end = end;
    if (header.p_flags & PF_X) g_program_code = {start, end};
  }
  return 1;  // the program comes first
}

}  // namespace

void find_program_image() {
  dl_iterate_phdr(look_at_program, nullptr);
  dl_iterate_phdr(look_at_library, nullptr);
}

bool in_standard_library(uint64_t address) {
  for (uint32_t i = 0; i < g_standard_library_count; ++i)
    if (address >= g_standard_libraries[i].start && address < g_standard_libraries[i].end) return true;
  return false;
}

bool in_loaded_image(uint64_t address) { return dl_iterate_phdr(look_for_address, &address) != 0; }

}  // namespace heddle::rt
