// SPDX-License-Identifier: Apache-2.0
//
// The path of one thread for the symbolic walker, from a trace that was recorded
// with functions, branches and values. Every record has its turn: one that is not
// what the walker asks for means that walker and run have parted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/patience.h"
#include "symbolic/path_source.h"
#include "trace/trace.h"

namespace heddle::symbolic {

class TracePath : public PathSource {
 public:
  // The records of one thread, in their order; they must outlive this. When the patience is over, which may be null, so
  // are the records.
  explicit TracePath(std::vector<const HeddleRecord*> records, base::Patience* patience = nullptr);

  bool is_lost() const override { return !why_.empty(); }
  std::string why() const override { return why_; }
  bool has_ended() override { return peek() == nullptr; }
  std::vector<std::optional<uint64_t>> enter(uint32_t first_site, uint32_t arguments) override;
  void leave(uint32_t first_site) override;
  std::optional<uint32_t> next_function() override;
  std::optional<uint32_t> way(uint32_t site) override;
  std::optional<uint64_t> value(uint32_t site) override;
  std::optional<HeddleRecord> access(uint32_t site) override;
  std::vector<HeddleRecord> outside(const OutsideCall& call) override;
  std::optional<uint64_t> local(uint32_t, uint64_t) override { return std::nullopt; }
  std::optional<uint64_t> global(const std::string&) override { return std::nullopt; }
  std::vector<HeddleRecord> rest() override;
  size_t taken() const override { return next_; }
  void skip_to(size_t records) override { next_ = records; }

 private:
  const HeddleRecord* peek() const {
    return next_ < records_.size() && !(patience_ && patience_->is_over()) ? records_[next_] : nullptr;
  }
  // The next record if it is of this kind and site; otherwise the way is lost.
  const HeddleRecord* take(uint8_t kind, uint32_t site);

  std::vector<const HeddleRecord*> records_;
  base::Patience* patience_ = nullptr;
  size_t next_ = 0;
  std::string why_;
};

// All threads of the trace, each with its own records.
std::vector<std::vector<const HeddleRecord*>> records_of_threads(const trace::Trace& trace);

}  // namespace heddle::symbolic
