// SPDX-License-Identifier: Apache-2.0
//
// One bitcode or textual module into an LLVM context, with errors a user can
// act on: newer LLVM, other architecture, damage.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle::program {

// `name` is for messages. Accepts bitcode and LLVM assembly.
base::Result<std::unique_ptr<llvm::Module>> read_module(std::string_view bytes, const std::string& name,
                                                        llvm::LLVMContext& context);

// Heddle runs programs natively on x86-64 Linux, so nothing else can be used.
base::Result<void> check_triple(const std::string& triple, const std::string& name);

}  // namespace heddle::program
