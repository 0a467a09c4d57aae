// SPDX-License-Identifier: Apache-2.0
//
// Calls that are told what a recorded run was told, instead of asking the outside
// (abi/given_inputs.h). The call is found by its thread, its place and how often
// the thread was there; if nothing was recorded of it, it asks as usual.
#pragma once

#include "abi/given_inputs.h"
#include "state.h"

namespace heddle::rt {

// What the call of the program that is under way was told; null: nothing is known.
const HeddleGivenCall* given_input();
// The same for a call that reads a descriptor: not if the program made it itself to speak with its own threads.
const HeddleGivenCall* given_read(int descriptor);
// A pipe or a socket that the program made itself.
bool connects_threads(int descriptor);
const char* given_bytes(const HeddleGivenCall& call);
// Puts its bytes there, as many as there is room for; its result.
int64_t put_given(const HeddleGivenCall& call, void* place, size_t room);
// The same for a function whose result is an int.
int put_given_int(const HeddleGivenCall& call, void* place, size_t room);

void reset_given_inputs();

}  // namespace heddle::rt
