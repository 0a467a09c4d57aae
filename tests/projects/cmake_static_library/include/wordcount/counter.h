// SPDX-License-Identifier: Apache-2.0
//
// Word frequencies, counted by several threads at once. The table is striped:
// a word's hash chooses the stripe and with it the lock.
#ifndef WORDCOUNT_COUNTER_H
#define WORDCOUNT_COUNTER_H

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace wordcount {

struct Totals {
  std::size_t words = 0;
  std::size_t distinct = 0;
  std::string most;
  std::size_t most_count = 0;
};

class Counter {
 public:
  void add(std::string_view word);
  // Call it when no thread adds any more.
  Totals totals() const;

 private:
  struct Stripe {
    std::mutex mutex;
    std::map<std::string, std::size_t, std::less<>> counts;
  };
  std::array<Stripe, 4> stripes_;
};

}  // namespace wordcount

#endif
