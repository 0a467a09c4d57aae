// SPDX-License-Identifier: Apache-2.0
//
// What calls of functions without bitcode bring into the program, by name: the answer is a text of
// pieces with spaces between them.
//
//   v         the result
//   v:s       the string that the result points to;   v:=56   56 bytes there
//   a1:r      as many bytes as the result says, where argument 1 points to;   a0:r*1   times argument 1;   a1:rx12
//   times 12 a1:=16    16 bytes;   a0:1x8   as many as argument 1 says, times 8 a0:s      a string;   a0:s1    one of
//   at most as many bytes as argument 1 says d0:r      where the pointer that argument 0 points to points to, one byte
//   more than the result says t1        argument 1 is a std::string i0        argument 0 is a stream of the C++
//   library: how it stands after the call f1        argument 1 is a format of scanf, those after it say where results
//   go
//
// Bytes are there only when the result is not negative and no null pointer.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace heddle::pass {

// Empty: nothing. A function that nobody knows has "v".
llvm::StringRef recorded_input(llvm::StringRef function);

// Controlled runs can be told what the function brought.
bool is_told_again(llvm::StringRef function);
// It may bring what the program cannot know by itself, and controlled runs cannot be told that.
bool brings_input(llvm::StringRef function);

// Does it neither read nor write shared memory, and yet tell what a controlled run may be told again?
bool asks_outside(llvm::StringRef function);
// The function may run code of the program on this thread before it returns.
bool may_call_back(llvm::StringRef function);

}  // namespace heddle::pass
