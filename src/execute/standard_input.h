// SPDX-License-Identifier: Apache-2.0
//
// Standard input as something that every run can read from its beginning.
#pragma once

namespace heddle::execute {

// A file descriptor: our standard input itself if it is a file; a copy of what
// comes through it if it is a pipe that has something to say; -1 otherwise (a
// terminal, or a pipe on which nothing comes).
int rereadable_standard_input();

}  // namespace heddle::execute
