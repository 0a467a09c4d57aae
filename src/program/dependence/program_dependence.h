// SPDX-License-Identifier: Apache-2.0
//
// The dependence graph of a whole program, made from its module: registers from
// operands, control from program_flow.h, memory and calls through pointers from
// program_pointers.h.
//
// It is an over-approximation: whatever can influence something has a path to it.
// Left out is only what the language calls undefined (see locations.h), and time:
// how long something takes.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <functional>
#include <utility>
#include <vector>

#include "program/dependence/dependence_graph.h"

namespace llvm {
class Module;
}

namespace heddle::program {

// What the instrumentation does with an instruction.
struct Instrumentation {
  // The instruction's number; 0: it has none.
  std::function<uint32_t(const llvm::Instruction&)> site;
  // True: accesses through this pointer have no hook.
  std::function<bool(const llvm::Value* pointer, bool load)> is_private;
};

// An instruction at which a run may have a visible operation.
struct SiteNodes {
  uint32_t site;
  NodeId action;
  NodeId value = kNoNode;  // what the operation gives to its thread; none for stores
  bool several = false;    // one execution may be several operations
  bool counted = false;    // and its operands may decide how many
};

// A call and one of the functions it may call: which arguments become which
// parameters, and what comes back where.
struct CallBinding {
  struct In {
    NodeId argument, parameter;
    unsigned number;  // of the parameter
  };
  llvm::SmallVector<In, 4> in;
  llvm::SmallVector<std::pair<NodeId, NodeId>, 3>
      out;  // result, whether it returns or throws; and what that is for the caller
};

struct ProgramDependence {
  DependenceGraph graph;
  std::vector<CallBinding> calls;
  std::vector<SiteNodes> sites;  // ascending
};

// With `open`, code without bitcode knows the program's global names.
ProgramDependence find_dependences(const llvm::Module& module, const Instrumentation& instrumentation, bool open);

}  // namespace heddle::program
