// SPDX-License-Identifier: Apache-2.0
//
// What Heddle knows about functions without bitcode, by name.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace heddle::pass {

enum class Effect {
  kUnknown,     // may read and write any shared memory
  kPure,        // touches no memory that another thread could see change
  kModelled,    // the runtime has its own definition, which records events
  kDescriptor,  // as kOutside, but the runtime's own definition waits and records
  kOutside,     // acts on files, streams, processes; writes no program memory but what `ranges` says
};

struct KnownFunction {
  Effect effect = Effect::kUnknown;
  // For all but kModelled: pieces like "r0:1" (reads argument 0, as many bytes as argument
  // 1 says), "w0:1", "w0:2*1", "w0:=" (as many as the call returns), "r0:s" (a
  // string), "w0:s"; separated by spaces. For kUnknown empty.
  const char* ranges = "";
};

KnownFunction known_function(llvm::StringRef name);

// Ends stack frames without returning from their functions: throw, longjmp.
bool leaves_frames(llvm::StringRef name);

}  // namespace heddle::pass
