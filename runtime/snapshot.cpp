// SPDX-License-Identifier: Apache-2.0
#include "snapshot.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "real.h"
#include "state.h"
#include "support.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kRemapAbove = 256 << 10;  // larger pieces are mapped from a file and dropped, not copied

struct Piece {
  char* start;
  char* copy;  // null: a private mapping of a file that holds the copy
  uint64_t size;
  bool library;
};

constexpr uint32_t kMostPieces = 4096;
Piece g_pieces[kMostPieces];
uint32_t g_piece_count;

// Maps [start, start+size), whole pages, from a file with the present content:
// dropping the pages then brings that content back.
bool map_from_file(char* start, uint64_t size) {
  const int file = memfd_create("heddle-data", MFD_CLOEXEC);
  if (file < 0) return false;
  bool written = true;
  for (uint64_t done = 0; written && done < size;) {
    const ssize_t part = real.write(file, start + done, size - done);
    written = part > 0;
    done += written ? static_cast<uint64_t>(part) : 0;
  }
  const bool mapped =
      written && real.mmap(start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == start;
  close(file);
  return mapped;
}

void add_copied(char* start, uint64_t size, bool library) {
  if (!size) return;
  if (g_piece_count == kMostPieces) runtime_broken("the program and its libraries have their data in too many pieces");
  char* copy = static_cast<char*>(runtime_memory(size));
  memcpy(copy, start, size);
  g_pieces[g_piece_count++] = {start, copy, size, library};
}

void add_piece(uint64_t start, uint64_t end, bool library) {
  if (start >= end) return;
  const uint64_t first_page = (start + kPage - 1) & ~(kPage - 1), last_page = end & ~(kPage - 1);
  if (end - start > kRemapAbove && g_piece_count < kMostPieces &&
      map_from_file(reinterpret_cast<char*>(first_page), last_page - first_page)) {
    g_pieces[g_piece_count++] = {reinterpret_cast<char*>(first_page), nullptr, last_page - first_page, library};
    add_copied(reinterpret_cast<char*>(start), first_page - start, library);
    add_copied(reinterpret_cast<char*>(last_page), end - last_page, library);
    return;
  }
  add_copied(reinterpret_cast<char*>(start), end - start, library);
}

bool ends_with(const char* text, const char* end) {
  const size_t length = strlen(text), tail = strlen(end);
  return length >= tail && same_text(text + length - tail, end);
}

int add_object(dl_phdr_info* info, size_t, void* count) {
  const bool program = (*static_cast<int*>(count))++ == 0;
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* file = slash ? slash + 1 : info->dlpi_name;
  // The loader keeps the list of threads, which outlives a run.
  if (strncmp(file, "ld-linux", 8) == 0 || ends_with(file, "vdso.so.1")) return 0;
  uint64_t read_only_start = 0, read_only_end = 0;
  bool runtime = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_RELRO) {
      read_only_start = start & ~(kPage - 1);
      read_only_end = (start + header.p_memsz) & ~(kPage - 1);
    }
    const uint64_t mine = reinterpret_cast<uint64_t>(&g);
    if (header.p_type == PT_LOAD && mine >= start && mine < start + header.p_memsz) runtime = true;
  }
  if (runtime) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) continue;
    const uint64_t start = info->dlpi_addr + header.p_vaddr, end = start + header.p_memsz;
    const bool overlaps = read_only_start < end && read_only_end > start;
    if (!overlaps) {
      add_piece(start, end, !program);
    } else {
      add_piece(start, read_only_start < start ? start : read_only_start, !program);
      add_piece(read_only_end, end, !program);
    }
  }
  return 0;
}

}  // namespace

void snapshot_take() {
  int count = 0;
  dl_iterate_phdr(add_object, &count);
}

void snapshot_restore(bool libraries) {
  for (uint32_t i = 0; i < g_piece_count; ++i) {
    const Piece& piece = g_pieces[i];
    if (piece.library && !libraries) continue;
    if (piece.copy) {
      memcpy(piece.start, piece.copy, piece.size);
    } else {
      madvise(piece.start, piece.size, MADV_DONTNEED);
    }
  }
}

}  // namespace heddle::rt
