// SPDX-License-Identifier: Apache-2.0
//
// The address of the condition variable is no memory.
//
// agree: violated crash
#include <pthread.h>

int main(void) { return pthread_cond_signal((pthread_cond_t*)0x10000); }
