// SPDX-License-Identifier: Apache-2.0
#include "program_image.h"

#include <link.h>

namespace heddle::rt {

ImageRange g_program_code;
ImageRange g_program_image;

namespace {

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

void find_program_image() { dl_iterate_phdr(look_at_program, nullptr); }

}  // namespace heddle::rt
