// SPDX-License-Identifier: Apache-2.0
//
// Where a command keeps its results (report/run_directory.h). The answer does not
// depend on it: if the directory or a file cannot be written, heddle says so and
// goes on. Not for use by several threads at once.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace heddle::cli {

class KeptRun {
 public:
  // Makes the directory. If that fails it says why, and nothing is kept.
  explicit KeptRun(const std::string& command);

  bool exists() const { return !directory_.empty(); }
  const std::string& directory() const { return directory_; }  // empty: there is none
  std::string path(const std::string& file) const { return directory_ + "/" + file; }

  // There are no results: removes the directory, if it is still empty.
  void discard();

  // Has `write` write the file. Standard error says if it is lost, and what it was.
  void keep(const std::string& file, const std::string& what,
            const std::function<base::Result<void>(const std::string& path)>& write);

 private:
  std::string directory_;
};

}  // namespace heddle::cli
