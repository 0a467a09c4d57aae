// SPDX-License-Identifier: Apache-2.0
#include "wordcount/counter.h"

#include "wordcount/hash.h"

namespace wordcount {

void Counter::add(std::string_view word) {
  Stripe& stripe = stripes_[wordcount_hash(word.data(), word.size()) % stripes_.size()];
  std::lock_guard<std::mutex> guard(stripe.mutex);
  auto found = stripe.counts.find(word);
  if (found == stripe.counts.end()) found = stripe.counts.emplace(word, 0).first;
  found->second++;
}

Totals Counter::totals() const {
  Totals totals;
  for (const Stripe& stripe : stripes_) {
    for (const auto& [word, count] : stripe.counts) {
      totals.words += count;
      totals.distinct++;
      if (count > totals.most_count || (count == totals.most_count && word < totals.most)) {
        totals.most = word;
        totals.most_count = count;
      }
    }
  }
  return totals;
}

}  // namespace wordcount
