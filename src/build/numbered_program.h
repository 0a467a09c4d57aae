// SPDX-License-Identifier: Apache-2.0
//
// The module of a program as it is when its instructions have their numbers and
// nothing is changed yet: what the events of a trace speak of. Made from a program
// that was not turned into a target; its numbers are those of every target that is
// made of it with the same `optimise`.
//
// This header is free of LLVM; numbered_program_llvm.h shows what is inside.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "program/whole_program.h"

namespace heddle::build {

class NumberedProgram {
 public:
  struct Implementation;  // numbered_program_llvm.h

  explicit NumberedProgram(std::unique_ptr<Implementation> implementation);
  NumberedProgram(NumberedProgram&&) noexcept;
  NumberedProgram& operator=(NumberedProgram&&) noexcept;
  ~NumberedProgram();

  // The number of the first instruction of a function: records of its entry have it. Nothing: it has no body.
  std::optional<uint32_t> first_site(const std::string& function) const;

  const Implementation& inside() const { return *implementation_; }
  Implementation& inside() { return *implementation_; }

 private:
  std::unique_ptr<Implementation> implementation_;
};

// `program` stays as it is.
base::Result<NumberedProgram> number_program(const program::WholeProgram& program, bool optimise);
// Where the globals and functions are in a target that was made of the same program.
base::Result<void> find_addresses(NumberedProgram& program, const std::string& executable);

}  // namespace heddle::build
