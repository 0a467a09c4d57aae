// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "record/recording.h"

namespace heddle::reproduce {

// What calls brought into the recorded run, as the runtime takes it (abi/given_inputs.h). Empty: nothing.
std::string given_inputs(const record::Recording& recording);

// Functions, by site, that controlled runs cannot be told of (build/outside_inputs.h): those that the recorded
// program called and whose result it looked at.
std::vector<std::string> inputs_not_given(const record::Recording& recording,
                                          const std::map<uint32_t, std::string>& functions);

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
