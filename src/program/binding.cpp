// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>

#include <vector>

#include "program/binding_llvm.h"

namespace heddle::program {
namespace {

bool is_reserved(const llvm::GlobalValue& value) { return value.getName().starts_with("llvm."); }

// The linker sees it, and it has a body or an initial value.
bool is_visible_definition(const llvm::GlobalValue& value) {
  return !value.isDeclarationForLinker() && !value.hasLocalLinkage() && !is_reserved(value);
}

std::vector<llvm::GlobalValue*> visible_definitions(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> found;
  for (llvm::GlobalValue& value : module.global_values())
    if (is_visible_definition(value)) found.push_back(&value);
  return found;
}

void make_local(llvm::GlobalValue& definition) {
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&definition)) object->setComdat(nullptr);
  definition.setVisibility(llvm::GlobalValue::DefaultVisibility);
  definition.setLinkage(llvm::GlobalValue::InternalLinkage);
}

llvm::GlobalValue* new_declaration(llvm::GlobalValue& definition, llvm::Module& module) {
  llvm::Type* type = definition.getValueType();
  if (auto* function_type = llvm::dyn_cast<llvm::FunctionType>(type))
    return llvm::Function::Create(function_type, llvm::GlobalValue::ExternalLinkage, definition.getAddressSpace(), "",
                                  &module);
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                                  definition.getThreadLocalMode(), definition.getAddressSpace());
}

void make_declaration(llvm::GlobalValue& definition) {
  if (auto* function = llvm::dyn_cast<llvm::Function>(&definition)) {
    function->deleteBody();
    function->setComdat(nullptr);
    return;
  }
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&definition)) {
    variable->setInitializer(nullptr);
    variable->setComdat(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->clearMetadata();
    return;
  }
  // Aliases and ifuncs cannot be declarations: a fresh one takes the name.
  llvm::GlobalValue* declaration = new_declaration(definition, *definition.getParent());
  declaration->takeName(&definition);
  definition.replaceAllUsesWith(declaration);
  definition.eraseFromParent();
}

}  // namespace

base::Result<void> note_strong_definitions(const llvm::Module& module, const std::string& source,
                                           std::map<std::string, std::string>& owners) {
  for (const llvm::GlobalValue& value : module.global_values()) {
    if (!is_visible_definition(value) || !value.hasExternalLinkage() || value.hasComdat()) continue;
    const auto [place, is_new] = owners.emplace(value.getName().str(), source);
    if (!is_new)
      return base::Error{fmt::format("{} is defined twice: in {} and in {}", place->first, place->second, source),
                         "a program may define each function and variable once; is one file given twice?"};
  }
  return {};
}

void keep_unexported_local(llvm::Module& library, const std::set<std::string>& exported) {
  for (llvm::GlobalValue* value : visible_definitions(library)) {
    if (exported.contains(value->getName().str())) continue;
    if (value->isDiscardableIfUnused() && value->hasDefaultVisibility()) continue;
    make_local(*value);
  }
}

void give_way(llvm::Module& module, bool symbolic, std::set<std::string>& taken) {
  for (llvm::GlobalValue* value : visible_definitions(module)) {
    if (taken.insert(value->getName().str()).second) continue;
    if (symbolic || value->hasProtectedVisibility())
      make_local(*value);
    else
      make_declaration(*value);
  }
}

}  // namespace heddle::program
