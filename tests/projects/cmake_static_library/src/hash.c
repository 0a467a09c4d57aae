/* SPDX-License-Identifier: Apache-2.0 */
#include "wordcount/hash.h"

uint32_t wordcount_hash(const char* text, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}
