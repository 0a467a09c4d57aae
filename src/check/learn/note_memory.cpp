// SPDX-License-Identifier: Apache-2.0
//
// What an execution says about memory: what it was at first, whose it is, and when it
// stops to be.
#include <algorithm>

#include "check/learn/execution_reader.h"
#include "check/learn/recorded_operation.h"

namespace heddle::check::learn {

using causal::EventId;

// States hold what memory has become, seen from what it was at first.
void ExecutionReader::note_initial(uint64_t first, uint32_t size) {
  for (uint64_t address = first; address < first + size; ++address) {
    const auto slot = model_.layout.find(Space::kWord, address / 8);
    if (!slot || model_.layout.knows_initial(*slot, address % 8)) continue;
    const auto value = execution_->initial.at(address, 1);
    if (!value) continue;
    model_.layout.set_initial(*slot, address % 8, static_cast<uint8_t>(*value));
    corrects_ |= *value != 0;
  }
}

void ExecutionReader::note_user(uint32_t slot, ThreadId thread) {
  if (uses_.size() <= slot) uses_.resize(slot + 1);
  WordUse& use = uses_[slot];
  if (use.is_used && use.thread != thread) {
    use.is_shared = true;
    if (model_.layout.is_ignored(slot)) {
      model_.layout.ignore(slot, false);
      corrects_ = true;
    }
  }
  use.thread = thread;
  use.is_used = true;
}

// Words that belong to locals as a whole, of which nobody but their thread uses any.
void ExecutionReader::note_locals() {
  for (const causal::LocalEnd& end : execution_->local_ends) {
    for (uint64_t word = end.address / 8; word <= (end.address + end.size - 1) / 8; ++word) {
      const auto slot = model_.layout.find(Space::kWord, word);
      if (!slot || *slot >= uses_.size()) continue;
      const WordUse& use = uses_[*slot];
      if (use.is_used && !use.is_shared && use.thread == end.before.thread) model_.layout.ignore(*slot, true);
    }
  }
}

void ExecutionReader::note_initial() {
  for (const causal::ThreadPart& part : execution_->threads)
    for (const HeddleRecord& operation : part.operations)
      if (has_memory(operation.kind)) note_initial(operation.address, operation.size);
}

uint32_t ExecutionReader::note_deaths(const HeddleRecord& record) {
  std::vector<Range> deaths;
  const EventId event = {record.thread, record.index + 1};
  const auto less = [](const causal::LocalEnd& end, const EventId& other) { return end.before < other; };
  for (auto end = std::lower_bound(execution_->local_ends.begin(), execution_->local_ends.end(), event, less);
       end != execution_->local_ends.end() && end->before == event; ++end)
    deaths.push_back({end->address, end->size});
  return model_.automata.add_deaths(std::move(deaths));
}

}  // namespace heddle::check::learn
