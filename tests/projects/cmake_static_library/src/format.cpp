// SPDX-License-Identifier: Apache-2.0
#include "wordcount/format.h"

#include <atomic>
#include <sstream>

namespace wordcount {

static std::atomic<int> calls{0};

std::string format(const Totals& totals) {
  calls++;
  std::ostringstream text;
  text << "words " << totals.words << " distinct " << totals.distinct << " most " << totals.most << " "
       << totals.most_count;
  return text.str();
}

int format_calls() { return calls; }

}  // namespace wordcount
