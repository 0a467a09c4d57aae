/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>

/* The bytes' sum, turned by one bit per byte. Inline assembly where the machine is known. */
unsigned checksum(const void* bytes, size_t size);

#endif
