// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "record/recording.h"

namespace heddle::reproduce {

// What calls brought into the recorded run, as the runtime takes it (abi/given_inputs.h). Empty: nothing.
std::string given_inputs(const record::Recording& recording);

// While this lives, targets that are started are given these inputs. Empty ones: they ask as usual.
class GivenInputs {
 public:
  static base::Result<GivenInputs> provide(const std::string& inputs);
  GivenInputs(GivenInputs&& other) noexcept : file_(std::move(other.file_)) { other.file_.clear(); }
  GivenInputs& operator=(GivenInputs&&) = delete;
  ~GivenInputs();

 private:
  explicit GivenInputs(std::string file) : file_(std::move(file)) {}
  std::string file_;
};

}  // namespace heddle::reproduce
