// SPDX-License-Identifier: Apache-2.0
//
// Crashes of the program: a fault, or a signal nobody handles, ends the run with
// a record that says what and where.
#pragma once

namespace heddle::rt {

void install_crash_handlers();

// Forgets the handlers that the last run installed, and signals not taken.
void reset_signals();

// A stack for signal handlers, for the calling operating-system thread.
void install_signal_stack();

}  // namespace heddle::rt
