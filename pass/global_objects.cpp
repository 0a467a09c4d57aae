// SPDX-License-Identifier: Apache-2.0
#include "pass/global_objects.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>

#include "pass/source_names.h"

namespace heddle::pass {

std::vector<GlobalObject> global_objects(const llvm::Module& module) {
  std::vector<GlobalObject> result;
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclaration() || global.isConstant() || global.getName().starts_with("llvm.")) continue;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
    global.getDebugInfo(infos);
    std::string name = global_name(global);
    if (!infos.empty() && infos[0]->getVariable()->getFile())
      name = (llvm::sys::path::filename(infos[0]->getVariable()->getFile()->getFilename()) + ":" + name).str();
    result.push_back({global.getName().str(), name, module.getDataLayout().getTypeAllocSize(global.getValueType())});
  }
  return result;
}

}  // namespace heddle::pass
