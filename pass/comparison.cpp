// SPDX-License-Identifier: Apache-2.0
#include "pass/comparison.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <map>
#include <set>

#include "abi/comparison.h"
#include "pass/comparison_code.h"
#include "pass/preparation.h"
#include "pass/rewriter.h"
#include "pass/source_names.h"

namespace heddle::pass {
namespace {

// The called function runs code of its own, or may call back: the segment ends.
bool ends_segment(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm() && !call->isMustTailCall();
}

bool allocates(llvm::StringRef name) {
  // clang-format off: a table of names
  static const std::set<llvm::StringRef> kNames = {
      "malloc",  "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign", "valloc", "reallocarray", "strdup", "strndup",
      "_Znwm",   "_Znam",  "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t",
      "_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t"};
  // clang-format on
  return kNames.contains(name);
}

class Comparison {
 public:
  Comparison(llvm::Module& module, ComparedProgram& program)
      : module_(module), layout_(module.getDataLayout()), code_(module), program_(program) {
    program_.words.push_back("");
    program_.places.push_back({});
  }

  void add(llvm::Function& function);
  void finish();

 private:
  void number_segments(const std::vector<llvm::BasicBlock*>& blocks);
  void add_block(llvm::BasicBlock& block, const std::vector<llvm::Instruction*>& instructions, bool is_entry);
  void add_instruction(llvm::Instruction& instruction);
  void begin(llvm::Instruction* position);
  void end(llvm::Instruction* position);
  void compare_result(llvm::Instruction& value, SlotKind kind, ComparisonCode::Memory memory,
                      llvm::Instruction* position);
  void compare_arguments(llvm::CallBase& call);
  void compare_output(llvm::CallBase& call);
  void compare_address(llvm::Instruction& access);
  llvm::Value* compare(llvm::Value* value, ComparedSlot slot, ComparisonCode::Memory memory,
                       llvm::Instruction* position);

  uint32_t word(llvm::StringRef text);
  ComparedSlot describe(const llvm::Instruction& instruction, SlotKind kind);

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  ComparisonCode code_;
  ComparedProgram& program_;
  std::map<std::string, uint32_t, std::less<>> words_;
  std::set<std::string> outside_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> first_segment_;
  uint32_t segment_ = 0;  // current
};

uint32_t Comparison::word(llvm::StringRef text) {
  if (text.empty()) return 0;
  const auto [found, added] = words_.try_emplace(text.str(), static_cast<uint32_t>(program_.words.size()));
  if (added) program_.words.push_back(text.str());
  return found->second;
}

ComparedSlot Comparison::describe(const llvm::Instruction& instruction, SlotKind kind) {
  ComparedSlot slot;
  slot.kind = kind;
  slot.instruction = word(instruction.getOpcodeName());
  ComparedPlace place;
  if (const llvm::DILocation* location = instruction.getDebugLoc().get()) {
    place.file = word(location->getFilename());
    place.line = location->getLine();
    place.column = location->getColumn();
  } else if (const llvm::DISubprogram* whole = instruction.getFunction()->getSubprogram()) {
    place.file = word(whole->getFilename());
    place.line = whole->getLine();
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    place.variable = word(variable_name(load->getPointerOperand()));
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    place.variable = word(variable_name(store->getPointerOperand()));
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    place.variable = word(variable_name(local));
    slot.is_local = true;
    if (const auto size = local->getAllocationSize(layout_)) slot.size = size->getFixedValue();
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (const llvm::Function* callee = call->getCalledFunction()) slot.callee = word(callee->getName());
  slot.place = static_cast<uint32_t>(program_.places.size());
  const ComparedPlace& last = program_.places.back();
  if (std::tie(last.file, last.line, last.column, last.variable) ==
      std::tie(place.file, place.line, place.column, place.variable)) {
    --slot.place;
  } else {
    program_.places.push_back(place);
  }
  return slot;
}

llvm::Value* Comparison::compare(llvm::Value* value, ComparedSlot slot, ComparisonCode::Memory memory,
                                 llvm::Instruction* position) {
  std::vector<ComparedSlot>& slots = program_.segments[segment_].slots;
  const auto first = static_cast<uint32_t>(slots.size());
  const uint32_t words = ComparisonCode::words_of(value->getType(), layout_);
  const uint64_t bits = layout_.getTypeSizeInBits(value->getType());
  slot.is_pointer = value->getType()->isPointerTy();
  for (uint32_t i = 0; i < words; ++i) {
    slot.bits = static_cast<uint8_t>(std::min<uint64_t>(bits - 64 * i, 64));
    slots.push_back(slot);
  }
  return code_.compare(value, first, memory, position);
}

// Whoever uses the value takes what the comparison gives.
void Comparison::compare_result(llvm::Instruction& value, SlotKind kind, ComparisonCode::Memory memory,
                                llvm::Instruction* position) {
  if (ComparisonCode::words_of(value.getType(), layout_) == 0) return;
  std::vector<llvm::Use*> uses;
  for (llvm::Use& use : value.uses()) uses.push_back(&use);
  llvm::Value* given = compare(&value, describe(value, kind), memory, position);
  for (llvm::Use* use : uses) use->set(given);
}

void Comparison::compare_arguments(llvm::CallBase& call) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Value* argument = call.getArgOperand(i);
    if (ComparisonCode::words_of(argument->getType(), layout_) == 0 || call.paramHasAttr(i, llvm::Attribute::ImmArg) ||
        call.isByValArgument(i) || argument->isSwiftError())
      continue;
    ComparedSlot slot = describe(call, SlotKind::kArgument);
    slot.number = static_cast<uint16_t>(i);
    call.setArgOperand(i, compare(argument, slot, {}, &call));
  }
  if (call.getCalledFunction()) compare_output(call);
}

// What is about to leave the program: nothing in it would show that it is wrong.
void Comparison::compare_output(llvm::CallBase& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  struct Data {
    int address, size, count;  // arguments; -1: none
  };
  static const std::map<llvm::StringRef, Data> kOutputs = {
      {"fwrite", {0, 1, 2}}, {"fwrite_unlocked", {0, 1, 2}}, {"write", {1, 2, -1}}, {"pwrite", {1, 2, -1}},
      {"send", {1, 2, -1}},  {"fputs", {0, -1, -1}},         {"puts", {0, -1, -1}}};
  const auto found = kOutputs.find(name);
  if (found == kOutputs.end()) return;
  const Data& data = found->second;
  const auto argument = [&](int number) {
    return number < 0 ? nullptr : call.getArgOperand(static_cast<unsigned>(number));
  };
  ComparedSlot slot = describe(call, SlotKind::kArgument);
  slot.number = 255;
  compare(code_.bytes_at(argument(data.address), argument(data.size), argument(data.count), &call), slot, {}, &call);
}

// A wrong address is used here, whatever value is found or left there. The addresses of
// variables themselves are constants of the code.
void Comparison::compare_address(llvm::Instruction& access) {
  llvm::Value* address = const_cast<llvm::Value*>(llvm::getPointerOperand(&access));
  if (!address || llvm::isa<llvm::GetElementPtrInst>(access) || llvm::isa<llvm::Constant>(address) ||
      llvm::isa<llvm::AllocaInst>(address))
    return;
  compare(address, describe(access, SlotKind::kAddress), {}, &access);
}

void Comparison::begin(llvm::Instruction* position) { code_.begin_segment(segment_, position); }

void Comparison::end(llvm::Instruction* position) {
  code_.end_segment(static_cast<uint32_t>(program_.segments[segment_].slots.size()), position);
}

void Comparison::add_instruction(llvm::Instruction& instruction) {
  compare_address(instruction);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    llvm::Value* value = store->getValueOperand();
    if (ComparisonCode::words_of(value->getType(), layout_) == 0) return;
    store->setOperand(0,
                      compare(value, describe(*store, SlotKind::kStored), {store->getPointerOperand(), true}, store));
    return;
  }
  llvm::Instruction* next = instruction.getNextNonDebugInstruction();
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return compare_result(*load, SlotKind::kValue, {load->getPointerOperand()}, next);
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return compare_result(*rmw, SlotKind::kValue, {rmw->getPointerOperand()}, next);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (llvm::isa<llvm::MemIntrinsic>(call) || (ends_segment(*call) && callee && callee->isDeclaration()))
      compare_arguments(*call);
    if (callee && callee->isDeclaration() && !callee->isIntrinsic()) outside_.insert(callee->getName().str());
    if (callee && allocates(callee->getName())) code_.announce_allocation(call);
    if (ends_segment(*call)) {
      end(call);
      ++segment_;
      next = call->getNextNonDebugInstruction();
      begin(next);
      // Which of the threads that meet at a barrier is told so differs from run to run.
      if (callee && callee->getName() == "pthread_barrier_wait") return;
      return compare_result(*call, SlotKind::kResult, {}, next);
    }
  }
  compare_result(instruction, SlotKind::kValue, {}, next);
}

void Comparison::add_block(llvm::BasicBlock& block, const std::vector<llvm::Instruction*>& instructions,
                           bool is_entry) {
  segment_ = first_segment_.lookup(&block);
  llvm::Instruction* body = &*block.getFirstInsertionPt();
  // Locals of fixed size stay together at the top, where they cost nothing.
  if (is_entry)
    while (llvm::isa<llvm::AllocaInst>(body) && llvm::cast<llvm::AllocaInst>(body)->isStaticAlloca())
      body = body->getNextNode();
  begin(body);
  // What an invoke returned is known in the block that it goes on in.
  if (const llvm::BasicBlock* before = block.getSinglePredecessor())
    if (auto* invoke = llvm::dyn_cast_or_null<llvm::InvokeInst>(before->getTerminator());
        invoke && invoke->getNormalDest() == &block)
      compare_result(const_cast<llvm::InvokeInst&>(*invoke), SlotKind::kResult, {}, body);
  if (is_entry)
    for (llvm::Argument& parameter : block.getParent()->args()) {
      if (ComparisonCode::words_of(parameter.getType(), layout_) == 0 || parameter.hasByValAttr() ||
          parameter.isSwiftError())
        continue;
      ComparedSlot slot = describe(*body, SlotKind::kParameter);
      slot.instruction = word("parameter");
      slot.number = static_cast<uint16_t>(parameter.getArgNo());
      std::vector<llvm::Use*> uses;
      for (llvm::Use& use : parameter.uses()) uses.push_back(&use);
      llvm::Value* given = compare(&parameter, slot, {}, body);
      for (llvm::Use* use : uses) use->set(given);
    }
  for (llvm::Instruction* instruction : instructions) {
    const bool at_top = llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::LandingPadInst>(instruction) ||
                        (is_entry && llvm::isa<llvm::AllocaInst>(instruction) &&
                         llvm::cast<llvm::AllocaInst>(instruction)->isStaticAlloca());
    if (llvm::isa<llvm::AllocaInst>(instruction) && at_top) {
      // A constant of the code: known to whoever wants to name it, and never wrong.
      compare(instruction, describe(*instruction, SlotKind::kValue), {}, body);
    } else if (at_top) {
      compare_result(*instruction, SlotKind::kValue, {}, body);
    } else if (instruction->isTerminator()) {
      if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(instruction)) {
        const llvm::Function* callee = invoke->getCalledFunction();
        if (callee && callee->isDeclaration()) {
          compare_arguments(*invoke);
          outside_.insert(callee->getName().str());
        }
        if (callee && allocates(callee->getName())) code_.announce_allocation(invoke);
      }
      end(instruction);
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction); call && call->isMustTailCall()) {
      end(instruction);
      return;
    } else {
      add_instruction(*instruction);
    }
  }
}

void Comparison::number_segments(const std::vector<llvm::BasicBlock*>& blocks) {
  const auto function = static_cast<uint32_t>(program_.functions.size() - 1);
  for (const llvm::BasicBlock* block : blocks) {
    first_segment_[block] = static_cast<uint32_t>(program_.segments.size());
    const auto add = [&](uint32_t flags) {
      ComparedSegment segment;
      segment.function = function;
      segment.flags = flags;
      segment.join = HEDDLE_NO_SEGMENT;
      program_.segments.push_back(std::move(segment));
    };
    for (const llvm::Instruction& instruction : *block)
      if (ends_segment(instruction)) add(HEDDLE_SEGMENT_CALLS);
    const llvm::Instruction* last = block->getTerminator();
    add(llvm::isa<llvm::ReturnInst>(last) || llvm::isa<llvm::ResumeInst>(last) ? HEDDLE_SEGMENT_RETURNS : 0);
  }
  program_.segments[first_segment_[blocks.front()]].flags |= HEDDLE_SEGMENT_ENTERS;
}

void Comparison::add(llvm::Function& function) {
  program_.functions.push_back(word(function_name(function)));
  // Each invoke goes on in a block of its own, and locals of fixed size come first.
  std::vector<llvm::InvokeInst*> invokes;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&instruction)) invokes.push_back(invoke);
  for (llvm::InvokeInst* invoke : invokes) llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());
  llvm::BasicBlock& entry = function.getEntryBlock();
  std::vector<llvm::Instruction*> locals;
  for (llvm::Instruction& instruction : entry)
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction); local && local->isStaticAlloca())
      locals.push_back(local);
  for (auto local = locals.rbegin(); local != locals.rend(); ++local) (*local)->moveBefore(entry, entry.begin());

  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : function) blocks.push_back(&block);
  number_segments(blocks);
  const llvm::PostDominatorTree meets(function);
  for (const llvm::BasicBlock* block : blocks) {
    const auto* node = meets.getNode(block);
    const llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!join) continue;
    uint32_t last = first_segment_.lookup(block);
    while (program_.segments[last].flags & HEDDLE_SEGMENT_CALLS) ++last;
    program_.segments[last].join = first_segment_.lookup(join);
  }
  std::vector<std::vector<llvm::Instruction*>> instructions(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i)
    for (llvm::Instruction& instruction : *blocks[i])
      if (!instruction.isDebugOrPseudoInst() && !instruction.isLifetimeStartOrEnd())
        instructions[i].push_back(&instruction);
  for (size_t i = 0; i < blocks.size(); ++i) add_block(*blocks[i], instructions[i], i == 0);
}

// The table for the runtime.
void Comparison::finish() {
  llvm::Type* i32 = llvm::Type::getInt32Ty(module_.getContext());
  llvm::ArrayType* row = llvm::ArrayType::get(i32, 4);
  std::vector<llvm::Constant*> rows;
  const auto number = [&](uint64_t value) { return llvm::ConstantInt::get(i32, value); };
  for (const ComparedSegment& segment : program_.segments)
    rows.push_back(llvm::ConstantArray::get(
        row, {number(segment.slots.size()), number(segment.flags), number(segment.join), number(segment.function)}));
  llvm::ArrayType* all = llvm::ArrayType::get(row, rows.size());
  new llvm::GlobalVariable(module_, all, true, llvm::GlobalValue::ExternalLinkage, llvm::ConstantArray::get(all, rows),
                           "__heddle_segments");
  for (const auto& [name, value] : {std::pair("__heddle_segment_count", program_.segments.size()),
                                    std::pair("__heddle_function_count", program_.functions.size())})
    new llvm::GlobalVariable(module_, i32, true, llvm::GlobalValue::ExternalLinkage, number(value), name);
  program_.outside.assign(outside_.begin(), outside_.end());
}

}  // namespace

base::Result<ComparedProgram> instrument_for_comparison(llvm::Module& module, bool optimise) {
  const llvm::Function* main = module.getFunction("main");
  if (!main || main->isDeclaration())
    return base::Error{"the program has no main function", "give all its sources, or the linked program"};
  prepare_code(module, optimise ? CodeForm::kOptimised : CodeForm::kAsWritten);
  keep_inline_functions_to_the_program(module);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getName().starts_with("__heddle_")) continue;
    functions.push_back(&function);
    for (const llvm::BasicBlock& block : function)
      if (const llvm::Instruction* last = block.getTerminator();
          llvm::isa<llvm::CallBrInst>(last) || llvm::isa<llvm::CatchSwitchInst>(last))
        return base::Error{"not supported: assembly code that jumps, in " + function_name(function), ""};
  }
  ComparedProgram program;
  Comparison comparison(module, program);
  for (llvm::Function* function : functions) comparison.add(*function);
  comparison.finish();
  const InstrumentOptions none;
  Rewriter rewriter(module, none);
  rewrite_program_entry(rewriter);
  for (const ComparedSegment& segment : program.segments)
    if (segment.slots.size() >= HEDDLE_SPARE_WORDS)
      return base::Error{"not supported: a block of more than 4,000 instructions", ""};

  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(module, &stream))
    return base::Error{"internal error: instrumented code is not valid: " + problems, ""};
  return program;
}

}  // namespace heddle::pass
