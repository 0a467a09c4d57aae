// SPDX-License-Identifier: Apache-2.0
#include "build/numbered_program.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "build/link_target.h"
#include "build/numbered_program_llvm.h"
#include "build/runtime_library.h"
#include "build/target.h"
#include "pass/instrument.h"

namespace heddle::build {
namespace {

using Implementation = NumberedProgram::Implementation;

void note_access(Implementation& inside, const pass::NumberedModule& numbered, const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->isAtomic() && numbered.is_private(load->getPointerOperand(), true)) inside.is_private.insert(load);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!store->isAtomic() && numbered.is_private(store->getPointerOperand(), false)) inside.is_private.insert(store);
  } else if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    if (numbered.is_private(range->getDest(), false)) inside.is_private.insert(range);
    const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(range);
    if (transfer && numbered.is_private(transfer->getSource(), true)) inside.reads_private.insert(range);
  }
}

void note(Implementation& inside, const pass::NumberedModule& numbered) {
  for (const llvm::Function& function : numbered.module) {
    if (function.isDeclaration()) continue;
    inside.functions[numbered.site(*function.getEntryBlock().getFirstNonPHIOrDbg())] = &function;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      inside.sites[&instruction] = numbered.site(instruction);
      if (numbered.has_value(instruction)) inside.has_value.insert(&instruction);
      note_access(inside, numbered, instruction);
    }
  }
}

}  // namespace

NumberedProgram::NumberedProgram(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
NumberedProgram::NumberedProgram(NumberedProgram&&) noexcept = default;
NumberedProgram& NumberedProgram::operator=(NumberedProgram&&) noexcept = default;
NumberedProgram::~NumberedProgram() = default;

std::optional<uint32_t> NumberedProgram::first_site(const std::string& name) const {
  const llvm::Function* function = inside().module->getFunction(name);
  if (!function || function->isDeclaration()) return std::nullopt;
  return inside().site(*function->getEntryBlock().getFirstNonPHIOrDbg());
}

base::Result<NumberedProgram> number_program(const program::WholeProgram& program, bool optimise) {
  auto inside = std::make_unique<Implementation>();
  inside->context = std::make_unique<llvm::LLVMContext>();
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  // With the order of uses: what the passes do must not depend on the way the module came.
  llvm::WriteBitcodeToFile(program.module(), stream, /*ShouldPreserveUseListOrder=*/true);
  stream.flush();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, program.name()), *inside->context);
  if (!module) return base::Error{"cannot read the program's module: " + llvm::toString(module.takeError()), ""};
  inside->module = std::move(*module);
  auto runtime = runtime_library(Runtime::kControlled);
  if (!runtime) return runtime.error();
  if (auto prepared = prepare_module(*inside->module, *runtime, optimise); !prepared) return prepared.error();
  pass::InstrumentOptions options;
  options.optimise = optimise;
  options.inspect = [&](const pass::NumberedModule& numbered) { note(*inside, numbered); };
  if (auto numbered = pass::number(*inside->module, options); !numbered) return numbered.error();
  return NumberedProgram(std::move(inside));
}

base::Result<void> find_addresses(NumberedProgram& program, const std::string& executable) {
  Implementation& inside = program.inside();
  std::vector<pass::GlobalObject> wanted;
  for (const llvm::GlobalObject& global : inside.module->global_objects())
    if (!global.isDeclaration() && !global.isThreadLocal())
      wanted.push_back({global.getName().str(), global.getName().str(), 0});
  auto found = locate_globals(executable, wanted);
  if (!found) return found.error();
  for (const trace::Global& global : *found) inside.globals[global.name] = global.address;
  return {};
}

}  // namespace heddle::build
