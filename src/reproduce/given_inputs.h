// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/result.h"
#include "record/recording.h"

namespace heddle::reproduce {

// What calls brought into the recorded run, as the runtime takes it (abi/given_inputs.h). Empty: nothing.
std::string given_inputs(const record::Recording& recording);

// While this lives, targets that are started are given these inputs. Empty ones: they ask as usual.
class GivenInputs {
 public:
  static base::Result<GivenInputs> provide(const std::string& inputs);
  GivenInputs(GivenInputs&& other) noexcept : directory_(std::move(other.directory_)) { other.directory_.reset(); }
  GivenInputs& operator=(GivenInputs&&) = delete;
  ~GivenInputs();

 private:
  GivenInputs() = default;
  std::optional<base::TemporaryDirectory> directory_;
};

}  // namespace heddle::reproduce
