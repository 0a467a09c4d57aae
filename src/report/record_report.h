// SPDX-License-Identifier: Apache-2.0
//
// What a recording came to: result.json (schema 1), a few lines for people, and a recording as text.
#pragma once

#include <string>
#include <vector>

#include "record/recorder.h"
#include "report/program_facts.h"
#include "trace/trace.h"

namespace heddle::report {

struct RecordReport {
  ProgramFacts facts;
  record::RecordedRun run;
  const record::Recording* recording = nullptr;  // null: not kept
  const std::vector<trace::Site>* sites = nullptr;
  std::string directory;
};

// Signal, exit code other than 0, or time-out.
bool is_failure(const record::RecordedRun& run);

std::string record_json(const RecordReport& report);

// What failed, where, and what to do next; empty when there is nothing to say.
std::string record_text(const RecordReport& report);

// Everything in the recording, to read.
std::string recording_text(const record::Recording& recording);

}  // namespace heddle::report
