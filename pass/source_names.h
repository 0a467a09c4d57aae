// SPDX-License-Identifier: Apache-2.0
//
// What the source calls things, as far as debug information tells.
#pragma once

#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class Value;
}  // namespace llvm

namespace heddle::pass {

std::string global_name(const llvm::GlobalVariable& global);
// The thing that a pointer points to; empty: not known.
std::string variable_name(const llvm::Value* pointer);
std::string function_name(const llvm::Function& function);

}  // namespace heddle::pass
