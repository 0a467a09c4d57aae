// SPDX-License-Identifier: Apache-2.0
//
// What the search asks: can this thread get past what is known of its way, and can
// all ways be gone together, up to the failure?
#include "reproduce/search.h"

namespace heddle::reproduce {
namespace {

// Both ways to take the ends of ways and what the walker does not understand, what is likely to be right first.
std::vector<WalkChoices> all_ways(WalkChoices choices, bool with_tails) {
  std::vector<WalkChoices> result;
  for (const bool held : {true, false}) {
    for (const bool tails : {with_tails, !with_tails}) {
      choices.keeps_held = held;
      choices.keeps_tails = tails;
      result.push_back(choices);
    }
  }
  return result;
}

}  // namespace

std::vector<WalkChoices> Search::questions(uint32_t thread) const {
  const KnownThread& way = known_.threads()[thread];
  if (way.records.empty()) return {};
  WalkChoices choices;
  choices.turned.assign(known_.threads().size(), false);
  choices.failing_thread = thread;
  switch (way.agreement.kind) {
    case Agreement::Kind::kUnknown: return {};
    case Agreement::Kind::kShort: break;
    case Agreement::Kind::kDeviates: choices.turned[thread] = true; break;
    case Agreement::Kind::kBeyond:
      // The end of its way is known; whether it fails there is a matter of values.
      if (!failure_.address || known_.find(failure_.thread) != thread) return {};
      choices.crash_site = failure_.site;
      choices.crash_address = *failure_.address;
      break;
  }
  return all_ways(choices, true);
}

std::vector<WalkChoices> Search::whole_questions() const {
  WalkChoices choices;
  choices.turned.assign(known_.threads().size(), false);
  if (failure_.kind == FailurePlace::Kind::kDeadlock) return all_ways(choices, false);
  if (failure_.kind == FailurePlace::Kind::kCondition) return bug_questions(choices);
  choices.failing_thread = failure_.kind == FailurePlace::Kind::kExit ? 0 : known_.find(failure_.thread);
  if (choices.failing_thread == kNobody) return {};
  choices.all_before = true;
  if (failure_.address) {
    choices.crash_site = failure_.site;
    choices.crash_address = *failure_.address;
  }
  return all_ways(choices, true);
}

// Any read of the variable at that place may have been the one; the last ones first.
std::vector<WalkChoices> Search::bug_questions(WalkChoices choices) const {
  constexpr size_t kMostReads = 16;
  std::vector<WalkChoices> result;
  choices.bug = failure_.bug.get();
  const std::vector<trace::Site>& sites = known_.frame().sites;
  for (uint32_t t = 0; t < known_.threads().size(); ++t) {
    const KnownThread& way = known_.threads()[t];
    size_t reads = 0;
    for (size_t i = way.agreement.records; i-- > 0 && reads < kMostReads;) {
      const HeddleRecord& record = way.records[i];
      if (record.kind != HEDDLE_LOAD || record.site >= sites.size() || !failure_.bug->is_there(sites[record.site]))
        continue;
      ++reads;
      choices.bug_read = {t, record.index};
      for (const WalkChoices& way_of_taking : all_ways(choices, false)) result.push_back(way_of_taking);
    }
  }
  return result;
}

}  // namespace heddle::reproduce
