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
  Shard& place = shard(cut);
  const std::lock_guard<std::mutex> guard(place.lock);
  const auto [claim, is_new] = place.claims.try_emplace(cut, work + 1);
  if (is_new) return Claim::kWon;
  if (claim->second == kSettled) return Claim::kSettled;
  if (claim->second <= work + 1) return Claim::kLost;
  claim->second = work + 1;
  return Claim::kWon;
}

bool AskedCuts::settle(const CutKey& cut) {
  Shard& place = shard(cut);
  const std::lock_guard<std::mutex> guard(place.lock);
  const auto [claim, is_new] = place.claims.try_emplace(cut, kSettled);
  if (!is_new && claim->second == kSettled) return false;
  claim->second = kSettled;
  return true;
}

std::vector<CutKey> AskedCuts::settled() {
  std::vector<CutKey> cuts;
  for (Shard& place : shards_) {
    const std::lock_guard<std::mutex> guard(place.lock);
    for (const auto& [cut, claim] : place.claims)
      if (claim == kSettled) cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace heddle::check
