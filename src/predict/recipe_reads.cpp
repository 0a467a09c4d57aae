// SPDX-License-Identifier: Apache-2.0
//
// What reads find. A read is cut into parts such that every write covers a part or
// leaves it alone; each part finds what the last write before it wrote there.
#include <algorithm>
#include <set>

#include "predict/recipe_question.h"

namespace heddle::predict {

using solve::Formula;
using solve::Term;

namespace {

// More ways in which reads could find their values than this are not asked about.
constexpr size_t kMostWays = 20'000;

std::set<uint64_t> borders_of(const HeddleRecord& read, const std::vector<RecipeMemory::Write>& writes) {
  std::set<uint64_t> borders{read.address, read.address + read.size};
  for (const RecipeMemory::Write& write : writes)
    for (const uint64_t border : {write.address, write.address + write.size})
      if (border > read.address && border < read.address + read.size) borders.insert(border);
  return borders;
}

}  // namespace

bool RecipeQuestion::encode_reads() {
  size_t ways = 0;
  for (const EventId read : slice_->reads()) {
    if (!is_kept(read)) continue;
    const HeddleRecord& record = window_.record(read);
    const auto writes = window_.memory().writes(record.address, record.size);
    ways += (writes.size() + 1) * (writes.size() + 1);
    if (ways > kMostWays) {
      is_complete_ = false;
      return false;
    }
    const std::set<uint64_t> borders = borders_of(record, writes);
    for (auto border = borders.begin(); std::next(border) != borders.end(); ++border)
      encode_read(read, *border, static_cast<unsigned>(*std::next(border) - *border));
  }
  return true;
}

void RecipeQuestion::encode_read(EventId read, uint64_t address, unsigned size) {
  std::vector<RecipeMemory::Write> writes;  // that may be before it; the last of its own thread is one of them
  std::optional<RecipeMemory::Write> own;
  bool has_earlier = false;
  for (const RecipeMemory::Write& write : window_.memory().writes(address, size)) {
    if (write.event.thread == read.thread) {
      if (write.event.index < read.index) own = write;
    } else if (is_kept(write.event) && !window_.must_precede(read, write.event)) {
      writes.push_back(write);
      has_earlier |= window_.must_precede(write.event, read);
    }
  }
  if (own) writes.push_back(*own);
  const HeddleRecord& record = window_.record(read);
  const Term found =
      terms_.extract(*window_.operation(read).read, 8 * static_cast<unsigned>(address - record.address), 8 * size);
  const auto finds = [&](Term value) { return solver_.holds(terms_.eq(found, value)); };
  Formulas ways = unless_later(read);
  const std::optional<uint64_t> initial = window_.memory().initial(address, size);
  if (!own && !has_earlier && initial) {
    Formulas way{finds(terms_.constant(8 * size, *initial))};
    for (const RecipeMemory::Write& other : writes) way.push_back(before(read, other.event));
    ways.push_back(solver_.all(way));
  }
  for (const RecipeMemory::Write& write : writes) {
    const EventId source = write.event;
    const auto& written = window_.operation(source).written;
    const auto is_between = [&](const RecipeMemory::Write& other) {
      return window_.must_precede(source, other.event) && window_.must_precede(other.event, read);
    };
    if (!written || std::any_of(writes.begin(), writes.end(), is_between)) continue;
    Formulas way{finds(terms_.extract(*written, 8 * static_cast<unsigned>(address - write.address), 8 * size))};
    if (!window_.must_precede(source, read)) way.push_back(before(source, read));
    for (const RecipeMemory::Write& another : writes) {
      const EventId other = another.event;
      if (other == source || window_.must_precede(other, source)) continue;
      if (window_.must_precede(source, other)) {
        way.push_back(before(read, other));
      } else if (window_.must_precede(other, read)) {
        way.push_back(before(other, source));
      } else {
        way.push_back(solver_.any({before(other, source), before(read, other)}));
      }
    }
    ways.push_back(solver_.all(way));
  }
  solver_.require(solver_.any(ways));
}

}  // namespace heddle::predict
