// SPDX-License-Identifier: Apache-2.0
#include "build/models.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>
#include <memory>
#include <set>
#include <vector>

namespace heddle::build {
namespace {

// A model that calls __heddle_native_X means the library's X.
constexpr llvm::StringLiteral kNativePrefix = "__heddle_native_";

// Models are taken when something needs them, also other models. Variables that
// a program knows by name (tables of virtual functions, type information) stay
// the library's. Flags of the compilation are the program's.
void prepare(llvm::Module& models) {
  for (llvm::GlobalVariable& variable : models.globals()) {
    if (!variable.hasExternalLinkage() || variable.isDeclaration() || !variable.getName().starts_with("_ZT")) continue;
    variable.setInitializer(nullptr);
    variable.setComdat(nullptr);
  }
  for (llvm::GlobalValue& value : models.global_values()) {
    if (value.isDeclaration() || value.hasLocalLinkage() || value.getName().starts_with("llvm.")) continue;
    value.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
  }
  if (llvm::NamedMDNode* flags = models.getModuleFlagsMetadata()) {
    std::vector<llvm::MDNode*> kept;
    for (llvm::MDNode* flag : flags->operands())
      if (llvm::cast<llvm::MDString>(flag->getOperand(1))->getString() == "Debug Info Version") kept.push_back(flag);
    flags->clearOperands();
    for (llvm::MDNode* flag : kept) flags->addOperand(flag);
  }
}

std::set<std::string> definitions(const llvm::Module& module, bool with_local) {
  std::set<std::string> names;
  for (const llvm::GlobalValue& value : module.global_values())
    if (!value.isDeclaration() && (with_local || !value.hasLocalLinkage())) names.insert(value.getName().str());
  return names;
}

// What a compiler knows of the library's function ("reads no memory", "keeps no
// pointer") does not hold of its model, which calls hooks.
void forget_promises(llvm::Function& function) {
  static constexpr llvm::Attribute::AttrKind kOfCall[] = {llvm::Attribute::Memory,     llvm::Attribute::NoSync,
                                                          llvm::Attribute::NoFree,     llvm::Attribute::NoCallback,
                                                          llvm::Attribute::WillReturn, llvm::Attribute::Speculatable};
  static constexpr llvm::Attribute::AttrKind kOfArgument[] = {llvm::Attribute::NoCapture, llvm::Attribute::ReadOnly,
                                                              llvm::Attribute::WriteOnly, llvm::Attribute::ReadNone};
  for (const auto kind : kOfCall) function.removeFnAttr(kind);
  for (llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledOperand() != &function) continue;
    for (const auto kind : kOfCall) call->removeFnAttr(kind);
    for (unsigned i = 0; i < call->arg_size(); ++i)
      for (const auto kind : kOfArgument) call->removeParamAttr(i, kind);
  }
}

// The code generator makes calls of memcpy and the like by name: those mean the
// library's, so a model needs a name of its own.
void keep_to_the_program(llvm::GlobalValue& model) {
  model.setLinkage(llvm::GlobalValue::InternalLinkage);
  model.setVisibility(llvm::GlobalValue::DefaultVisibility);
  model.setDSOLocal(true);
  model.setName(model.getName() + ".model");
}

void name_natives(llvm::Module& module) {
  std::vector<llvm::Function*> natives;
  for (llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with(kNativePrefix)) natives.push_back(&function);
  for (llvm::Function* native : natives) {
    const std::string name = native->getName().drop_front(kNativePrefix.size()).str();
    if (llvm::GlobalValue* known = module.getNamedValue(name)) {
      native->replaceAllUsesWith(known);
      native->eraseFromParent();
    } else {
      native->setName(name);
    }
  }
}

}  // namespace

std::string models_file(const std::string& runtime) {
  return (std::filesystem::path(runtime).parent_path() / "models.bc").string();
}

base::Result<void> link_models(llvm::Module& module, const std::string& path) {
  const auto unusable = [&](const std::string& why) {
    return base::Error{fmt::format("cannot use the models of library functions in {}: {}", path, why),
                       "build or install heddle anew"};
  };
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) return unusable(file.getError().message());
  auto models = llvm::getOwningLazyBitcodeModule(std::move(*file), module.getContext());
  if (!models) return unusable(llvm::toString(models.takeError()));

  prepare(**models);
  const std::set<std::string> own = definitions(module, true), modelled = definitions(**models, false);
  // Spellings of one architecture differ ("pc", "unknown"); the program's stands.
  if (!module.getTargetTriple().empty()) (*models)->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(*models), llvm::Linker::LinkOnlyNeeded))
    return unusable("they do not fit the program");

  std::vector<llvm::GlobalAlias*> aliases;
  for (const std::string& name : modelled) {
    llvm::GlobalValue* model = module.getNamedValue(name);
    if (!model || model->isDeclaration() || own.count(name)) continue;
    if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(model)) aliases.push_back(alias);
    keep_to_the_program(*model);
  }
  for (llvm::GlobalAlias* alias : aliases) {
    alias->replaceAllUsesWith(alias->getAliasee());
    alias->eraseFromParent();
  }
  for (const std::string& name : modelled)
    if (llvm::Function* model = module.getFunction(name + ".model")) forget_promises(*model);
  name_natives(module);
  return {};
}

}  // namespace heddle::build
