// SPDX-License-Identifier: Apache-2.0
//
// The facts of a recording as bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/recording.h"

namespace heddle::record {

std::string write_facts(const Facts& facts);
std::optional<Facts> read_facts(std::string_view bytes);

}  // namespace heddle::record
