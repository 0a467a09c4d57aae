// SPDX-License-Identifier: Apache-2.0
#ifndef WORDCOUNT_FORMAT_H
#define WORDCOUNT_FORMAT_H

#include <string>

#include "wordcount/counter.h"

namespace wordcount {

__attribute__((visibility("default"))) std::string format(const Totals& totals);

// How often format was called, from any thread.
__attribute__((visibility("default"))) int format_calls();

}  // namespace wordcount

#endif
