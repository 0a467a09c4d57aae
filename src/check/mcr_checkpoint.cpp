// SPDX-License-Identifier: Apache-2.0
//
// What McrExplorer knows, as bytes: nodes that are left, executions, which cuts
// were asked about. Everything else follows from these.
#include "causal/execution_bytes.h"
#include "check/mcr_explorer.h"
#include "check/save_values.h"

namespace heddle::check {
namespace {

// Of a section of the checkpoint: some hundred thousand bytes.
constexpr size_t kNodesAtOnce = 1000, kRunsAtOnce = 100;

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

bool McrExplorer::save(CheckpointSections& sections) {
  sections.add([this](base::ByteWriter& out) {
    out.number(committed_);
    out.number(frontier_.size());
  });
  sections.add_each(frontier_.size(), kNodesAtOnce, [this](base::ByteWriter& out, size_t at) {
    const Node& node = frontier_[at];
    out.plain(node.part.cut);
    out.plain(node.part.pinned);
    out.plain(node.part.free);
    out.plain(node.part.histories);
    out.plain(node.part.known);
    write_plan(node.plan, out);
  });
  sections.add([this](base::ByteWriter& out) { out.number(runs_.size()); });
  sections.add_each(runs_.size(), kRunsAtOnce,
                    [this](base::ByteWriter& out, size_t run) { causal::write_execution(*runs_[run], out); });
  sections.add([this](base::ByteWriter& out) { out.plain(asked_.settled()); });
  sections.add([this](base::ByteWriter& out) {
    out.plain(nodes_.settled());
    save_gaps(gaps_, out);
    save_statistics(solved_, out);
  });
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
  for (const CutKey& cut : in.plain<CutKey>()) asked_.settle(cut);
  for (const CutKey& cut : in.plain<CutKey>()) node_count_ += nodes_.settle(cut);
  gaps_ = restore_gaps(in);
  solved_ = restore_statistics(in);
}

}  // namespace heddle::check
