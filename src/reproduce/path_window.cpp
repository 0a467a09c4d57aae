// SPDX-License-Identifier: Apache-2.0
#include "reproduce/path_window.h"

#include <algorithm>

namespace heddle::reproduce {
namespace {

// A run of a thread as bits, and where its branches begin.
struct RunBits {
  struct Branch {
    size_t record = 0;
    uint64_t bit = 0;
  };
  std::vector<uint8_t> bits;
  std::vector<Branch> branches;
};

unsigned width_of(const std::vector<uint32_t>& numbers) {
  return record::switch_width(numbers.empty() ? 0 : uint64_t{*std::max_element(numbers.begin(), numbers.end())} + 1);
}

RunBits bits_of(const std::vector<HeddleRecord>& records, const SwitchNumbers& switches) {
  RunBits run;
  for (size_t i = 0; i < records.size(); ++i) {
    const HeddleRecord& record = records[i];
    if (record.kind != HEDDLE_BRANCH) continue;
    run.branches.push_back({i, run.bits.size()});
    const auto numbers = switches.find(record.site);
    if (numbers == switches.end()) {
      run.bits.push_back(record.value == 0);
      continue;
    }
    const uint64_t number = record.value < numbers->second.size() ? numbers->second[record.value] : 0;
    for (unsigned bit = width_of(numbers->second); bit-- > 0;) run.bits.push_back(number >> bit & 1);
  }
  return run;
}

// By place of the run: how many bits from there on are as at the beginning of the path. (The Z function of the two in a
// row.)
std::vector<uint64_t> agreements(const record::Path& path, const std::vector<uint8_t>& run) {
  constexpr uint8_t kNeither = 2;
  std::vector<uint8_t> text;
  text.reserve(path.size() + 1 + run.size());
  for (uint64_t i = 0; i < path.size(); ++i) text.push_back(path[i]);
  text.push_back(kNeither);
  text.insert(text.end(), run.begin(), run.end());
  std::vector<uint64_t> common(text.size(), 0);
  uint64_t begin = 0, end = 0;  // the match that reaches furthest
  for (uint64_t i = 1; i < text.size(); ++i) {
    uint64_t length = i < end ? std::min(end - i, common[i - begin]) : 0;
    while (i + length < text.size() && text[length] == text[i + length]) ++length;
    common[i] = length;
    if (i + length > end) begin = i, end = i + length;
  }
  return {common.begin() + static_cast<ptrdiff_t>(path.size() + 1), common.end()};
}

uint64_t distance(uint64_t one, uint64_t two) { return one > two ? one - two : two - one; }

}  // namespace

unsigned bits_of_branch(const HeddleRecord& branch, const SwitchNumbers& switches) {
  const auto numbers = switches.find(branch.site);
  return numbers == switches.end() || numbers->second.empty() ? 1 : width_of(numbers->second);
}

PathWindow find_window(const std::vector<HeddleRecord>& records, const record::Thread& recorded,
                       const SwitchNumbers& switches) {
  constexpr uint64_t kLeast = 16;  // bits that agree by chance
  const RunBits run = bits_of(records, switches);
  const std::vector<uint64_t> common = agreements(recorded.path, run.bits);
  PathWindow best = {records.size(), run.bits.size(), 0};
  uint64_t longest = 0;
  for (const RunBits::Branch& branch : run.branches) {
    const uint64_t agree = branch.bit < common.size() ? common[branch.bit] : 0;
    const bool is_expected = branch.bit == recorded.skipped;
    if (agree < std::min(kLeast, recorded.path.size()) && !is_expected) continue;
    const bool is_nearer = distance(branch.bit, recorded.skipped) < distance(best.bits, recorded.skipped);
    if (agree < longest || (agree == longest && !is_nearer && best.records != records.size())) continue;
    longest = agree;
    best = {branch.record, branch.bit, 0};
  }
  if (longest > 0 || best.records != records.size()) return best;
  // A switch of which only the last bits are there.
  for (const RunBits::Branch& branch : run.branches) {
    const uint64_t beyond = branch.bit - std::min(branch.bit, recorded.skipped);
    if (beyond > 0 && beyond < 64 && beyond <= recorded.path.size())
      return {branch.record, branch.bit, static_cast<unsigned>(beyond)};
  }
  return best;
}

}  // namespace heddle::reproduce
