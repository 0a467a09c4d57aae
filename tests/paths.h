// SPDX-License-Identifier: Apache-2.0
//
// Where tests find their inputs. The build writes the definitions into a file of its own (tests/CMakeLists.txt), so
// that these paths, which differ between clones, are in no other object.
#pragma once

namespace heddle::tests {

extern const char* const kTestsFolder;   // the folder that this file is in
extern const char* const kSteppingPerf;  // the program of tests/pt

}  // namespace heddle::tests
