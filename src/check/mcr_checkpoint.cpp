// SPDX-License-Identifier: Apache-2.0
//
// What McrExplorer knows, as bytes: nodes that are left, executions, which cuts
// were asked about. Everything else follows from these.
#include "causal/execution_bytes.h"
#include "check/mcr_explorer.h"
#include "check/save_values.h"

namespace heddle::check {
namespace {

void write_plan(const std::vector<property::PlannedStep>& plan, base::ByteWriter& out) {
  out.number(plan.size());
  for (const property::PlannedStep& step : plan) {
    out.number(static_cast<uint64_t>(step.kind));
    out.number(step.event.thread);
    out.number(step.event.index);
    out.number(step.site);
    out.number(static_cast<uint64_t>(step.value));
  }
}

std::vector<property::PlannedStep> read_plan(base::ByteReader& in) {
  std::vector<property::PlannedStep> plan(in.count(5));
  for (property::PlannedStep& step : plan) {
    step.kind = static_cast<schedule::StepKind>(in.number());
    step.event.thread = static_cast<causal::ThreadId>(in.number());
    step.event.index = static_cast<uint32_t>(in.number());
    step.site = static_cast<uint32_t>(in.number());
    step.value = static_cast<int64_t>(in.number());
  }
  return plan;
}

}  // namespace

bool McrExplorer::save(base::ByteWriter& out) {
  constexpr size_t kNodeBytes = 64, kStepBytes = 5, kHappeningBytes = 3;  // at least
  size_t bytes = 2 * nodes_.size() * sizeof(CutKey);
  for (const Node& node : frontier_) bytes += kNodeBytes + kStepBytes * node.plan.size();
  for (const ExecutionRef& run : runs_) {
    bytes += kHappeningBytes * run->order.size();
    for (const causal::ThreadPart& part : run->threads)
      bytes += part.operations.size() * sizeof(HeddleRecord) + part.histories.size() * sizeof(causal::HistoryId);
  }
  out.expect(bytes + bytes / 4);
  out.number(committed_);
  out.number(frontier_.size());
  for (const Node& node : frontier_) {
    out.plain(node.part.cut);
    out.plain(node.part.pinned);
    out.plain(node.part.free);
    out.plain(node.part.histories);
    out.plain(node.part.known);
    write_plan(node.plan, out);
  }
  out.number(runs_.size());
  for (const ExecutionRef& run : runs_) causal::write_execution(*run, out);
  out.plain(asked_.settled());
  out.plain(std::vector<CutKey>(nodes_.begin(), nodes_.end()));
  save_texts(gaps_, out);
  save_statistics(solved_, out);
  return true;
}

void McrExplorer::restore(base::ByteReader& in) {
  committed_ = in.number();
  frontier_.clear();
  for (size_t left = in.count(6); left > 0; --left) {
    Node node;
    node.part.cut = in.plain<uint32_t>();
    node.part.pinned = in.plain<causal::EventId>();
    node.part.free = in.plain<causal::EventId>();
    node.part.histories = in.plain<causal::HistoryId>();
    node.part.known = in.plain<causal::HistoryId>();
    node.plan = read_plan(in);
    if (node.part.cut.size() != node.part.histories.size() || node.part.cut.size() != node.part.known.size()) in.fail();
    frontier_.push_back(std::move(node));
  }
  for (size_t left = in.count(); left > 0 && !in.failed(); --left)
    add_run(std::make_shared<const causal::Execution>(causal::read_execution(in)));
  for (const CutKey& cut : in.plain<CutKey>()) asked_.insert(cut);
  for (const CutKey& cut : in.plain<CutKey>()) nodes_.insert(cut);
  gaps_ = restore_texts(in);
  solved_ = restore_statistics(in);
}

}  // namespace heddle::check
