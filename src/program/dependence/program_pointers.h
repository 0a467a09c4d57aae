// SPDX-License-Identifier: Apache-2.0
//
// The points-to analysis of a program: what its pointers may point to, which
// functions its calls may call, and what memory code without bitcode may reach.
//
// Integers are followed as well as pointers, so a pointer that goes through an
// integer, a union or a copy byte by byte is not lost; arithmetic on integers
// gives a pointer that may be anywhere in the objects involved.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <utility>

#include "program/dependence/external_functions.h"
#include "program/dependence/points_to.h"

namespace heddle::program {

// `function` is called on behalf of `call`, which passes it to a library.
struct Callback {
  const llvm::CallBase* call;
  const llvm::Function* function;
  const ExternalFunction* by;
};

// Functions of one type that calls through pointers may call, where they are too
// many to bind each call to each of them: every call of the group may call every member.
struct CalleeGroup {
  std::vector<PointerNode> parameters;
  PointerNode result;
  std::vector<const llvm::Function*> members;
};

class ProgramPointers {
 public:
  // With `open`, code without bitcode knows the program's global names.
  ProgramPointers(const llvm::Module& module, bool open);

  const LocationSet& points_to(const llvm::Value* value) const;
  const Locations& locations() const { return locations_; }

  // Defined and declared functions that a call may call; empty for assembly.
  llvm::ArrayRef<const llvm::Function*> callees(const llvm::CallBase& call) const;
  // The group that a call may call as well; null: none.
  const CalleeGroup* group(const llvm::CallBase& call) const;
  // What a declared function does.
  const ExternalFunction& external(const llvm::Function& function) const;
  // Assembly, or a function that nothing is known about.
  bool calls_unknown(const llvm::CallBase& call) const { return unknown_calls_.contains(&call); }
  const std::vector<Callback>& callbacks() const { return callbacks_; }

  // Memory that code without bitcode may read and write, and functions it may call.
  const LocationSet& outside() const { return solver_.points_to(outside_); }
  const std::vector<const llvm::Function*>& called_from_outside() const { return called_from_outside_; }

  ObjectId errno_object() const { return errno_; }
  ObjectId library_object() const { return library_; }
  // The unnamed arguments of a variadic function; memory without a name.
  const llvm::DenseMap<const llvm::Function*, ObjectId>& unnamed_arguments() const { return unnamed_; }
  // The copy that an argument passed by value is.
  const llvm::DenseMap<const llvm::Argument*, ObjectId>& copies() const { return copies_; }

 private:
  PointerNode node(const llvm::Value* value);
  PointerNode constant_node(const llvm::Constant* constant);
  ObjectId object_of(const llvm::GlobalObject* global);
  PointerNode result_of(const llvm::Function* function);
  PointerNode address_node(LocationId location);
  void add_initializer(ObjectId object, const llvm::Constant* value, uint64_t offset);
  void add_globals(const llvm::Module& module);
  void add_function(const llvm::Function& function);
  void add_instruction(const llvm::Instruction& instruction);
  void add_element_pointer(const llvm::GetElementPtrInst& pointer);
  void add_intrinsic(const llvm::IntrinsicInst& intrinsic);
  void add_call(const llvm::CallBase& call);
  void bind(const llvm::CallBase& call, const llvm::Function& callee);
  void bind_group(const llvm::CallBase& call, const llvm::Function& callee);
  void bind_defined(const llvm::CallBase& call, const llvm::Function& callee);
  void bind_external(const llvm::CallBase& call, const ExternalFunction& external);
  void bind_unknown(const llvm::CallBase& call);
  bool bind_lost_calls();
  void bind_callback(const llvm::CallBase& call, const ExternalFunction& external);
  void copy_contents(PointerNode to, PointerNode from, uint64_t size);
  void mix_operands(const llvm::User& user, PointerNode result);
  void open_to_outside(const llvm::Module& module, bool open);

  const llvm::DataLayout& layout_;
  Locations locations_;
  PointsToSolver solver_;
  llvm::DenseMap<const llvm::Value*, PointerNode> nodes_;
  llvm::DenseMap<const llvm::Function*, PointerNode> results_;
  llvm::DenseMap<const llvm::GlobalObject*, ObjectId> globals_;
  llvm::DenseMap<const llvm::Function*, ObjectId> unnamed_;
  llvm::DenseMap<const llvm::Argument*, ObjectId> copies_;
  llvm::DenseMap<const llvm::Value*, ObjectId> allocations_;
  llvm::DenseMap<const llvm::CallBase*, llvm::SmallVector<const llvm::Function*, 2>> callees_;
  std::map<const llvm::FunctionType*, CalleeGroup> groups_;
  llvm::DenseSet<const llvm::CallBase*> grouped_calls_;
  llvm::DenseSet<const llvm::Function*> grouped_functions_;
  llvm::DenseSet<const llvm::CallBase*> unknown_calls_;
  std::vector<const llvm::CallBase*> indirect_calls_;
  mutable llvm::DenseMap<const llvm::Function*, const ExternalFunction*> externals_;
  std::vector<Callback> callbacks_;
  llvm::DenseSet<std::pair<const llvm::CallBase*, const llvm::Function*>> known_callbacks_;
  std::vector<const llvm::Function*> called_from_outside_;
  PointerNode nothing_, outside_, exceptions_, thread_results_, key_values_;
  ObjectId library_, arguments_, errno_;
};

}  // namespace heddle::program
