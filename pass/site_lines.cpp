// SPDX-License-Identifier: Apache-2.0
#include "pass/site_lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

void set_site_lines(llvm::Module& module, const std::function<uint32_t(const llvm::Instruction&)>& site) {
  llvm::StripDebugInfo(module);
  llvm::DIBuilder builder(module);
  llvm::DIFile* file = builder.createFile("sites", "");
  builder.createCompileUnit(llvm::dwarf::DW_LANG_C99, file, "heddle", true, "", 0, "",
                            llvm::DICompileUnit::LineTablesOnly);
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::DISubprogram* whole =
        builder.createFunction(file, function.getName(), function.getName(), file, 0, type, 0, llvm::DINode::FlagZero,
                               llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    function.setSubprogram(whole);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (const uint32_t number = site(instruction))
        instruction.setDebugLoc(llvm::DILocation::get(module.getContext(), number, 0, whole));
  }
  builder.finalize();
  if (!module.getModuleFlag("Debug Info Version"))
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

}  // namespace heddle::pass
