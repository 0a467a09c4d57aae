// SPDX-License-Identifier: Apache-2.0
#include "cli/kept_run.h"

#include <unistd.h>

#include "cli/output.h"
#include "report/run_directory.h"

namespace heddle::cli {

KeptRun::KeptRun(const std::string& command) {
  auto directory = report::make_run_directory(command);
  if (directory) {
    directory_ = std::move(*directory);
    return;
  }
  tell("heddle: {}\nheddle: results will be printed, but not kept: {}\n", directory.error().message,
       directory.error().hint);
}

void KeptRun::discard() {
  if (exists()) (void)::rmdir(directory_.c_str());
  directory_.clear();
}

void KeptRun::keep(const std::string& file, const std::string& what,
                   const std::function<base::Result<void>(const std::string& path)>& write) {
  if (!exists()) return;
  if (auto written = write(path(file)); !written)
    tell("heddle: {}\nheddle: {} is not kept\n", written.error().message, what);
}

}  // namespace heddle::cli
