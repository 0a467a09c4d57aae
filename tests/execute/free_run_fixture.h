// SPDX-License-Identifier: Apache-2.0
//
// For tests of free runs: a source becomes a target, runs, and leaves a trace.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/files.h"
#include "build/sources.h"
#include "build/target.h"
#include "execute/free_run.h"
#include "execute/subject.h"
#include "trace/reader.h"
#include "trace/validate.h"

namespace heddle::tests {

class FreeRun : public testing::Test {
 protected:
  void SetUp() override {
    auto directory = base::TemporaryDirectory::create("free-run-test");
    ASSERT_TRUE(directory);
    directory_ = std::make_unique<base::TemporaryDirectory>(std::move(*directory));
  }

  std::string path(const char* name) const { return directory_->path() + "/" + name; }

  execute::Subject subject(const std::string& source, bool optimise, const char* file = "program.c") {
    EXPECT_TRUE(base::write_file(path(file), source));
    build::IntakeOptions intake;
    if (std::string(file).ends_with(".cpp")) intake.cflags = {"-std=c++20"};
    auto program = build::intake({path(file)}, intake);
    EXPECT_TRUE(program) << program.error().message;
    build::TargetOptions options;
    options.free_running = true;
    options.optimise = optimise;
    auto target = build::make_target(std::move(*program), options);
    EXPECT_TRUE(target) << target.error().message;
    return execute::subject_of(*target);
  }

  trace::Trace run(const execute::Subject& subject, execute::FreeRunOptions options = {}) {
    auto done = execute::run_freely(subject, options, path("run.trace"));
    EXPECT_TRUE(done) << done.error().message;
    auto trace = trace::read_trace(path("run.trace"));
    EXPECT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->events.size(), done->events);
    return std::move(*trace);
  }

  std::unique_ptr<base::TemporaryDirectory> directory_;
};

// Of a global variable; 0 if there is none of this name.
inline uint64_t address_of(const trace::Trace& trace, const std::string& name) {
  for (const trace::Global& global : trace.globals)
    if (global.name.ends_with(":" + name)) return global.address;
  return 0;
}

inline void expect_valid(const trace::Trace& trace) {
  const auto problems = trace::validate(trace);
  EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems);
}

}  // namespace heddle::tests
