// SPDX-License-Identifier: Apache-2.0
#include "program/whole_program.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>

#include <utility>

#include "base/check.h"
#include "program/whole_program_llvm.h"

namespace heddle::program {

WholeProgram::WholeProgram(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {
  HEDDLE_CHECK(implementation_ && implementation_->context && implementation_->module, "a whole program has a module");
}

WholeProgram::WholeProgram(WholeProgram&&) noexcept = default;
WholeProgram& WholeProgram::operator=(WholeProgram&&) noexcept = default;
WholeProgram::~WholeProgram() = default;

const std::string& WholeProgram::name() const { return implementation_->name; }
const std::string& WholeProgram::hash() const { return implementation_->hash; }
bool WholeProgram::needs_cxx() const { return implementation_->link.needs_cxx; }

const std::vector<NativeObject>& WholeProgram::native_objects() const { return implementation_->link.native_objects; }

const std::vector<std::string>& WholeProgram::shared_libraries() const {
  return implementation_->link.shared_libraries;
}

const std::vector<std::string>& WholeProgram::link_flags() const { return implementation_->link.flags; }

std::string WholeProgram::bitcode() const {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module(), out);
  return bytes;
}

std::string WholeProgram::text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  module().print(out, nullptr);
  return text;
}

llvm::Module& WholeProgram::module() { return *implementation_->module; }
const llvm::Module& WholeProgram::module() const { return *implementation_->module; }
llvm::LLVMContext& WholeProgram::context() { return *implementation_->context; }

}  // namespace heddle::program
