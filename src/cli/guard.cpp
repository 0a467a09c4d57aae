// SPDX-License-Identifier: Apache-2.0
#include "cli/guard.h"

#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "cli/exit_codes.h"
#include "cli/output.h"

namespace heddle::cli {

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const std::bad_alloc&) {
    tell("heddle: there is not enough memory\n");
    return kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {
    tell("heddle: cannot use {}: {}\n", error.path1().empty() ? "the current directory" : error.path1().string(),
         error.code().message());
    return kBadInput;
  } catch (const std::system_error& error) {
    tell("heddle: the system refused: {}\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    tell("heddle: internal error: {}\nheddle: please report this, with the command and the program\n", error.what());
    return kInternal;
  }
}

}  // namespace heddle::cli
