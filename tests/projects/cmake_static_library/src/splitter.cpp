// SPDX-License-Identifier: Apache-2.0
#include "wordcount/splitter.h"

#include <algorithm>

namespace wordcount {

void split(std::string_view line, const std::function<void(std::string_view)>& use) {
  std::size_t at = 0;
  while ((at = line.find_first_not_of(' ', at)) != std::string_view::npos) {
    std::size_t end = std::min(line.find(' ', at), line.size());
    use(line.substr(at, end - at));
    at = end;
  }
}

}  // namespace wordcount
