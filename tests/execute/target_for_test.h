// SPDX-License-Identifier: Apache-2.0
//
// A program, from its source to an executor, for tests that run it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"

namespace heddle::tests {

// The test stops here when the program cannot be built or started.
inline std::unique_ptr<execute::Executor> start_program(const std::string& path,
                                                        std::vector<std::string> arguments = {},
                                                        const execute::ExecutorOptions& options = {}) {
  auto program = build::intake({path}, {});
  EXPECT_TRUE(program) << program.error().message;
  auto target = build::make_target(std::move(*program), {});
  EXPECT_TRUE(target) << target.error().message;
  auto executor = execute::Executor::start(execute::subject_of(*target, std::move(arguments)), options);
  EXPECT_TRUE(executor) << executor.error().message;
  return std::move(*executor);
}

// The same for a C program given as text.
inline std::unique_ptr<execute::Executor> start_text(const std::string& text,
                                                     const execute::ExecutorOptions& options = {}) {
  auto directory = base::TemporaryDirectory::create("program-test");
  EXPECT_TRUE(directory);
  const std::string path = directory->path() + "/program.c";
  EXPECT_TRUE(base::write_file(path, text));
  return start_program(path, {}, options);
}

}  // namespace heddle::tests
