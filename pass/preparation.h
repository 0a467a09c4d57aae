// SPDX-License-Identifier: Apache-2.0
//
// The form of the code that is instrumented. The same passes in the same order,
// always: instructions are numbered after them.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::pass {

enum class CodeForm {
  kAsWritten,  // every local variable in memory
  kRegisters,  // locals in registers where they can be, so that only real memory is left; small library functions
               // inlined
  kOptimised,  // as clang -O2 does, without vectors
};

void prepare_code(llvm::Module& module, CodeForm form);

// <heddle.h> gives its functions bodies for the program's own use; here the
// runtime's are meant.
void drop_own_bodies(llvm::Module& module);

// Libraries keep to their own copies of inline functions and templates: code of
// the program runs only where the program calls it.
void keep_inline_functions_to_the_program(llvm::Module& module);

}  // namespace heddle::pass
