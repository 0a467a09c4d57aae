// SPDX-License-Identifier: Apache-2.0
//
// Which isolation a program needs: one process for all runs if everything it
// calls can be undone by restoring memory, else a forked child for each run.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "execute/executor.h"

namespace heddle::execute {
namespace {

// Functions outside the program whose effects are gone when memory is restored
// (output that was written stays written, in any isolation).
bool undone_by_restoring_memory(std::string_view name) {
  // clang-format off: a table of names
  static constexpr std::array kNames = {
      "printf", "vprintf", "fprintf", "vfprintf", "puts", "putchar", "putc", "fputc", "fputs", "fwrite", "fflush",
      "perror", "snprintf", "sprintf", "vsnprintf", "vsprintf", "srand", "rand", "random", "srandom", "setenv",
      "unsetenv", "putenv", "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "atoi", "atol", "atoll",
      "atof", "__isoc99_sscanf", "__isoc23_strtol", "__isoc23_strtoul", "__printf_chk", "__fprintf_chk",
      "__snprintf_chk", "__sprintf_chk", "__vsnprintf_chk", "fgetc", "getc", "getchar", "ungetc", "fgets", "fread",
      "feof", "ferror", "clearerr", "fileno", "setvbuf", "setbuf", "flockfile", "funlockfile", "read", "write",
      "isatty", "access", "qsort", "bsearch"};
  // clang-format on
  static constexpr std::array kPrefixes = {"_ZNSo", "_ZStls", "_ZSt", "_ZNSt", "_ZNKSt", "__cxa_"};
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](const char* prefix) { return name.starts_with(prefix); });
}

}  // namespace

IsolationChoice choose_isolation(const Subject& subject, const ExecutorOptions& options) {
  const bool threads = options.carrier == Carrier::kThread;
  if (options.isolation == Isolation::kInProcess && threads)
    return {Isolation::kFork, "operating-system threads of a finished run cannot be undone in one process"};
  if (options.isolation != Isolation::kAutomatic) return {options.isolation, "as asked for"};
  if (threads) return {Isolation::kFork, "operating-system threads of a finished run cannot be undone in one process"};
  for (const auto* list : {&subject.outside_functions, &subject.unknown_functions})
    for (const std::string& name : *list)
      if (!undone_by_restoring_memory(name))
        return {Isolation::kFork, fmt::format("what {} does cannot be undone in one process", name)};
  return {Isolation::kInProcess, "everything the program calls is undone by restoring memory"};
}

}  // namespace heddle::execute
