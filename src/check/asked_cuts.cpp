// SPDX-License-Identifier: Apache-2.0
#include "check/asked_cuts.h"

namespace heddle::check {

CutKey cut_key(std::span<const uint32_t> words) {
  CutKey key = {words.size(), 0x13198a2e03707344};
  for (const uint32_t word : words) {
    key.low = (key.low ^ word) * 0x9e3779b97f4a7c15;
    key.low ^= key.low >> 29;
    key.high = (key.high + word) * 0xbf58476d1ce4e5b9;
    key.high ^= key.high >> 31;
  }
  return key;
}

AskedCuts::Claim AskedCuts::claim(const CutKey& cut, uint64_t work) {
  const uint64_t own = work + 1;
  const uint64_t seen = claims_.find(cut);
  if (seen == kSettled) return Claim::kSettled;
  if (seen <= own) return Claim::kLost;
  bool is_better = false;
  const uint64_t best = claims_.update(cut, [&](uint64_t claim) {
    is_better = own < claim;
    return is_better ? own : claim;
  });
  if (best == kSettled) return Claim::kSettled;
  return is_better ? Claim::kWon : Claim::kLost;
}

bool AskedCuts::settle(const CutKey& cut) {
  bool is_new = false;
  claims_.update(cut, [&](uint64_t claim) {
    is_new = claim != kSettled;
    return kSettled;
  });
  return is_new;
}

std::vector<CutKey> AskedCuts::settled() {
  std::vector<CutKey> cuts;
  claims_.for_each([&](const CutKey& cut, uint64_t claim) {
    if (claim == kSettled) cuts.push_back(cut);
  });
  return cuts;
}

}  // namespace heddle::check
