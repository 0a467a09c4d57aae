// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/make_view.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::program {
namespace {

std::string function_name(const llvm::Function* pointer) {
  if (!pointer) return "one of several functions";
  const llvm::Function& function = *pointer;
  const llvm::DISubprogram* program = function.getSubprogram();
  return program && !program->getName().empty() ? program->getName().str() : function.getName().str();
}

std::string name_of(const llvm::Value* value) {
  if (!value) return "a library, or of several objects";
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
    global->getDebugInfo(infos);
    if (!infos.empty()) return infos[0]->getVariable()->getName().str();
    return global->getName().str();
  }
  if (llvm::isa<llvm::AllocaInst>(value)) {
    for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(const_cast<llvm::Value*>(value)))
      return record->getVariable()->getName().str();
    return value->hasName() ? value->getName().str() : "a local";
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) return "what " + instruction_text(*call) + " gives";
  return value->hasName() ? value->getName().str() : "an argument";
}

std::string text_of(const DependenceNode& node) {
  const auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(node.value);
  const auto* function = llvm::dyn_cast_or_null<llvm::Function>(node.value);
  switch (node.kind) {
    case NodeKind::kValue: return "value of " + instruction_text(*instruction);
    case NodeKind::kAction: return instruction_text(*instruction);
    case NodeKind::kInput: return "what is given to " + instruction_text(*instruction);
    case NodeKind::kControl: return "whether the code up to here is reached";
    case NodeKind::kDecision: return "how it goes on after " + instruction_text(*instruction);
    case NodeKind::kEntry: return "call of " + function_name(function);
    case NodeKind::kParameter:
      return "parameter " + (node.value ? node.value->getName().str() : "of one of several functions");
    case NodeKind::kResult: return "result of " + function_name(function);
    case NodeKind::kReturns: return "whether " + function_name(function) + " returns";
    case NodeKind::kUnwinds: return "whether " + function_name(function) + " throws";
    case NodeKind::kMemory: return "memory of " + name_of(node.value);
    case NodeKind::kState: return "state of libraries";
  }
  return "";
}

class Names {
 public:
  explicit Names(DependenceView& view) : view_(view) { number(""); }
  uint32_t number(llvm::StringRef name) {
    const auto [found, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(view_.names.size()));
    if (is_new) view_.names.push_back(name.str());
    return found->second;
  }

 private:
  DependenceView& view_;
  llvm::StringMap<uint32_t> numbers_;
};

}  // namespace

std::string instruction_text(const llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer) {
    const llvm::Value* base = pointer->stripInBoundsOffsets();
    const bool named = llvm::isa<llvm::GlobalVariable>(base) || llvm::isa<llvm::AllocaInst>(base);
    return instruction.getOpcodeName() + (named ? " " + name_of(base) : "");
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (call->isInlineAsm()) return "assembly";
    const auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    if (llvm::isa<llvm::MemSetInst>(call)) return "memset";
    if (llvm::isa<llvm::MemMoveInst>(call)) return "memmove";
    if (llvm::isa<llvm::MemCpyInst>(call)) return "memcpy";
    return callee ? "call " + function_name(callee) : "call through a pointer";
  }
  if (llvm::isa<llvm::BranchInst>(instruction)) return "branch";
  if (llvm::isa<llvm::AllocaInst>(instruction)) return "local " + name_of(&instruction);
  return instruction.getOpcodeName();
}

DependenceView make_view(const DependenceGraph& graph) {
  DependenceView view;
  Names names(view);
  for (size_t kind = 0; kind < kEdgeKinds; ++kind)
    view.kinds.push_back(heddle::program::name_of(static_cast<EdgeKind>(kind)));
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const DependenceNode& node = graph.node(id);
    ViewNode& made = view.nodes.emplace_back();
    made.what = text_of(node);
    made.is_segment = node.kind == NodeKind::kControl;
    const bool is_memory = node.kind == NodeKind::kMemory;
    const auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(node.value);
    const auto* function = llvm::dyn_cast_or_null<llvm::Function>(node.value);
    if (const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(node.value)) function = argument->getParent();
    if (instruction) function = instruction->getFunction();
    if (!function || is_memory) continue;
    made.function = names.number(function_name(function));
    const llvm::DISubprogram* program = function->getSubprogram();
    if (const llvm::DILocation* location = instruction ? instruction->getDebugLoc().get() : nullptr) {
      made.file = names.number(location->getFilename());
      made.line = location->getLine();
      made.column = location->getColumn();
    } else if (!instruction && program) {
      made.file = names.number(program->getFilename());
      made.line = program->getLine();
    }
  }
  for (NodeId id = 0; id < graph.nodes(); ++id)
    for (const DependenceEdge& edge : graph.out_of(id))
      view.edges.push_back({id, edge.other, static_cast<uint8_t>(edge.kind)});
  return view;
}

}  // namespace heddle::program
