// SPDX-License-Identifier: Apache-2.0
//
// A run as one HTML file that needs nothing else: no server, no network, no other
// file. The page itself (src/report/page) is fixed; what is shown comes as JSON in
// an element that is never executed, and the page puts it on the screen as text
// only. A content security policy allows exactly the script and the style of the
// page, by their hashes: whatever names and sources say, nothing of it runs.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle::report {

std::string html_text(const RunResult& run);

}  // namespace heddle::report
