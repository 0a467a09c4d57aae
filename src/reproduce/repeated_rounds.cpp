// SPDX-License-Identifier: Apache-2.0
#include "reproduce/repeated_rounds.h"

#include <algorithm>

#include "reproduce/path_window.h"
#include "schedule/from_trace.h"
#include "semantics/meaning.h"

namespace heddle::reproduce {
namespace {

constexpr uint64_t kMostSteps = 100000;

// How often the last `size` bits before `end` are repeated from there on.
uint64_t repetitions(const record::Path& path, uint64_t end, uint64_t size) {
  uint64_t bit = end;
  while (bit < path.size() && path[bit] == path[bit - size]) ++bit;
  return (bit - end) / size;
}

// The operation can happen at any time, and a step says all of it.
bool is_plain(const HeddleRecord& record) {
  const HeddleForm form = semantics::form_of(record);
  return (form == HEDDLE_FORM_PROMPT || form == HEDDLE_FORM_ATTEMPT) && record.kind != HEDDLE_NONDET &&
         record.kind != HEDDLE_EXTERN_WRITE && record.kind != HEDDLE_FAIL &&
         !(record.flags & (HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS));
}

}  // namespace

void append_repeated_rounds(schedule::Schedule& schedule, const KnownPaths& known, uint32_t thread,
                            const SwitchNumbers& switches) {
  const KnownThread& way = known.threads()[thread];
  if (way.agreement.kind != Agreement::Kind::kDeviates || !way.recorded || way.agreement.records == 0) return;
  const auto left = way.records.begin() + static_cast<ptrdiff_t>(way.agreement.records) - 1;
  // A round begins behind this branch, where it went the way that it is to go again.
  auto before = left;
  while (before != way.records.begin()) {
    --before;
    if (before->kind == HEDDLE_BRANCH && before->site == left->site) break;
  }
  if (before == left || before->kind != HEDDLE_BRANCH || before->site != left->site ||
      before->value != way.agreement.other_way)
    return;
  uint64_t bits = 0;
  std::vector<HeddleRecord> round;
  for (auto record = before + 1; record <= left; ++record) {
    if (record->kind == HEDDLE_BRANCH) bits += bits_of_branch(*record, switches);
    if (trace::is_visible(*record)) round.push_back(*record);
  }
  const uint64_t end = way.agreement.bits + bits_of_branch(*left, switches);
  if (round.empty() || end < bits || end > way.recorded->path.size() ||
      !std::all_of(round.begin(), round.end(), is_plain))
    return;
  const uint64_t rounds = std::min<uint64_t>(repetitions(way.recorded->path, end, bits), kMostSteps / round.size());
  const schedule::ThreadName name = schedule::thread_names(known.frame())[thread];
  uint32_t index = left->index;
  for (uint64_t i = 0; i < rounds; ++i)
    for (const HeddleRecord& record : round)
      schedule.steps.push_back({.thread = name, .index = index++, .place = "", .site = record.site});
}

}  // namespace heddle::reproduce
