// SPDX-License-Identifier: Apache-2.0
//
// For tests: small programs built with the compiler driver in a directory that
// goes away with the object.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "build/compiler_driver.h"

namespace heddle::build {

class Workshop {
 public:
  Workshop() : directory_(base::TemporaryDirectory::create("test")) {
    EXPECT_TRUE(directory_) << directory_.error().message;
  }

  std::string path(const std::string& name) const { return directory_->path() + "/" + name; }

  // Writes a file and returns its path.
  std::string file(const std::string& name, std::string_view content) const {
    const auto written = base::write_file(path(name), content);
    EXPECT_TRUE(written);
    return path(name);
  }

  std::string content(const std::string& name) const {
    auto bytes = base::read_file(path(name));
    EXPECT_TRUE(bytes);
    return bytes ? *bytes : "";
  }

  // The C driver; only for command lines that make objects or linked files.
  void compile(const std::vector<std::string>& arguments) const { ASSERT_EQ(run_compiler(Language::c, arguments), 0); }

  // Another tool; its messages are not shown.
  void run(const std::vector<std::string>& command) const {
    base::ProcessOptions options;
    options.capture_out = options.capture_err = true;
    const auto ran = base::run_process(command, options);
    ASSERT_TRUE(ran);
    ASSERT_EQ(ran->exit_code, 0) << command[0] << ": " << ran->err;
  }

  // Two sources as one executable "prog".
  std::string program() const {
    file("main.c", "int answer(void); int main(void) { return answer() - 42; }\n");
    file("answer.c", "int answer(void) { return 42; }\n");
    compile({"-O1", path("main.c"), path("answer.c"), "-o", path("prog")});
    return path("prog");
  }

 private:
  base::Result<base::TemporaryDirectory> directory_;
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace heddle::build
