// SPDX-License-Identifier: Apache-2.0
//
// Library code that comes with the program's own: what headers of the system
// define (std::atomic's operators, std::thread's constructor) and Heddle's models
// of library functions.
//
//   int v = counter.load();        without this: a step of atomic_base.h:488, in a function of its own
//                                  with it: a step of the line that calls it, in the function that calls it
//
// People look for the line that they wrote. And locals that are handed to such
// functions by reference become registers, so that a loop that only waits can be
// seen to do nothing else.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Module;
}

namespace heddle::pass {

// By the path of a source: in a folder of the system or of the C++ library, or a model.
bool is_library_file(llvm::StringRef path);

// Puts small library functions into those that call them, callees first. What is in the
// end discardable and unused is removed.
void inline_library_functions(llvm::Module& module);

// Instructions that were put into code of the program get the place of the call there; those put into
// other library functions, the place in these.
void move_places_to_the_program(llvm::Module& module);

}  // namespace heddle::pass
