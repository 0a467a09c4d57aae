// SPDX-License-Identifier: Apache-2.0
//
// The script and the style of the HTML report, made from src/report/page by
// cmake/embed_page.cmake, and their SHA-256 hashes as a content security policy wants them.
#pragma once

#include <string_view>

namespace heddle::report {

extern const std::string_view kPageScript, kPageStyle;
extern const std::string_view kPageScriptHash, kPageStyleHash;

}  // namespace heddle::report
