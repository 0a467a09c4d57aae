// SPDX-License-Identifier: Apache-2.0
//
// Debug information in which line numbers are sites: from an address in the code one comes to
// the very instruction it was made from.
#pragma once

#include <cstdint>
#include <functional>

namespace llvm {
class Instruction;
class Module;
}  // namespace llvm

namespace heddle::pass {

// Replaces the module's debug information. `site` gives an instruction's number.
void set_site_lines(llvm::Module& module, const std::function<uint32_t(const llvm::Instruction&)>& site);

}  // namespace heddle::pass
