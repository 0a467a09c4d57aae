/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WORDCOUNT_HASH_H
#define WORDCOUNT_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FNV-1a. */
uint32_t wordcount_hash(const char* text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
