// SPDX-License-Identifier: Apache-2.0
//
// What functions without bitcode do, as far as dependences are concerned. A
// function that is not in the table may do everything: read and write all memory
// that ever left the program, call every function whose address did, throw, and
// not return.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace heddle::program {

struct ArgumentAccess {
  uint8_t argument;  // kAllArguments: each
  bool write;
  uint32_t size;  // bytes; 0: the whole object
};
inline constexpr uint8_t kAllArguments = 255;

enum class Comeback : uint8_t { kAlways, kPerhaps, kNever };

// State that a function reads and changes, and that is not the program's memory.
// The heap and the threads have some because addresses depend on what was
// allocated before, and numbers of threads on how many there were.
enum class HiddenState : uint8_t { kNone, kOutside, kKeys, kSignals, kHeap, kThreads };
inline constexpr size_t kHiddenStates = 6;

enum class ReturnedPointer : uint8_t { kNone, kFresh, kArgument0, kLibrary, kErrno, kKeyValue, kException };

// What pointers it moves in memory.
enum class Copy : uint8_t {
  kNone,
  kContents1To0,    // memcpy
  kContents0ToNew,  // realloc
  kPointer0Into1,   // strtol: a pointer into argument 0 is stored through argument 1
};

// Who calls the function that is passed as an argument.
enum class CallbackTime : uint8_t { kNone, kAtOnce, kNewThread, kLater };

struct ExternalFunction {
  bool known = false;
  llvm::SmallVector<ArgumentAccess, 3> accesses;
  HiddenState state = HiddenState::kNone;
  Comeback comeback = Comeback::kAlways;
  ReturnedPointer returned = ReturnedPointer::kNone;
  bool throws = false;
  bool fresh_through_argument0 = false;  // posix_memalign
  Copy copy = Copy::kNone;
  bool gives_thread_result = false;  // pthread_join: through argument 1
  bool keeps_key_value = false;      // pthread_setspecific: argument 1
  bool ends_something = false;       // a thread, the process, or a signal is sent: later callbacks run
  bool jumps = false;                // longjmp
  bool may_cancel = false;           // a cancelled thread ends here
  CallbackTime callback_time = CallbackTime::kNone;
  uint8_t callback = 0;           // argument that is called
  int8_t callback_argument = -1;  // argument that is passed on as its first; -1: none
};

const ExternalFunction& external_function(llvm::StringRef name);

}  // namespace heddle::program
