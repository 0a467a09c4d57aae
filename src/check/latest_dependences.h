// SPDX-License-Identifier: Apache-2.0
//
// The dependences of the execution that a worker looked at last. Predictions and
// the explorer want them one after the other; so they are made once.
#pragma once

#include <memory>

#include "causal/needs.h"
#include "check/explorer.h"

namespace heddle::check {

class LatestDependences {
 public:
  std::shared_ptr<const causal::Dependences> of(const ExecutionRef& execution) {
    if (execution_ != execution) {
      dependences_ = std::make_shared<const causal::Dependences>(*execution);
      execution_ = execution;
    }
    return dependences_;
  }

 private:
  ExecutionRef execution_;
  std::shared_ptr<const causal::Dependences> dependences_;
};

}  // namespace heddle::check
