// SPDX-License-Identifier: Apache-2.0
//
// Which operations of a program may depend on which values, by their sites: the
// answer of the dependence graph (program/dependence) in a form that is made
// once per program and asked often. No LLVM here.
//
//   may_depend(later, earlier)    one thread performs an operation at `earlier`
//       and, some time after it, one at `later`. May whether the second happens,
//       its address, the value it writes or its other operands depend on what
//       the first gave to the thread?
//
// Two relations. `may_depend` goes through registers, control, calls, and memory
// of which a trace does not say who wrote it. It leaves out the way from a store
// with a hook to a load with a hook; who has the trace knows which store of the
// thread each load read from, and adds that. `may_depend_through_memory` has
// these ways too, by what pointers may point to.
//
//   steers(earlier)               may the value decide which operations the thread
//       performs afterwards at all? If not, the thread goes through the same sites
//       whatever the value is; only what depends on it differs there.
//
// A site that the table does not know (0, or none at all) may depend on
// everything. Ask with site 0 for operations that have no instruction of their
// own: the start and end of a thread, and the end of the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::program {

// Classes of sites that depend on the same, and a bit for each pair of classes.
class SiteRelation {
 public:
  SiteRelation(uint32_t later_classes, uint32_t earlier_classes)
      : words_((earlier_classes + 63) / 64), bits_(size_t{later_classes} * words_, 0) {}

  uint32_t words() const { return words_; }
  uint64_t& word(uint32_t later, size_t word) { return bits_[size_t{later} * words_ + word]; }
  bool test(uint32_t later, uint32_t earlier) const {
    return bits_[size_t{later} * words_ + earlier / 64] >> earlier % 64 & 1;
  }
  // Classes that depend on the same become one.
  void share_rows();
  const std::vector<uint64_t>& bits() const { return bits_; }
  std::vector<uint64_t>& bits() { return bits_; }

  // By place of the site in the table.
  std::vector<uint32_t> later_class, earlier_class;
  std::vector<bool> steers;

 private:
  uint32_t words_;
  std::vector<uint64_t> bits_;
};

class SiteDependence {
 public:
  static constexpr uint32_t kNoClass = UINT32_MAX;

  SiteDependence() : direct_(0, 0), memory_(0, 0) {}
  // `several`: one execution of the site may be several operations.
  SiteDependence(std::vector<uint32_t> sites, std::vector<bool> several, SiteRelation direct, SiteRelation memory);

  // False: there is no table, and everything may depend on everything.
  bool known() const { return known_; }
  bool may_depend(uint32_t later, uint32_t earlier) const { return ask(direct_, later, earlier); }
  bool may_depend_through_memory(uint32_t later, uint32_t earlier) const { return ask(memory_, later, earlier); }
  bool steers(uint32_t earlier) const;

  // Sites of the table, ascending.
  const std::vector<uint32_t>& sites() const { return sites_; }

  // The file of a target's cache: a line "heddle-dependence 1", then numbers of
  // four and eight bytes, low byte first: sites, whether each is several, and per
  // relation the classes, who steers, and the bits; a hash of all of it at the end.
  std::string to_bytes() const;
  static base::Result<SiteDependence> from_bytes(std::string_view bytes);

 private:
  bool ask(const SiteRelation& relation, uint32_t later, uint32_t earlier) const;

  bool known_ = false;
  std::vector<uint32_t> sites_;
  std::vector<bool> several_;
  std::vector<uint32_t> place_;  // by site: 1 + its place in sites_, or 0
  SiteRelation direct_, memory_;
};

}  // namespace heddle::program
