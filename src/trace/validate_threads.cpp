// SPDX-License-Identifier: Apache-2.0
//
// Rules of validate.h about the life of threads: what a thread itself shows
// (begins with its start, ends with its end), and what others do to it.
#include <fmt/format.h>

#include "trace/kinds.h"
#include "trace/validate_rules.h"

namespace heddle::trace {
namespace {

class ThreadLifeRule final : public Rule {
 public:
  explicit ThreadLifeRule(const Trace& trace) : trace_(trace), stage_(trace.threads.size(), Stage::kNew) {
    if (!stage_.empty()) stage_[0] = Stage::kRunning;  // T0 has no start
  }
  const char* name() const override { return "threads"; }
  bool wants_total_order() const override { return false; }

  std::string take(const Event& event) override {
    const HeddleRecord& record = event.record;
    if (!is_visible(record)) return {};
    Stage& stage = stage_[record.thread];
    const Stage before = stage;
    const bool start = record.kind == HEDDLE_THREAD_START;
    stage = record.kind == HEDDLE_THREAD_END ? Stage::kEnded : Stage::kRunning;
    if (before == Stage::kEnded) return "the thread has ended before";
    if (before == Stage::kNew && !start) return "the thread has not started";
    if (before == Stage::kRunning && start) return record.thread == 0 ? "T0 has no start" : "the thread starts again";
    if (start && record.value != trace_.threads[record.thread].parent) {
      return fmt::format("its parent is {}", trace_.thread_name(trace_.threads[record.thread].parent));
    }
    return {};
  }

 private:
  enum class Stage : uint8_t { kNew, kRunning, kEnded };
  const Trace& trace_;
  std::vector<Stage> stage_;  // by thread
};

class ThreadOrderRule final : public Rule {
 public:
  explicit ThreadOrderRule(const Trace& trace)
      : trace_(trace), created_(trace.threads.size()), ended_(trace.threads.size()) {}
  const char* name() const override { return "threads"; }
  bool wants_total_order() const override { return true; }

  std::string take(const Event& event) override {
    const HeddleRecord& record = event.record;
    switch (record.kind) {
      case HEDDLE_THREAD_CREATE: return succeeded(record) ? create(record) : "";
      case HEDDLE_THREAD_START:
        if (record.thread == 0 || created_[record.thread]) return {};
        if (trace_.threads[record.thread].child_number >= HEDDLE_UNCREATED_CHILD) return {};
        return "it starts before it was created";
      case HEDDLE_THREAD_END: ended_[record.thread] = true; return {};
      case HEDDLE_THREAD_JOIN:
        if (!succeeded(record)) return {};
        if (record.value >= ended_.size()) return "the joined thread is not in the table";
        if (record.value == 0) return {};  // the first thread ends by waiting for the others
        return ended_[record.value] ? "" : trace_.thread_name(static_cast<uint32_t>(record.value)) + " has not ended";
      default: return {};
    }
  }

 private:
  std::string create(const HeddleRecord& record) {
    if (record.value >= created_.size()) return "the new thread is not in the table";
    const uint32_t child = static_cast<uint32_t>(record.value);
    if (trace_.threads[child].parent != record.thread) {
      return fmt::format("{} is not a child of {}", trace_.thread_name(child), trace_.thread_name(record.thread));
    }
    if (created_[child]) return trace_.thread_name(child) + " was created before";
    created_[child] = true;
    return {};
  }

  const Trace& trace_;
  std::vector<bool> created_;
  std::vector<bool> ended_;
};

}  // namespace

std::unique_ptr<Rule> make_thread_life_rule(const Trace& trace) { return std::make_unique<ThreadLifeRule>(trace); }
std::unique_ptr<Rule> make_thread_order_rule(const Trace& trace) { return std::make_unique<ThreadOrderRule>(trace); }

}  // namespace heddle::trace
