// SPDX-License-Identifier: Apache-2.0
#include "program/site_dependence.h"

#include <unordered_map>

#include "base/check.h"
#include "base/files.h"

namespace heddle::program {
namespace {

constexpr std::string_view kFirstLine = "heddle-dependence 1\n";
constexpr uint32_t kMostSites = 1u << 26;

template <typename T>
void put(std::string& bytes, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>(value >> 8 * i));
}

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T take() {
    T value = 0;
    if (rest_.size() < sizeof(T)) {
      good_ = false;
      return 0;
    }
    for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<uint8_t>(rest_[i])) << 8 * i;
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  // False if so many numbers of that size are not there.
  bool has(uint64_t count, size_t size) { return good_ = good_ && count <= rest_.size() / size; }
  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

uint32_t classes(const std::vector<uint32_t>& numbers) {
  uint32_t count = 0;
  for (const uint32_t number : numbers)
    if (number != SiteDependence::kNoClass && number >= count) count = number + 1;
  return count;
}

void put_relation(std::string& bytes, const SiteRelation& relation) {
  for (const auto* numbers : {&relation.later_class, &relation.earlier_class})
    for (const uint32_t number : *numbers) put(bytes, number);
  for (const bool steers : relation.steers) bytes.push_back(steers ? 1 : 0);
  for (const uint64_t word : relation.bits()) put(bytes, word);
}

bool take_relation(Cursor& cursor, size_t sites, SiteRelation& relation) {
  std::vector<uint32_t> later, earlier;
  std::vector<bool> steers;
  if (!cursor.has(sites, 9)) return false;
  for (size_t i = 0; i < sites; ++i) later.push_back(cursor.take<uint32_t>());
  for (size_t i = 0; i < sites; ++i) earlier.push_back(cursor.take<uint32_t>());
  for (size_t i = 0; i < sites; ++i) steers.push_back(cursor.take<uint8_t>() != 0);
  for (const auto* numbers : {&later, &earlier})
    for (const uint32_t number : *numbers)
      if (number != SiteDependence::kNoClass && number >= sites) return false;
  if (!cursor.has(uint64_t{classes(later)} * ((classes(earlier) + 63) / 64), 8)) return false;
  relation = SiteRelation(classes(later), classes(earlier));
  for (uint64_t& word : relation.bits()) word = cursor.take<uint64_t>();
  relation.later_class = std::move(later);
  relation.earlier_class = std::move(earlier);
  relation.steers = std::move(steers);
  return cursor.good();
}

}  // namespace

void SiteRelation::share_rows() {
  const size_t rows = words_ ? bits_.size() / words_ : 0;
  std::unordered_map<std::string_view, uint32_t> known;
  std::vector<uint32_t> number(rows);
  std::vector<size_t> kept;
  for (size_t row = 0; row < rows; ++row) {
    const std::string_view bytes(reinterpret_cast<const char*>(&bits_[row * words_]), words_ * sizeof(uint64_t));
    const auto [found, is_new] = known.try_emplace(bytes, static_cast<uint32_t>(kept.size()));
    if (is_new) kept.push_back(row);
    number[row] = found->second;
  }
  std::vector<uint64_t> shared;
  shared.reserve(kept.size() * words_);
  for (const size_t row : kept)
    shared.insert(shared.end(), bits_.begin() + static_cast<ptrdiff_t>(row * words_),
                  bits_.begin() + static_cast<ptrdiff_t>((row + 1) * words_));
  bits_ = std::move(shared);
  for (uint32_t& later : later_class)
    if (later < rows) later = number[later];
}

SiteDependence::SiteDependence(std::vector<uint32_t> sites, std::vector<bool> several, SiteRelation direct,
                               SiteRelation memory)
    : known_(true),
      sites_(std::move(sites)),
      several_(std::move(several)),
      direct_(std::move(direct)),
      memory_(std::move(memory)) {
  HEDDLE_CHECK(sites_.size() == several_.size() && sites_.size() == direct_.steers.size() &&
                   sites_.size() == memory_.steers.size(),
               "all tables have the same sites");
  place_.assign(sites_.empty() ? 0 : sites_.back() + 1, 0);
  for (size_t i = 0; i < sites_.size(); ++i) place_[sites_[i]] = static_cast<uint32_t>(i + 1);
}

bool SiteDependence::ask(const SiteRelation& relation, uint32_t later, uint32_t earlier) const {
  if (later >= place_.size() || earlier >= place_.size() || !place_[later] || !place_[earlier]) return true;
  if (later == earlier && several_[place_[later] - 1]) return true;
  const uint32_t later_class = relation.later_class[place_[later] - 1];
  const uint32_t earlier_class = relation.earlier_class[place_[earlier] - 1];
  if (earlier_class == kNoClass) return false;  // it gives nothing
  return relation.test(later_class, earlier_class);
}

bool SiteDependence::steers(uint32_t earlier) const {
  return earlier >= place_.size() || !place_[earlier] || direct_.steers[place_[earlier] - 1];
}

std::string SiteDependence::to_bytes() const {
  std::string bytes(kFirstLine);
  put(bytes, static_cast<uint32_t>(sites_.size()));
  for (const uint32_t site : sites_) put(bytes, site);
  for (const bool several : several_) bytes.push_back(several ? 1 : 0);
  put_relation(bytes, direct_);
  put_relation(bytes, memory_);
  put(bytes, base::hash_bytes(bytes));
  return bytes;
}

base::Result<SiteDependence> SiteDependence::from_bytes(std::string_view bytes) {
  const base::Error damaged{"the dependences of a cached target are damaged", "remove heddle's cache directory"};
  if (!bytes.starts_with(kFirstLine) || bytes.size() < kFirstLine.size() + 12) return damaged;
  Cursor hash(bytes.substr(bytes.size() - 8));
  bytes.remove_suffix(8);
  if (hash.take<uint64_t>() != base::hash_bytes(bytes)) return damaged;
  Cursor cursor(bytes.substr(kFirstLine.size()));
  const auto count = cursor.take<uint32_t>();
  if (!cursor.has(count, 5)) return damaged;
  std::vector<uint32_t> sites;
  std::vector<bool> several;
  for (uint32_t i = 0; i < count; ++i) {
    sites.push_back(cursor.take<uint32_t>());
    if (sites.back() >= kMostSites || (i > 0 && sites[i] <= sites[i - 1])) return damaged;
  }
  for (uint32_t i = 0; i < count; ++i) several.push_back(cursor.take<uint8_t>() != 0);
  SiteRelation direct(0, 0), memory(0, 0);
  if (!take_relation(cursor, count, direct) || !take_relation(cursor, count, memory) || !cursor.at_end())
    return damaged;
  return SiteDependence(std::move(sites), std::move(several), std::move(direct), std::move(memory));
}

}  // namespace heddle::program
