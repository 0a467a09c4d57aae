// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers of a program, wrapped: the kernel gets a function of the runtime,
// which knows the program's handler from here.
#pragma once

#include <signal.h>

namespace heddle::wrapped {

using Handler = void (*)(int, siginfo_t*, void*);

// Of the C library.
int real_sigaction(int number, const struct sigaction* action, struct sigaction* old);

// What sigaction is to do: `handle` stands for handlers of the program, `otherwise`, if
// there is one, for the default action.
int set_action(int number, const struct sigaction* action, struct sigaction* old, Handler handle,
               Handler otherwise = nullptr);

// The program's handler of a signal that has just come. One of a single argument does not look at the others.
Handler take_handler(int number);

// By whoever uses this: before a jump (longjmp and its relatives), which may leave a handler.
void leave_handlers();

}  // namespace heddle::wrapped
