// SPDX-License-Identifier: Apache-2.0
//
// The two records that files built with Heddle carry, as bytes and back:
//
//   .heddle.bitcode   one per translation unit: its two modules
//   .heddle.link      one per link step: what linking it again takes
//
// docs/reference/bitcode_section.md describes both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "program/program_parts.h"

namespace heddle::program {

std::string encode_module(const ModulePart& part);
std::string encode_link(const LinkFacts& facts);

// All records of a section, in link order. `file` is for messages.
base::Result<std::vector<ModulePart>> decode_modules(std::string_view section, const std::string& file);
base::Result<std::vector<LinkFacts>> decode_links(std::string_view section, const std::string& file);

// Adds what `more` brings to `facts`; what is there already is not repeated.
void add_link_facts(LinkFacts& facts, LinkFacts more);

}  // namespace heddle::program
