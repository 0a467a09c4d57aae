// SPDX-License-Identifier: Apache-2.0
//
// A crash is an answer: which thread, where. Then the signal takes its course.
#pragma once

namespace heddle::compare {

void watch_crashes();
// For the calling thread: handlers run even when its stack is used up.
void use_signal_stack();

}  // namespace heddle::compare
