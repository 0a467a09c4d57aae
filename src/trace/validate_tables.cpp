// SPDX-License-Identifier: Apache-2.0
//
// Rules of validate.h about numbers: tables, indices within threads, sequence.
#include <fmt/format.h>

#include <optional>
#include <unordered_set>
#include <utility>

#include "trace/tables.h"
#include "trace/validate_rules.h"

namespace heddle::trace {
namespace {

class TableRule final : public Rule {
 public:
  explicit TableRule(const Trace& trace) : trace_(trace) {}
  const char* name() const override { return "tables"; }
  bool wants_total_order() const override { return false; }
  std::string take(const Event& event) override {
    return record_problem(event.record, trace_.threads.size(), trace_.sites.size());
  }

 private:
  const Trace& trace_;
};

class IndexRule final : public Rule {
 public:
  explicit IndexRule(const Trace& trace) : next_(trace.threads.size()) {}
  const char* name() const override { return "index"; }
  bool wants_total_order() const override { return false; }

  std::string take(const Event& event) override {
    uint64_t& next = next_[event.record.thread];
    if (event.record.kind == HEDDLE_FLUSH) return event.record.index < next ? "" : "its store has not been issued";
    const uint64_t expected = next;
    if (is_visible(event.record)) next = uint64_t{event.record.index} + 1;
    return event.record.index == expected ? "" : fmt::format("its index should be {}", expected);
  }

 private:
  std::vector<uint64_t> next_;  // by thread
};

class OrderRule final : public Rule {
 public:
  explicit OrderRule(const Trace& trace)
      : free_running_(trace.header.mode == Mode::kFree), last_(free_running_ ? trace.threads.size() : 1) {}
  const char* name() const override { return "order"; }
  bool wants_total_order() const override { return false; }

  std::string take(const Event& event) override { return free_running_ ? take_free(event) : take_controlled(event); }

 private:
  std::string take_controlled(const Event& event) {
    const std::optional<uint64_t> last = std::exchange(last_[0], event.sequence);
    if (!last || event.sequence > *last) return {};
    return fmt::format("its number {} in the total order comes after {}", event.sequence, *last);
  }

  std::string take_free(const Event& event) {
    if (event.record.thread < thread_) return "events of a free trace are not grouped by thread";
    thread_ = event.record.thread;
    if (event.sequence == 0) return {};
    if (!taken_.insert(event.sequence).second) return fmt::format("another event has the number {}", event.sequence);
    const std::optional<uint64_t> last = std::exchange(last_[event.record.thread], event.sequence);
    if (!last || event.sequence > *last) return {};
    return fmt::format("its number {} comes after {} of the same thread", event.sequence, *last);
  }

  bool free_running_;
  uint32_t thread_ = 0;
  std::vector<std::optional<uint64_t>> last_;  // free: by thread
  std::unordered_set<uint64_t> taken_;
};

}  // namespace

std::unique_ptr<Rule> make_table_rule(const Trace& trace) { return std::make_unique<TableRule>(trace); }
std::unique_ptr<Rule> make_index_rule(const Trace& trace) { return std::make_unique<IndexRule>(trace); }
std::unique_ptr<Rule> make_order_rule(const Trace& trace) { return std::make_unique<OrderRule>(trace); }

}  // namespace heddle::trace
