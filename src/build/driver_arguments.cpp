// SPDX-License-Identifier: Apache-2.0
#include "build/driver_arguments.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>

namespace heddle::build {
namespace {

// Flags that mean something only for link-time optimisation; clang refuses
// some of them without -flto.
bool asks_for_lto(const std::string& argument) {
  for (const char* plain : {"-flto", "-ffat-lto-objects", "-fwhole-program-vtables", "-fsplit-lto-unit",
                            "-funified-lto", "-fvirtual-function-elimination"})
    if (argument == plain) return true;
  return argument.starts_with("-flto=") || argument.starts_with("-flto-jobs=") ||
         argument.starts_with("-fthinlto-index=");
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char*, 64> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  llvm::cl::ExpansionContext expansion(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error failed = expansion.expandResponseFiles(words)) {
    llvm::consumeError(std::move(failed));
    return arguments;  // clang will say what is wrong
  }
  return {words.begin(), words.end()};
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string("-_=+./,:@%^").find(c) != std::string::npos;
}

}  // namespace

DriverArguments prepare_arguments(const std::vector<std::string>& arguments) {
  DriverArguments prepared;
  for (const std::string& argument : expand_response_files(arguments)) {
    if (argument == "-v") prepared.verbose = true;
    if (argument == "-###") prepared.only_shows = true;
    if (asks_for_lto(argument))
      prepared.dropped_lto = true;
    else
      prepared.arguments.push_back(argument);
  }
  return prepared;
}

std::string response_file_text(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    text += '"';
    for (const char c : argument) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

std::string shell_text(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    bool plain = !argument.empty();
    for (const char c : argument) plain &= is_plain(c);
    text += ' ';
    if (plain) {
      text += argument;
      continue;
    }
    text += '"';
    for (const char c : argument) {
      if (c == '"' || c == '\\' || c == '$' || c == '`') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

}  // namespace heddle::build
