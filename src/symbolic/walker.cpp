// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walker.h"

#include <llvm/IR/IntrinsicInst.h>

#include "symbolic/walk_state.h"

namespace heddle::symbolic {
namespace {

class Walker {
 public:
  Walker(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms, ThreadTrace& trace,
         WalkStatistics& statistics)
      : state_(program, source, terms, trace, statistics) {}

  void run() {
    while (!is_over()) {
      for (const HeddleRecord& record : source().outside({})) state_.add_as_it_was(record);
      const std::optional<uint32_t> first = is_over() ? std::nullopt : source().next_function();
      if (!first) break;
      const llvm::Function* function = state_.program.functions.lookup(*first);
      if (!function) return give_up("a function that the module does not have");
      enter(*function, nullptr);
      while (!state_.frames.empty() && !is_over()) step();
    }
    if (!lost_.empty() || source().is_lost() || !source().has_ended()) give_up(lost_.empty() ? source().why() : lost_);
  }

 private:
  PathSource& source() { return state_.source; }
  Frame& frame() { return state_.frame(); }
  bool is_over() { return !lost_.empty() || source().is_lost() || source().has_ended(); }
  void lose(std::string why) { lost_ = std::move(why); }

  // What follows is not understood: all that was read keeps its value.
  void give_up(const std::string& why) {
    state_.hold_everything(0);
    for (const HeddleRecord& record : source().rest()) state_.add_as_it_was(record);
    ++state_.statistics.lost;
    state_.statistics.reasons.push_back(state_.trace.thread + ": " + why);
  }

  void enter(const llvm::Function& function, const llvm::CallBase* call) {
    Frame frame;
    frame.function = &function;
    frame.call = call;
    frame.block = &function.getEntryBlock();
    frame.next = frame.block->begin();
    frame.first_site = state_.program.site(*frame.block->getFirstNonPHIOrDbg());
    uint32_t simple = 0;
    for (const llvm::Argument& argument : function.args()) simple += state_.width_of(argument.getType()) > 0;
    const std::vector<std::optional<uint64_t>> told = source().enter(frame.first_site, simple);
    if (is_over()) return;
    uint32_t next = 0;
    for (const llvm::Argument& argument : function.args()) {
      const unsigned width = state_.width_of(argument.getType());
      const std::optional<uint64_t> value = width && next < told.size() ? told[next++] : std::nullopt;
      Register given(state_.parts_of(argument.getType()));
      if (call && argument.getArgNo() < call->arg_size() && !argument.hasByValAttr())
        given = state_.register_of(call->getArgOperand(argument.getArgNo()));
      if (width && !given[0] && value) given = {state_.terms.constant(width, *value)};
      if (width && given[0] && value && state_.terms.observed(*given[0]) != *value) return lose("an argument differs");
      frame.registers[&argument] = std::move(given);
    }
    state_.frames.push_back(std::move(frame));
  }

  void step() {
    const llvm::Instruction& instruction = *frame().next++;
    ++state_.statistics.instructions;
    state_.was_asked = false;
    if (instruction.isTerminator()) return end_block(instruction);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !llvm::isa<llvm::MemIntrinsic>(call))
      return this->call(*call);
    Register result(state_.parts_of(instruction.getType()));
    if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      make_local(*local, result);
    } else if (!access_memory(state_, instruction, result)) {
      if (!compute(state_, instruction, result)) hold(instruction, result);
    }
    if (!is_over()) settle(instruction, std::move(result));
  }

  // Keeps its value, and so does what it was made of.
  void hold(const llvm::Instruction& instruction, Register& result) {
    state_.hold_operands(instruction);
    ++state_.statistics.held;
    result.assign(state_.parts_of(instruction.getType()), std::nullopt);
  }

  // The result of the instruction, compared with what is known of it.
  void settle(const llvm::Instruction& instruction, Register result) {
    const std::optional<uint64_t> told = state_.told(instruction);
    if (is_over()) return;
    const unsigned width = state_.width_of(instruction.getType());
    if (told && width && result[0] && state_.terms.observed(*result[0]) != *told)
      return lose("the walk and the run compute different values at site " + std::to_string(state_.program.site(instruction)));
    if (told && width && !result[0]) result = {state_.terms.constant(width, *told)};
    if (!instruction.getType()->isVoidTy()) frame().registers[&instruction] = std::move(result);
  }

  void make_local(const llvm::AllocaInst& local, Register& result) {
    state_.hold_operands(local);
    const uint64_t each = state_.layout().getTypeAllocSize(local.getAllocatedType());
    const std::optional<Term> count = state_.term_of(local.getArraySize());
    const uint64_t size = each * (count ? state_.terms.observed(*count) : 1);
    std::optional<uint64_t> address = state_.told(local);
    if (!address && !is_over()) address = source().local(state_.program.site(local), size);
    if (!address) return;
    state_.memory.forget(*address, size);
    result = {state_.terms.constant(64, *address)};
  }

  void go_to(const llvm::BasicBlock& block) {
    Frame& own = frame();
    own.came_from = own.block;
    own.block = &block;
    own.next = block.begin();
    std::vector<std::pair<const llvm::PHINode*, Register>> values;
    for (const llvm::PHINode& phi : block.phis()) {
      const llvm::Value* value = phi.getIncomingValueForBlock(own.came_from);
      values.emplace_back(&phi, state_.register_of(value));
      ++own.next;
    }
    for (auto& [phi, value] : values) {
      state_.was_asked = false;
      settle(*phi, std::move(value));
      if (is_over()) return;
    }
  }

  void end_block(const llvm::Instruction& end) {
    if (const auto* back = llvm::dyn_cast<llvm::ReturnInst>(&end)) return leave(*back);
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end)) return take(*branch);
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) return take(*choice);
    if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&end)) return call(*invoke);
    lose(llvm::isa<llvm::ResumeInst>(end) ? "an exception" : "a jump that is not understood");
  }

  // Nothing: the path ends here.
  std::optional<uint32_t> ask_way(uint32_t site) {
    const std::optional<uint32_t> way = source().way(site);
    if (way) state_.trace.certain_operations = static_cast<uint32_t>(state_.trace.operations.size());
    if (!way && !is_over()) lose("a branch of which nobody knows where it went");
    return way;
  }

  void take(const llvm::BranchInst& branch) {
    if (branch.isUnconditional()) return go_to(*branch.getSuccessor(0));
    const uint32_t site = state_.program.site(branch);
    const std::optional<uint32_t> way = ask_way(site);
    if (!way || *way > 1) return;
    if (const std::optional<Term> condition = state_.term_of(branch.getCondition()))
      state_.require(*way == 0 ? *condition : state_.terms.complement(*condition), site, Condition::Kind::kBranch);
    go_to(*branch.getSuccessor(*way));
  }

  void take(const llvm::SwitchInst& choice) {
    const uint32_t site = state_.program.site(choice);
    const std::optional<uint32_t> way = ask_way(site);
    if (!way || *way >= choice.getNumSuccessors()) return;
    if (const std::optional<Term> term = state_.term_of(choice.getCondition())) {
      for (const auto& option : choice.cases()) {
        const Term equal = state_.terms.eq(*term, state_.terms.constant(state_.terms.width(*term), option.getCaseValue()->getZExtValue()));
        const bool taken = option.getSuccessorIndex() == *way;
        if (taken || *way == 0) state_.require(taken ? equal : state_.terms.complement(equal), site, Condition::Kind::kBranch);
      }
    }
    go_to(*choice.getSuccessor(*way));
  }

  void leave(const llvm::ReturnInst& back) {
    Register result;
    if (const llvm::Value* value = back.getReturnValue()) result = state_.register_of(value);
    source().leave(frame().first_site);
    if (is_over()) return;
    const llvm::CallBase* call = frame().call;
    // Nobody knows what becomes of it outside.
    if (!call)
      for (const std::optional<Term>& part : result)
        if (part) state_.hold(*part, state_.program.site(back));
    state_.frames.pop_back();
    if (!call) return;
    state_.was_asked = false;
    finish_call(*call, std::move(result));
  }

  void finish_call(const llvm::CallBase& call, Register result) {
    if (result.size() != state_.parts_of(call.getType())) result.assign(state_.parts_of(call.getType()), std::nullopt);
    settle(call, std::move(result));
    if (is_over()) return;
    if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) go_to(*invoke->getNormalDest());
  }

  void call(const llvm::CallBase& call) {
    Register result(state_.parts_of(call.getType()));
    if (llvm::isa<llvm::IntrinsicInst>(call)) {
      if (call.getType()->isVoidTy()) return;
      if (!compute_intrinsic(state_, call, result)) hold(call, result);
      return finish_call(call, std::move(result));
    }
    if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) return lose("setjmp");
    if (call.isMustTailCall()) return lose("a call that does not come back");
    const llvm::Function* function = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (!function && !call.isInlineAsm()) {
      const std::optional<uint64_t> address = state_.address_of(call.getCalledOperand(), state_.program.site(call));
      function = called_through_pointer(address);
    }
    if (!function || function->isDeclaration()) return call_outside(call, function);
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      if (call.isByValArgument(i)) return lose("an argument that is a copy of memory");
      if (i < function->arg_size()) continue;
      for (const std::optional<Term>& part : state_.register_of(call.getArgOperand(i)))
        if (part) state_.hold(*part, state_.program.site(call));
    }
    enter(*function, &call);
  }

  const llvm::Function* called_through_pointer(std::optional<uint64_t> address) {
    const std::optional<uint32_t> first = source().next_function();
    const llvm::Function* function = first ? state_.program.functions.lookup(*first) : nullptr;
    if (!function || !address) return function;
    const auto known = state_.program.globals.find(function->getName().str());
    return known == state_.program.globals.end() || known->second == *address ? function : nullptr;
  }

  void call_outside(const llvm::CallBase& call, const llvm::Function* function) {
    const uint32_t site = state_.program.site(call);
    bool sees_private = false;
    for (const llvm::Use& argument : call.args())
      sees_private |= argument->getType()->isPointerTy() && !llvm::isa<llvm::Constant>(argument);
    if (sees_private && !state_.memory.is_empty()) {
      state_.hold_everything(site);
      state_.memory.forget();
    }
    state_.hold_operands(call);
    const bool gives = state_.program.has_value.contains(&call);
    Register result(state_.parts_of(call.getType()));
    OutsideCall outside{site, function ? function->getName().str() : "", {}, gives};
    for (const llvm::Use& argument : call.args()) outside.arguments.push_back(state_.term_of(argument));
    for (const HeddleRecord& record : source().outside(outside)) {
      state_.add_as_it_was(record);
      if (record.kind == HEDDLE_ALLOC && call.getType()->isPointerTy()) result = {state_.terms.constant(64, record.address)};
    }
    if (is_over()) return;
    if (call.doesNotReturn()) return lose("a call that does not come back");
    ++state_.statistics.held;
    finish_call(call, std::move(result));
  }

  WalkState state_;
  std::string lost_;
};

}  // namespace

ThreadTrace walk_thread(const build::NumberedProgram& program, PathSource& source, solve::Terms& terms,
                        const std::string& thread, WalkStatistics& statistics) {
  ThreadTrace trace;
  trace.thread = thread;
  Walker(program, source, terms, trace, statistics).run();
  return trace;
}

}  // namespace heddle::symbolic
