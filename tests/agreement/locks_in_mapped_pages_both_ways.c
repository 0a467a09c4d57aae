// SPDX-License-Identifier: Apache-2.0
//
// Mutexes in pages from mmap, locked in both orders.
//
// agree: violated deadlock
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "two_locks.h"

int main(void) { return two_locks_in(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), true); }
