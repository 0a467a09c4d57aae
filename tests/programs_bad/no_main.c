// SPDX-License-Identifier: Apache-2.0
//
// A library, not a program: there is nothing to run.
//
// heddle-bad: exit=3 says='no main function' seconds=20
int answer(void) { return 42; }
