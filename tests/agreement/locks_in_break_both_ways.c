// SPDX-License-Identifier: Apache-2.0
//
// Mutexes in memory from sbrk, locked in both orders.
//
// agree: violated deadlock
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "two_locks.h"

int main(void) { return two_locks_in(sbrk(4096), true); }
