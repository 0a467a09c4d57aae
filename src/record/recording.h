// SPDX-License-Identifier: Apache-2.0
//
// A recording as read back: per thread the way it went through the optimised module, and
// what it was told from outside. Recordings are untrusted input: what is damaged is an
// Error or is left out with a remark, never a crash.
//
// Who follows a path asks in the order of execution:
//
//   conditional branch          path.bit()           true: the first successor
//   switch                      path.bits(width)     number of the successor among the distinct ones in order of
//                                                    their first appearance, the default first; highest bit first;
//                                                    width: switch_width(how many distinct ones)
//   indirect call               next note kTarget
//   call without bitcode        next notes kBytes*, then kResult, if the pass recorded one there (their site says so)
//
// Nothing else takes bits: not select, not calls, returns, invokes. The module is the one that
// intake gives for `optimised`, with models, before instrumentation (pass/recording.h prepares
// it); sites are its instructions as the controlled pass numbers them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/recording.h"
#include "base/result.h"

namespace heddle::record {

// The bits of a path, in order.
class Path {
 public:
  void append(bool bit);
  uint64_t size() const { return size_; }
  bool operator[](uint64_t index) const { return words_[index / 64] >> (index % 64) & 1; }
  bool operator==(const Path&) const = default;

 private:
  std::vector<uint64_t> words_;
  uint64_t size_ = 0;
};

// Takes bits off a path from its beginning; empty when it has come to the end.
class PathCursor {
 public:
  explicit PathCursor(const Path& path) : path_(&path) {}
  std::optional<bool> bit();
  std::optional<uint64_t> bits(unsigned width);
  uint64_t position() const { return position_; }
  bool at_end() const { return position_ == path_->size(); }

 private:
  const Path* path_;
  uint64_t position_ = 0;
};

// What a recording keeps of a value that was read.
constexpr uint32_t check_of(uint64_t value) {
  return static_cast<uint32_t>(value * HEDDLE_VALUE_FACTOR >> (64 - HEDDLE_VALUE_BITS));
}

// How many bits a switch with so many distinct successors takes.
unsigned switch_width(uint64_t successors);

enum class NoteKind : uint8_t {
  kTarget = HEDDLE_NOTE_TARGET,
  kResult = HEDDLE_NOTE_RESULT,
  kBytes = HEDDLE_NOTE_BYTES,
  kEntry = HEDDLE_NOTE_ENTRY,
  kCreated = HEDDLE_NOTE_CREATED,
  kHandled = HEDDLE_NOTE_HANDLED,
  kCore = HEDDLE_NOTE_CORE,
  kStamp = HEDDLE_NOTE_STAMP,
  kValues = HEDDLE_NOTE_VALUES,  // while a recording is read; then they are Thread::values
};

struct Note {
  NoteKind kind = NoteKind::kResult;
  uint32_t site = 0;
  uint64_t value = 0;   // target, entry: address; result: itself; created: number of the thread; handled: signal; core:
                        // the core; stamp: HEDDLE_STAMP_...
  uint64_t second = 0;  // bytes: address; entry: argument; core, stamp: time stamp counter
  uint64_t position = 0;  // in bits of the path (handled: of the interrupted one, about); created, handled, core, stamp
                          // (of a whole path) only
  std::string bytes;      // bytes
  bool operator==(const Note&) const = default;
};

// A moment at which a thread looked at the clock. What it did at places of its path below `before` it had
// done by then; what it did at `after` or beyond it did later; in between it is not known, unless there is a
// site: then the store there, and what came before it, were done, and nothing after it.
struct Stamp {
  uint64_t before = 0, after = 0;  // in bits of the path
  uint32_t site = 0;
  uint64_t time = 0;  // time stamp counter
};

struct Thread {
  std::string name;  // "T0.1": by the tree of creation; handlers are T0.1.h0, threads of unknown origin T0.f0
  uint32_t number = 0, parent = HEDDLE_NO_RECORD, child_number = 0;
  int32_t process_thread = 0;
  bool is_recorded = true;  // else only its number is taken
  bool ended = false;       // by itself, before the program did, and its path is there up to that
  bool is_handler = false;
  uint32_t site = 0;  // of the last call that left the program's own code: where it waits if it waits
  // Path and notes are whole from the first branch on; else the beginning is not there (--keep-last) or was never seen.
  bool from_beginning = true;
  bool was_seen_late = false;      // nobody knows how many branches came before its path
  bool lacks_first_notes = false;  // they were dropped
  uint64_t skipped = 0;            // bits of its path that were dropped; they came before `path`
  bool to_end = true;              // up to the last branch before the process ended
  Path path;
  std::vector<Note> notes;
  std::vector<Stamp> stamps;  // ascending by time; also those of changes of core
  std::vector<uint32_t>
      values;  // of the first so many reads of memory that others may write, in order: check_of what was read
};

// What a thread did on one core without leaving it: every store to shared memory after the one at
// `begin_site`, which it made when its path was `begin` bits long, and before the one at `end_site`. (The
// stores at both ends may have been made on either side of the change.) All stores of a stretch come
// before all stores of a later stretch of the same core.
struct Stretch {
  uint32_t thread = 0;  // in Recording::threads
  uint32_t core = 0;
  uint64_t begin = 0, end = 0;  // in bits of the path; the last stretch of a thread ends at its path's end, site 0
  uint32_t begin_site = 0, end_site = 0;
  uint64_t time = 0;  // time stamp counter, in the order of which stretches of a core come
};

enum class Ending : uint8_t {
  kUnfinished = HEDDLE_RECORDING_UNFINISHED,  // the recorder itself was killed
  kExited = HEDDLE_RECORDING_EXITED,
  kSignalled = HEDDLE_RECORDING_SIGNALLED,
  kTimedOut = HEDDLE_RECORDING_TIMED_OUT,
};

struct Failure {
  uint32_t thread = 0;  // in Recording::threads
  int signal = 0;
  int code = 0;              // si_code
  uint64_t address = 0;      // si_addr
  uint64_t instruction = 0;  // address of the code
  uint32_t site = 0;         // of the instruction where that is known, else of the last call
};

struct FunctionRange {
  std::string name;  // in the module
  uint64_t address = 0, size = 0;
};

// What was recorded, known before it ran.
struct Facts {
  std::string program;
  std::string module_hash;
  std::string executable;           // of the recorded code
  std::vector<std::string> inputs;  // program or sources as given, ...
  std::vector<std::string> cflags;  // ... and their flags
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::vector<FunctionRange> functions;        // by address
  std::vector<std::string> unknown_functions;  // called, without bitcode, effects not known; sorted
};

struct Recording {
  Facts facts;
  uint32_t instrumentation = 0;
  Ending ending = Ending::kUnfinished;
  int status = 0;  // exit code or signal
  std::optional<Failure> failure;
  std::vector<Thread> threads;     // by their numbers; the first is T0
  std::vector<Stretch> stretches;  // by core, and then by time
  bool has_cores = false;
  uint64_t stamp_margin =
      0;  // not 0: of stamps that are further apart than this, in ticks, the earlier one comes first; 0: there are none
  bool has_values = false;           // threads kept checks of what they read
  int stopped = 0;                   // errno that ended recording early, such as ENOSPC
  uint32_t forked = 0;               // children, not recorded
  std::vector<std::string> remarks;  // what is missing or was damaged

  const Thread* find_thread(std::string_view name) const;
  // Threads whose beginning was dropped, with commas; empty: none.
  std::string without_beginning() const;
  // The same of those that were seen too late.
  std::string seen_late() const;
  // And of those whose first inputs were dropped.
  std::string without_first_notes() const;
  // The function that an address of the recorded code lies in; empty: none.
  std::string function_at(uint64_t address) const;
};

// A file, or the directory of a run that has one.
base::Result<Recording> read_recording(const std::string& path);
base::Result<Recording> parse_recording(std::string_view bytes, const std::string& name);

}  // namespace heddle::record
