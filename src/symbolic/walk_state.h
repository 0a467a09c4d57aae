// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the walker share: the thread's frames with the terms of their
// registers, the trace being made, and how values are held. LLVM inside: only the
// walker's own files include this.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <vector>

#include "build/numbered_program_llvm.h"
#include "symbolic/path_source.h"
#include "symbolic/private_memory.h"
#include "symbolic/symbolic_trace.h"

namespace heddle::symbolic {

using solve::Op;
using solve::Term;

// The parts of a register, those of structures and arrays in a row. A part without
// a term has one value, whatever the thread reads: nobody knows which, but all that
// it came from is held.
using Register = std::vector<std::optional<Term>>;

struct Frame {
  const llvm::Function* function = nullptr;
  uint32_t first_site = 0;
  const llvm::BasicBlock *block = nullptr, *came_from = nullptr;
  llvm::BasicBlock::const_iterator next;
  llvm::DenseMap<const llvm::Value*, Register> registers;
  const llvm::CallBase* call = nullptr;                  // in the frame below; null: called from outside
  llvm::DenseSet<const llvm::BasicBlock*> visited = {};  // by a detour
};

struct WalkState {
  const build::NumberedProgram::Implementation& program;
  PathSource& source;
  solve::Terms& terms;
  ThreadTrace& trace;
  WalkStatistics& statistics;
  PrivateMemory memory;
  std::vector<Frame> frames;
  std::vector<Term> unheld = {};                             // symbols that may have other values
  uint32_t fixed = 0;                                        // what so many operations read has the value that it had
  bool is_detour = false;                                    // nothing that it computes was observed
  bool is_stuck = false;                                     // a detour: it has ended, or its next step is not simple
  llvm::DenseMap<const llvm::Instruction*, int> detours_of;  // branches: how many times they were looked at
  bool was_asked = false;                                    // for the value of the instruction at hand
  std::optional<uint64_t> answer = {};

  WalkState(const build::NumberedProgram& numbered, PathSource& path, solve::Terms& the_terms, ThreadTrace& the_trace,
            WalkStatistics& the_statistics)
      : program(numbered.inside()),
        source(path),
        terms(the_terms),
        trace(the_trace),
        statistics(the_statistics),
        memory(the_terms) {}

  // The same state for a walk that goes elsewhere.
  WalkState(const WalkState& other, PathSource& path, ThreadTrace& the_trace, WalkStatistics& the_statistics)
      : program(other.program),
        source(path),
        terms(other.terms),
        trace(the_trace),
        statistics(the_statistics),
        memory(other.memory),
        frames(other.frames) {}

  // The same state for a walk that goes on from there; the terms are a copy of the other's.
  WalkState(const WalkState& other, PathSource& path, solve::Terms& the_terms, ThreadTrace& the_trace,
            WalkStatistics& the_statistics)
      : program(other.program),
        source(path),
        terms(the_terms),
        trace(the_trace),
        statistics(the_statistics),
        memory(other.memory, the_terms),
        frames(other.frames),
        fixed(other.fixed) {}

  // A detour ends here, and why.
  void stick(const std::string& why) {
    is_stuck = true;
    statistics.sides_end_at.insert(why);
  }

  const llvm::DataLayout& layout() const { return program.module->getDataLayout(); }
  Frame& frame() { return frames.back(); }

  // 0: the type is not one term.
  unsigned width_of(const llvm::Type* type) const;
  unsigned parts_of(const llvm::Type* type) const;

  // The term of an operand that is one term.
  std::optional<Term> term_of(const llvm::Value* value);
  Register register_of(const llvm::Value* value);

  // What the instruction at hand computed, if the source knows.
  std::optional<uint64_t> told(const llvm::Instruction& instruction);

  void require(Term holds, uint32_t site, Condition::Kind kind);
  // From now on the term has the value that it had.
  void hold(Term term, uint32_t site, Condition::Kind kind = Condition::Kind::kHeld);
  void hold_operands(const llvm::Instruction& instruction);
  void hold_everything(uint32_t site);
  // The address that the pointer has; it has no other.
  std::optional<uint64_t> address_of(const llvm::Value* pointer, uint32_t site);

  // An operation as it was recorded; what it reads is held.
  void add_as_it_was(const HeddleRecord& record);
  // For what the next operation reads: a symbol, or what it was where that is fixed.
  Term new_symbol(unsigned width, uint64_t observed);
};

// Registers of one instruction that neither branches nor calls nor touches memory. False: not computed.
bool compute(WalkState& state, const llvm::Instruction& instruction, Register& result);
// The same for calls of intrinsic functions.
bool compute_intrinsic(WalkState& state, const llvm::CallBase& call, Register& result);
// Loads, stores, atomics, fences, ranges. False: it is none of these.
bool access_memory(WalkState& state, const llvm::Instruction& instruction, Register& result);

}  // namespace heddle::symbolic
