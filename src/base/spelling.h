// SPDX-License-Identifier: Apache-2.0
//
// Help for words that were mistyped.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::base {

// The candidate that is nearest to `word` (letters inserted, left out, replaced
// or two neighbours swapped), or empty when none is near. The first of equals.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

// "Did you mean \"random\"?", or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace heddle::base
