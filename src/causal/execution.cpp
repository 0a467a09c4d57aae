// SPDX-License-Identifier: Apache-2.0
#include "causal/execution.h"

#include <algorithm>

#include "base/check.h"
#include "causal/operation.h"

namespace heddle::causal {
namespace {

class Maker {
 public:
  Maker(std::span<const trace::Thread> threads, ThreadTable& table, Histories& histories)
      : ids_(table.ids_of(threads)), histories_(histories) {
    size_t count = 1;  // a target that was killed at once has told of no thread
    for (const ThreadId id : ids_) count = std::max<size_t>(count, id + 1);
    execution_.threads.resize(count);
    for (const ThreadId id : ids_) execution_.threads[id].histories.push_back(histories_.root(id));
  }

  Execution make(std::span<const HeddleRecord> records, const trace::Ending& ending,
                 std::span<const OptionFrame> options) {
    size_t option = 0;
    for (size_t at = 0; at < records.size(); ++at) {
      for (; option < options.size() && options[option].first <= at; ++option) add_option(options[option].second);
      HeddleRecord record = records[at];
      if (record.thread >= ids_.size()) continue;
      record.thread = ids_[record.thread];
      if (trace::is_visible(record)) {
        add_operation(record, text_after(records, at));
      } else if (record.kind == HEDDLE_FLUSH) {
        add_flush(record);
      } else if (record.kind == HEDDLE_WAITING) {
        if (record.value) record.value = 1 + id_of(record.value - 1);
        execution_.waiting.push_back({record.thread, record});
      } else if (record.kind == HEDDLE_REPEATS) {
        execution_.repeats[{record.thread, record.index}] = static_cast<uint32_t>(record.value);
      } else if (record.kind == HEDDLE_UNTRACKED) {
        execution_.untracked.push_back(record);
      } else if (record.kind == HEDDLE_GAP_SEEN) {
        if (*heddle_gap_code(record.value))
          execution_.gaps.raise_of_target(static_cast<HeddleGap>(record.value), text_after(records, at));
      } else if (record.kind == HEDDLE_STATE) {
        execution_.threads[record.thread].states.push_back({record.index, record.value, record.value2});
      } else if (record.kind == HEDDLE_STACK_OBJECT_END) {
        execution_.local_ends.push_back({{record.thread, record.index}, record.address, record.value});
      }
    }
    std::sort(execution_.local_ends.begin(), execution_.local_ends.end(),
              [](const LocalEnd& one, const LocalEnd& other) { return one.before < other.before; });
    execution_.ending = ending;
    execution_.is_complete = every_thread_ended();
    return std::move(execution_);
  }

 private:
  static std::string text_after(std::span<const HeddleRecord> records, size_t at) {
    std::string text;
    const uint8_t kind = records[at].kind;
    if (kind != HEDDLE_FAIL && kind != HEDDLE_OBSERVE && kind != HEDDLE_GAP_SEEN) return text;
    for (++at; at < records.size() && records[at].kind == HEDDLE_TEXT; ++at) {
      text.append(reinterpret_cast<const char*>(&records[at].address),
                  std::min<size_t>(records[at].size, HEDDLE_TEXT_BYTES));
      if (!(records[at].flags & 1)) break;
    }
    return text;
  }

  void add_option(const HeddleRecord& frame) {
    if (frame.thread >= ids_.size()) return;
    const size_t at = execution_.order.size();
    if (execution_.choices.empty() || execution_.choices.back().at != at) execution_.choices.push_back({at, {}});
    execution_.choices.back().options.push_back({static_cast<schedule::StepKind>(frame.value),
                                                 {ids_[frame.thread], frame.index},
                                                 (frame.flags & HEDDLE_OPTION_WAITS_IN_LOOP) != 0,
                                                 (frame.flags & HEDDLE_OPTION_TAKEN) != 0});
  }

  uint64_t id_of(uint64_t number) const { return number < ids_.size() ? uint64_t{ids_[number]} : number; }

  // Numbers of threads in this run become ids.
  void translate(HeddleRecord& record) const {
    const auto id = [this](uint64_t number) { return id_of(number); };
    if (semantics::family_of(record) == HEDDLE_FAMILY_THREAD && record.kind != HEDDLE_THREAD_END)
      record.value = id(record.value);
    if (record.kind == HEDDLE_COND_SIGNAL && record.value) record.value = 1 + id(record.value - 1);
    if (record.kind == HEDDLE_SIGNAL_SEND && record.value2) record.value2 = 1 + id(record.value2 - 1);
  }

  void add_operation(HeddleRecord record, std::string text) {
    translate(record);
    ThreadPart& part = execution_.threads[record.thread];
    HEDDLE_CHECK(record.index == part.operations.size(), "operations of a thread come in order");
    learn_initial(record);
    HistoryId history = part.histories.back();
    if (semantics::effect_of(record) == HEDDLE_EFFECT_JOIN) {
      history = histories_.after(history, {returned_by(record), record.flags});
    } else if (teaches(record)) {
      history = histories_.after(history, lesson_of(record));
    }
    const EventId event = {record.thread, record.index};
    if (record.kind == HEDDLE_FAIL) {
      execution_.failures.push_back({event, static_cast<HeddleFailure>(record.value), std::move(text)});
    } else if (record.kind == HEDDLE_OBSERVE) {
      execution_.observations[text] = static_cast<int64_t>(record.value);
      execution_.names[event] = std::move(text);
    }
    part.operations.push_back(record);
    part.histories.push_back(history);
    execution_.order.push_back({event, false});
  }

  uint64_t returned_by(const HeddleRecord& join) const {
    if (semantics::gave_up(join) || join.value >= execution_.threads.size()) return 0;
    const auto& operations = execution_.threads[join.value].operations;
    return operations.empty() || operations.back().kind != HEDDLE_THREAD_END ? 0 : operations.back().value;
  }

  void learn_initial(const HeddleRecord& record) {
    const uint32_t low = std::min<uint32_t>(record.size, 8);
    if (reads_memory(record)) {
      if (reads_own_buffer(record)) return;
      execution_.initial.learn(record.address, low, record.value);
      if (record.kind == HEDDLE_LOAD && record.size > 8)
        execution_.initial.learn(record.address + 8, record.size - 8, record.value2);
    } else if (record.kind == HEDDLE_STORE) {
      // A store that goes to memory at once says what it replaced.
      if (record.flags & HEDDLE_FLAG_REPLACED) {
        execution_.initial.learn(record.address, low, record.value2);
      } else {
        buffered_.push_back(record);
      }
    }
  }

  bool reads_own_buffer(const HeddleRecord& read) const {
    return std::any_of(buffered_.begin(), buffered_.end(), [&](const HeddleRecord& store) {
      return store.thread == read.thread && store.address < read.address + read.size &&
             read.address < store.address + store.size;
    });
  }

  void add_flush(const HeddleRecord& record) {
    execution_.order.push_back({{record.thread, record.index}, true, (record.flags & HEDDLE_FLAG_FAILED) != 0});
    if (record.flags & HEDDLE_FLAG_REPLACED) execution_.initial.learn(record.address, record.size, record.value2);
    std::erase_if(buffered_, [&](const HeddleRecord& store) {
      return store.thread == record.thread && store.index == record.index;
    });
  }

  bool every_thread_ended() const {
    for (const ThreadPart& part : execution_.threads) {
      if (part.operations.empty()) continue;
      const uint8_t last = part.operations.back().kind;
      if (last != HEDDLE_THREAD_END && last != HEDDLE_EXIT && last != HEDDLE_FAIL) return false;
      if (last == HEDDLE_FAIL && &part != &execution_.threads[execution_.order.back().event.thread]) return false;
    }
    const auto ends_thread = [](const Failure& failure) { return failure.kind != HEDDLE_FAILURE_MISUSE; };
    return execution_.ending.outcome == HEDDLE_OUTCOME_EXIT ||
           (execution_.ending.outcome == HEDDLE_OUTCOME_FAILURE &&
            std::count_if(execution_.failures.begin(), execution_.failures.end(), ends_thread) == 1);
  }

  const std::vector<ThreadId> ids_;
  Histories& histories_;
  std::vector<HeddleRecord> buffered_;  // stores that have not reached memory
  Execution execution_;
};

}  // namespace

Execution make_execution(std::span<const HeddleRecord> records, std::span<const trace::Thread> threads,
                         const trace::Ending& ending, ThreadTable& table, Histories& histories,
                         std::span<const OptionFrame> options) {
  return Maker(threads, table, histories).make(records, ending, options);
}

std::shared_ptr<const Execution> before_first_misuse(std::shared_ptr<const Execution> execution) {
  const std::vector<Happening>& order = execution->order;
  const auto misuse = std::find_if(order.begin(), order.end(), [&](const Happening& happening) {
    return !happening.is_flush && tells_misuse(execution->operation(happening.event));
  });
  if (misuse == order.end()) return execution;
  const auto is_misused = [&](const Happening& happening) {
    return !happening.is_flush && happening.event == EventId{misuse->event.thread, misuse->event.index - 1};
  };
  auto before = std::make_shared<Execution>(*execution);
  before->order.assign(order.begin(), std::find_if(order.begin(), misuse, is_misused));
  before->is_complete = false;
  before->is_cut = true;
  std::vector<uint32_t> lengths(execution->threads.size(), 0);
  for (const Happening& happening : before->order)
    if (!happening.is_flush) lengths[happening.event.thread] = happening.event.index + 1;
  for (ThreadId t = 0; t < lengths.size(); ++t) {
    ThreadPart& part = before->threads[t];
    if (part.histories.empty()) continue;
    part.operations.resize(lengths[t]);
    part.histories.resize(lengths[t] + 1);
    std::erase_if(part.states, [&](const PrivateState& state) { return state.index > lengths[t]; });
  }
  const auto is_gone = [&](EventId event) { return event.index >= lengths[event.thread]; };
  std::erase_if(before->choices, [&](const ChoicePoint& point) { return point.at >= before->order.size(); });
  std::erase_if(before->failures, [&](const Failure& failure) { return is_gone(failure.event); });
  std::erase_if(before->waiting,
                [&](const Waiting& waiting) { return lengths[waiting.thread] < execution->length(waiting.thread); });
  std::erase_if(before->names, [&](const auto& name) { return is_gone(name.first); });
  std::erase_if(before->repeats, [&](const auto& repeats) { return is_gone(repeats.first); });
  std::erase_if(before->local_ends, [&](const LocalEnd& end) { return end.before.index > lengths[end.before.thread]; });
  return before;
}

}  // namespace heddle::causal
