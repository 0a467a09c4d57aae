// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint holds all that counts of a check that is not done: what was
// found, and what the explorer knows. A check that goes on from it comes to the
// same result as one that was never interrupted.
#pragma once

#include <string>

#include "base/result.h"
#include "causal/histories.h"
#include "causal/thread_table.h"
#include "check/books.h"
#include "check/options.h"
#include "check/predictions.h"
#include "check/work.h"
#include "execute/executor.h"

namespace heddle::check {

// The parts of a check that a checkpoint is made of.
struct CheckpointParts {
  const execute::Subject& subject;
  const Options& options;
  causal::ThreadTable& threads;
  causal::Histories& histories;
  Books& books;
  WorkSource& source;
  Predictions& races;
};

// Between two commits. False: this kind of check cannot be resumed.
base::Result<bool> save_checkpoint(const std::string& path, const CheckpointParts& parts);

// Into parts that are as they are at first. An error if the file is damaged, or
// of another program, or made with other options.
base::Result<void> restore_checkpoint(const std::string& path, const CheckpointParts& parts);

// Options::checkpoint_note of the check that made it.
base::Result<std::string> read_checkpoint_note(const std::string& path);

}  // namespace heddle::check
