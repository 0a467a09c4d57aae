// SPDX-License-Identifier: Apache-2.0
#ifndef WORDCOUNT_SPLITTER_H
#define WORDCOUNT_SPLITTER_H

#include <functional>
#include <string_view>

namespace wordcount {

// Calls `use` with every run of characters between blanks.
void split(std::string_view line, const std::function<void(std::string_view)>& use);

}  // namespace wordcount

#endif
