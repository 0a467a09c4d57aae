// SPDX-License-Identifier: Apache-2.0
//
// A whole program: one merged LLVM module, and what else it takes to link it
// again (objects without bitcode, shared libraries, flags). Everything after
// intake works on this.
//
// This header is free of LLVM; include whole_program_llvm.h to look inside the
// module. A WholeProgram owns its module and the module's context; it can be
// moved, not copied. Not safe for use by two threads at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program/program_parts.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace heddle::program {

class WholeProgram {
 public:
  struct Implementation;  // whole_program_llvm.h

  explicit WholeProgram(std::unique_ptr<Implementation> implementation);
  WholeProgram(WholeProgram&&) noexcept;
  WholeProgram& operator=(WholeProgram&&) noexcept;
  ~WholeProgram();

  // File name of the executable, or of the first source without its ending.
  const std::string& name() const;

  // 16 hexadecimal digits over the merged module, the native objects and the
  // link flags as they were at intake; directories of libraries do not count.
  // Equal inputs give equal hashes; changing the module later does not change it.
  const std::string& hash() const;

  // Link with the C++ driver.
  bool needs_cxx() const;

  // Objects without bitcode; to be linked again as they are.
  const std::vector<NativeObject>& native_objects() const;

  // Absolute paths of shared libraries without bitcode, in link order.
  const std::vector<std::string>& shared_libraries() const;

  // Further flags for the compiler driver when linking: "-lm", "-rdynamic",
  // and run paths to the shared libraries.
  const std::vector<std::string>& link_flags() const;

  // The module as it is now: bitcode, and LLVM assembly to read.
  std::string bitcode() const;
  std::string text() const;

  llvm::Module& module();
  const llvm::Module& module() const;
  llvm::LLVMContext& context();

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace heddle::program
