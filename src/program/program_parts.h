// SPDX-License-Identifier: Apache-2.0
//
// A program in pieces: what a linked file, an object or a set of sources brings
// along before its modules are merged into one. Plain data; who fills it in:
//
//   read_program.h   from files built with `heddle cc`
//   build/sources.h  from sources compiled on the spot
//
// merge.h turns it into a WholeProgram.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace heddle::program {

// One translation unit. `optimised` may be empty: then `unoptimised` serves
// both purposes.
struct ModulePart {
  std::string source_name;  // as given to the compiler
  std::string triple;
  std::string unoptimised;  // bitcode: frontend output, debug info, no optnone
  std::string optimised;    // bitcode: as optimised for the user
};

// A relocatable ELF file without bitcode: assembly, or a foreign archive member.
struct NativeObject {
  std::string name;  // for messages: "start.o", "libz.a(inflate.o)"
  std::string bytes;
};

// What is needed, besides the modules, to link the program again.
struct LinkFacts {
  bool needs_cxx = false;                     // link with the C++ driver
  std::vector<std::string> shared_libraries;  // absolute paths, in link order
  std::vector<std::string> rpaths;
  std::vector<std::string> flags;  // for the compiler driver: "-lm", "-rdynamic", "-no-pie"
  std::vector<NativeObject> native_objects;
};

// A shared library built with Heddle that the program needs.
struct LibraryPart {
  std::string path;
  std::vector<ModulePart> modules;
  std::set<std::string> exported;  // what its dynamic symbol table defines
  bool symbolic = false;           // linked with -Bsymbolic: uses its own definitions itself
};

struct ProgramParts {
  std::string name;
  std::vector<ModulePart> modules;     // of the program itself, in link order
  std::vector<LibraryPart> libraries;  // in the order in which the loader searches them
  LinkFacts link;
};

}  // namespace heddle::program
