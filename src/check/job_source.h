// SPDX-License-Identifier: Apache-2.0
//
// An Explorer as a source of work: each job is a piece. As many are done at once
// as the explorer lets be run ahead.
#pragma once

#include <memory>
#include <utility>

#include "check/explorer.h"
#include "check/work.h"

namespace heddle::check {

class JobSource : public WorkSource {
 public:
  explicit JobSource(std::unique_ptr<Explorer> explorer) : explorer_(std::move(explorer)) {}

  std::unique_ptr<Work> take() override {
    if (given_ > 0 && !explorer_->may_run_ahead()) return nullptr;
    std::optional<Job> job = explorer_->next();
    if (!job) return nullptr;
    ++given_;
    return std::make_unique<JobWork>(std::move(*job));
  }

  void commit(Work& work, Bench&) override {
    --given_;
    explorer_->learn(static_cast<JobWork&>(work).execution);
  }

  gaps::Gaps gaps() const override { return explorer_->gaps(); }

 private:
  struct JobWork : Work {
    explicit JobWork(Job what) : job(std::move(what)) {}
    std::optional<Job> begin(Bench&) override { return std::move(job); }
    bool study(Bench&, ExecutionRef done) override {
      execution = std::move(done);
      return true;
    }
    bool still_holds() override { return true; }
    Job job;
    ExecutionRef execution;
  };

  const std::unique_ptr<Explorer> explorer_;
  size_t given_ = 0;  // and not learned
};

}  // namespace heddle::check
