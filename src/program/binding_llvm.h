// SPDX-License-Identifier: Apache-2.0
//
// Which definition a symbol means, as linker and loader decide it. Steps of
// merge.cpp, kept apart because each states one rule.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>

#include "base/result.h"

namespace heddle::program {

// Notes the strong definitions of `module` in `owners` (symbol -> source). Two
// strong definitions of one symbol in one program or library are an error.
base::Result<void> note_strong_definitions(const llvm::Module& module, const std::string& source,
                                           std::map<std::string, std::string>& owners);

// What a shared library does not export is its own: gives such definitions
// internal linkage. Discardable ones (inline functions, templates) stay, unless
// they are hidden: each user may carry a copy, and all copies are the same.
void keep_unexported_local(llvm::Module& library, const std::set<std::string>& exported);

// Turns definitions of symbols in `taken` into declarations: an earlier one in
// the loader's search order wins. A library's own uses of a protected symbol,
// or of any when it is `symbolic`, mean its own definition, which becomes local.
// Adds what `module` still defines to `taken`.
void give_way(llvm::Module& module, bool symbolic, std::set<std::string>& taken);

}  // namespace heddle::program
