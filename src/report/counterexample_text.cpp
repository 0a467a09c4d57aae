// SPDX-License-Identifier: Apache-2.0
#include "report/counterexample_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "report/counted.h"
#include "report/narration.h"
#include "report/source_lines.h"

namespace heddle::report {
namespace {

constexpr size_t kLongStretch = 30, kShownBefore = 10, kShownAfter = 12;  // of one thread
constexpr size_t kLongRun = 250, kShownFirst = 60, kShownLast = 160;      // of all
constexpr size_t kShortBeginning = 3;

Style style_of(Mark mark) {
  switch (mark) {
    case Mark::kPlain: break;
    case Mark::kBuffered: return Style::kYellow;
    case Mark::kReachesMemory: return Style::kCyan;
    case Mark::kFails:
    case Mark::kWaits: return Style::kRed;
  }
  return Style::kPlain;
}

// Threads with steps, in the order of their creation, as columns with a name and
// the function in which they begin.
class ThreadHeads {
 public:
  ThreadHeads(const trace::Trace& trace, const std::vector<NarratedStep>& steps) {
    for (const auto& [thread, function] : first_functions(trace, steps)) {
      columns_[thread] = heads_.size();
      heads_.push_back(trace.thread_name(thread) + (function.empty() ? "" : " " + function));
    }
  }

  const std::vector<std::string>& heads() const { return heads_; }
  size_t column(uint32_t thread) const { return columns_.at(thread); }

 private:
  std::map<uint32_t, size_t> columns_;
  std::vector<std::string> heads_;
};

bool in_one_file(const trace::Trace& trace, const std::vector<NarratedStep>& steps) {
  std::set<std::string> files;
  for (const NarratedStep& step : steps)
    if (const std::string& file = trace.sites[step.site].file; !file.empty()) files.insert(file);
  return files.size() <= 1;
}

std::vector<Row> rows_of(const trace::Trace& trace, const std::vector<NarratedStep>& steps, const ThreadHeads& heads) {
  SourceLines sources;
  const bool one_file = in_one_file(trace, steps);
  std::vector<Row> rows;
  for (const NarratedStep& step : steps) {
    const trace::Site& site = trace.sites[step.site];
    Row row;
    row.number = step.number ? std::to_string(step.number) : "";
    row.column = heads.column(step.thread);
    row.text = step.action;
    row.style = style_of(step.mark);
    row.is_switch = step.number && !rows.empty() && rows.back().column != row.column;
    if (!site.file.empty()) {
      const auto text = sources.line(site.file, site.line);
      const std::string file = std::filesystem::path(site.file).filename().string();
      row.source = one_file && text ? std::to_string(site.line) : fmt::format("{}:{}", file, site.line);
      if (text) row.source += "  " + *text;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Which steps are shown, and remarks in the place of others.
class Selection {
 public:
  explicit Selection(std::vector<NarratedStep> all) {
    for (NarratedStep& step : all) {
      if (step.is_quiet) {
        ++quiet_;
      } else {
        steps_.push_back(std::move(step));
      }
    }
    leave_out_beginning();
    leave_out_stretches();
    leave_out_middle();
  }

  const std::vector<NarratedStep>& steps() const { return steps_; }
  size_t quiet() const { return quiet_; }
  // What to say before step `i`; empty: nothing. One past the last: at the end.
  std::string remark_before(size_t i) const {
    const auto remark = remarks_.find(i);
    return remark == remarks_.end() ? "" : remark->second;
  }
  bool is_shown(size_t i) const { return !hidden_.contains(i); }

 private:
  void hide(size_t begin, size_t end, const std::string& remark) {
    size_t count = 0;
    for (size_t i = begin; i < end; ++i) {
      count += hidden_.insert(i).second;
      if (remarks_.erase(i)) count += hidden_at_[i];
    }
    hidden_at_[begin] = count;
    remarks_[begin] = counted(count, "step", "steps") + " " + remark;
  }

  void leave_out_beginning() {
    size_t end = 0;
    while (end < steps_.size() && steps_[end].kind != HEDDLE_THREAD_CREATE) ++end;
    if (end < steps_.size() && end > kShortBeginning) hide(0, end, "before the first thread is created");
  }

  void leave_out_stretches() {
    for (size_t begin = 0, end; begin < steps_.size(); begin = end) {
      for (end = begin; end < steps_.size() && steps_[end].thread == steps_[begin].thread; ++end) {
      }
      size_t from = begin;
      while (from < end && !is_shown(from)) ++from;
      if (end - from > kLongStretch) hide(from + kShownBefore, end - kShownAfter, "of this thread");
    }
  }

  void leave_out_middle() {
    if (steps_.size() - hidden_.size() <= kLongRun) return;
    hide(kShownFirst, steps_.size() - kShownLast, "in the middle");
  }

  std::vector<NarratedStep> steps_;
  std::set<size_t> hidden_;
  std::map<size_t, std::string> remarks_;
  std::map<size_t, size_t> hidden_at_;  // how many a remark stands for
  size_t quiet_ = 0;
};

}  // namespace

std::string counterexample_text(const trace::Trace& trace, const ColumnOptions& options) {
  const naming::Names names(trace);
  const Selection selection(narrate(names));
  const std::vector<NarratedStep>& steps = selection.steps();
  if (steps.empty()) return "";
  const ThreadHeads heads(trace, steps);
  const std::vector<Row> rows = rows_of(trace, steps, heads);
  const Columns columns(heads.heads(), rows, options);
  std::string text = columns.head();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (const std::string remark = selection.remark_before(i); !remark.empty()) text += columns.remark(remark);
    if (selection.is_shown(i)) text += columns.line(rows[i]);
  }
  if (selection.quiet() > 0)
    text += columns.remark(counted(selection.quiet(), "step", "steps") + " of concern to one thread only");
  return text;
}

struct StepByStep::State {
  std::map<size_t, Row> rows;  // by event
  std::unique_ptr<Columns> columns;
};

StepByStep::StepByStep(const trace::Trace& trace, const ColumnOptions& options) : state_(std::make_unique<State>()) {
  const naming::Names names(trace);
  const std::vector<NarratedStep> steps = narrate(names);
  const ThreadHeads heads(trace, steps);
  const std::vector<Row> rows = rows_of(trace, steps, heads);
  state_->columns = std::make_unique<Columns>(heads.heads(), rows, options);
  for (size_t i = 0; i < rows.size(); ++i) state_->rows.emplace(steps[i].event, rows[i]);
}

StepByStep::~StepByStep() = default;

std::string StepByStep::head() const { return state_->columns->head(); }

std::string StepByStep::lines(size_t event) const {
  const auto row = state_->rows.find(event);
  return row == state_->rows.end() ? "" : state_->columns->line(row->second);
}

}  // namespace heddle::report
