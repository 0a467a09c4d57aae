// SPDX-License-Identifier: Apache-2.0
//
// From where the walker takes what it cannot compute: which way a branch went,
// what an outside function gave back, where memory was. One source follows one
// thread; the walker asks in the order in which the thread did things, and never
// searches.
//
// A source may know much (a trace with functions, branches and values) or little
// (branches only): what it does not know it answers with nothing, and the walker
// goes on with terms, as far as it can.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/event.h"
#include "solve/terms.h"

namespace heddle::symbolic {

// A call of code without bitcode, or a range of memory that is read or written.
struct OutsideCall {
  uint32_t site = 0;  // 0: no call; what the thread does outside of all functions of the program
  std::string function = {};
  std::vector<std::optional<solve::Term>> arguments = {};  // those that are one term
  bool gives = false;                                      // value(site) will be asked next
};

class PathSource {
 public:
  virtual ~PathSource() = default;

  // False: what was computed and read is not known. Then terms are all there is, and nothing can be held at the
  // value that it had: where the walker would do so, it counts it and goes on.
  virtual bool knows_values() const { return true; }

  // What the walker and the source see differs: the walk ends here, with `why`.
  // What is left of the thread is given by `rest`.
  virtual bool is_lost() const = 0;
  virtual std::string why() const = 0;
  // The thread ends here, as far as the source knows.
  virtual bool has_ended() = 0;

  // The function whose first instruction has this number is entered. Its arguments, if known; empty ones are not.
  virtual std::vector<std::optional<uint64_t>> enter(uint32_t first_site, uint32_t arguments) = 0;
  virtual void leave(uint32_t first_site) = 0;
  // First site of the function that the next call enters; nothing: it enters none of the program's.
  virtual std::optional<uint32_t> next_function() = 0;

  // The number of the successor that the branch or switch takes; nothing: it is not known that it went any way.
  virtual std::optional<uint32_t> way(uint32_t site) = 0;
  // What the instruction computed. Asked once for each that has_value (numbered_program.h), when it was performed.
  virtual std::optional<uint64_t> value(uint32_t site) = 0;
  // The next operation of the thread, which the instruction performs: a load, store, update or fence that is
  // visible. Nothing: it was not seen; the walker makes one of its own.
  virtual std::optional<HeddleRecord> access(uint32_t site) = 0;
  // All operations of the call.
  virtual std::vector<HeddleRecord> outside(const OutsideCall& call) = 0;

  // Where a local variable, or the global of this name, lies.
  virtual std::optional<uint64_t> local(uint32_t site, uint64_t size) = 0;
  virtual std::optional<uint64_t> global(const std::string& symbol) = 0;

  // What the thread did that was not asked for.
  virtual std::vector<HeddleRecord> rest() = 0;

  // How much of it was asked for so far, and the same again: for walks that go on where another one was. Only where
  // a source can do that.
  virtual size_t taken() const { return 0; }
  virtual void skip_to(size_t) {}
};

}  // namespace heddle::symbolic
