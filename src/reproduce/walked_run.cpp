// SPDX-License-Identifier: Apache-2.0
#include "reproduce/walked_run.h"

#include <algorithm>
#include <tuple>

#include "reproduce/path_window.h"
#include "schedule/from_trace.h"
#include "semantics/record_operation.h"
#include "symbolic/trace_path.h"
#include "symbolic/walker.h"

namespace heddle::reproduce {
namespace {

using solve::Term;

// Bytes that lie beside each other in one piece.
std::map<uint64_t, std::vector<uint8_t>> pieces(const std::map<uint64_t, uint8_t>& bytes) {
  std::map<uint64_t, std::vector<uint8_t>> result;
  for (const auto& [address, byte] : bytes) {
    auto before = result.upper_bound(address);
    if (before != result.begin() && (--before)->first + before->second.size() == address) {
      before->second.push_back(byte);
    } else {
      result[address] = {byte};
    }
  }
  return result;
}

// That a thread has begun is known from its recording.
bool may_wait(const HeddleRecord& record) {
  const HeddleForm form = semantics::form_of(record);
  return semantics::effect_of(record) != HEDDLE_EFFECT_START &&
         (form == HEDDLE_FORM_BLOCKING || form == HEDDLE_FORM_TIMED);
}

// What of the thread is to be explained: so many of its records, the last of which may be a branch that is turned, or
// an attempt that is to come out otherwise. A thread that has gone all of its recorded way may have been waiting then:
// what it does after the first chance to wait may not have happened.
struct Part {
  size_t records = 0;
  std::optional<HeddleRecord> turned = {};  // in place of the last
};

// A wait for a word did not find another value there, or it would not have slept.
bool is_end_of_sleep(const HeddleRecord& record) {
  return semantics::family_of(record) == HEDDLE_FAMILY_WORD && semantics::effect_of(record) == HEDDLE_EFFECT_RESUME;
}

// An attempt right before the branch at which the thread left its way: what came of it decides, and no term does.
std::optional<size_t> deciding_attempt(const std::vector<HeddleRecord>& records, size_t branch) {
  for (size_t i = branch; i-- > 0;) {
    if (records[i].kind == HEDDLE_BRANCH) return std::nullopt;
    if (!trace::is_visible(records[i])) continue;
    if (is_end_of_sleep(records[i])) continue;
    const bool is_attempt =
        semantics::uses_object(records[i].kind) && semantics::form_of(records[i]) == HEDDLE_FORM_ATTEMPT;
    return is_attempt ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

Part part_of(const std::vector<HeddleRecord>& records, const Agreement& agreement, bool turned, bool keeps_tail,
             uint32_t last_site) {
  Part part = {std::min(records.size(), agreement.records)};
  if (agreement.kind == Agreement::Kind::kDeviates && part.records) {
    const auto attempt = turned ? deciding_attempt(records, part.records - 1) : std::nullopt;
    if (attempt) {
      part.records = *attempt + 1;
      part.turned = records[*attempt];
      part.turned->flags ^= HEDDLE_FLAG_FAILED;
    } else if (turned) {
      part.turned = records[part.records - 1];
      part.turned->value = agreement.other_way;
    } else {
      --part.records;
    }
  }
  if (agreement.kind != Agreement::Kind::kBeyond || (keeps_tail && last_site == 0)) return part;
  for (size_t i = agreement.certain_records; i < part.records; ++i) {
    const bool is_last = last_site != 0 && records[i].site == last_site && trace::is_visible(records[i]);
    if (!is_last && (last_site != 0 || !may_wait(records[i]))) continue;
    part.records = is_last ? i + 1 : i;
    break;
  }
  return part;
}

// What the operation does to an object of synchronisation.
void describe_use(Operation& operation, const HeddleRecord& record) {
  operation.type = semantics::type_of(record);
  operation.amount = semantics::amount_of(record);
  operation.runs_once = semantics::effect_of(record) == HEDDLE_EFFECT_ENTER && record.value != 0;
}

// One that stands for the beginning; what it is about is as it was.
Operation operation_of(const HeddleRecord& record, FailingRun& run) {
  Operation result;
  result.kind = record.kind;
  result.site = record.site;
  result.address = run.terms.constant(64, record.address);
  result.mutex = run.terms.constant(64, record.value);
  result.read = result.written = run.terms.constant(8, 0);
  result.exchanged = run.terms.truth(false);
  if (semantics::effect_of(record) == HEDDLE_EFFECT_CREATE) result.other = static_cast<uint32_t>(record.value);
  describe_use(result, record);
  return result;
}

// What is left of each thread stands behind what lasts of the beginning.
void begin_later(WalkedRun& walked, const Beginning& beginning) {
  FailingRun& run = walked.run;
  std::vector<std::vector<Operation>> lasting(run.threads.size());
  for (const HeddleRecord& record : beginning.lasting) {
    if (record.thread >= lasting.size()) continue;
    run.beginning.push_back({record.thread, static_cast<uint32_t>(lasting[record.thread].size())});
    lasting[record.thread].push_back(operation_of(record, run));
  }
  for (uint32_t t = 0; t < run.threads.size(); ++t) {
    Thread& thread = run.threads[t];
    std::vector<uint64_t>& positions = walked.positions[t];
    const uint32_t first = static_cast<uint32_t>(lasting[t].size());
    thread.operations.insert(thread.operations.begin(), lasting[t].begin(), lasting[t].end());
    positions.insert(positions.begin(), first, positions.empty() ? 0 : positions.front());
    for (Condition& condition : thread.conditions) condition.after += first;
    if (thread.certain) thread.certain += first;
    walked.places[t] = {first, t < beginning.performed.size() ? beginning.performed[t] : 0};
  }
  for (const auto& [address, byte] : beginning.memory) {
    auto piece = run.initial.upper_bound(address);
    const bool is_known = piece != run.initial.begin() && (--piece)->first + piece->second.size() > address;
    if (is_known) {
      piece->second[address - piece->first] = byte;
    } else {
      run.initial[address] = {byte};
    }
  }
}

Operation operation_of(const symbolic::Operation& walked, FailingRun& run, size_t threads) {
  Operation result;
  result.kind = walked.kind;
  result.order = walked.order;
  result.flags = walked.flags;
  result.site = walked.site;
  result.size = walked.size;
  result.address = walked.where ? *walked.where : walked.address;
  const unsigned bits = 8 * std::min(8u, std::max(1u, walked.size));
  result.read = walked.read.value_or(run.terms.constant(bits, 0));
  result.written = walked.written.value_or(run.terms.constant(bits, walked.value));
  result.exchanged = run.terms.truth(walked.written.has_value());
  result.mutex = run.terms.constant(64, walked.value);
  HeddleRecord record = {};
  record.kind = walked.kind;
  record.flags = walked.flags;
  record.value = walked.value;
  record.value2 = walked.value2;
  describe_use(result, record);
  const HeddleEffect effect = semantics::effect_of(walked.kind);
  const bool names_thread = effect == HEDDLE_EFFECT_CREATE || effect == HEDDLE_EFFECT_JOIN;
  if (names_thread && !(walked.flags & HEDDLE_FLAG_FAILED) && walked.value < threads)
    result.other = static_cast<uint32_t>(walked.value);
  if (walked.kind == HEDDLE_EXTERN_WRITE) {  // straight to memory
    result.kind = HEDDLE_STORE;
    result.order = HEDDLE_ORDER_SEQ_CST;
    result.flags |= HEDDLE_FLAG_MODEL;
  }
  // Wider accesses, which the walker takes apart or leaves out, are not looked at.
  const bool is_access = reads_memory(result) || writes_memory(result);
  if (is_access && (result.size == 0 || result.size > 8)) result.kind = HEDDLE_YIELD;
  return result;
}

// A wait for a word finds the value that the thread expects, or, where it did not wait, another one.
void add_await(Thread& thread, const symbolic::Operation& walked, solve::Terms& terms, const std::string& name) {
  Operation& await = thread.operations.back();
  if (!reads_memory(await) || walked.kind != HEDDLE_AWAIT) return;
  const unsigned bits = 8 * await.size;
  await.read = terms.symbol(bits, name + ":" + std::to_string(walked.index), walked.value);
  const Term is_expected = terms.eq(await.read, terms.constant(bits, walked.value2));
  const Term holds = walked.flags & HEDDLE_FLAG_FAILED ? terms.complement(is_expected) : is_expected;
  thread.conditions.push_back({holds, static_cast<uint32_t>(thread.operations.size()), walked.site});
}

// A condition may be looked at as soon as all that it is about was read.
void hoist(Thread& thread, const solve::Terms& terms) {
  std::map<Term, uint32_t> reads;
  for (uint32_t i = 0; i < thread.operations.size(); ++i)
    if (reads_memory(thread.operations[i])) reads[thread.operations[i].read] = i;
  for (Condition& condition : thread.conditions) {
    if (terms.is_constant(condition.holds)) continue;
    uint32_t after = 0;
    for (const Term symbol : terms.symbols(condition.holds)) {
      const auto read = reads.find(symbol);
      after = std::max(after, read == reads.end() ? condition.after : read->second + 1);
    }
    condition.after = std::min(condition.after, after);
  }
}

std::vector<std::pair<uint64_t, uint64_t>> objects_of(const KnownPaths& known) {
  std::vector<std::pair<uint64_t, uint64_t>> objects(known.blocks().begin(), known.blocks().end());
  for (const trace::Global& global : known.frame().globals)
    if (global.size) objects.push_back({global.address, global.size});
  std::sort(objects.begin(), objects.end());
  return objects;
}

}  // namespace

std::unique_ptr<WalkedBeginnings> walk_beginning(const KnownPaths& known, const Beginning& beginning,
                                                 const build::NumberedProgram& program, const std::atomic<bool>* stop) {
  base::Patience patience(base::Patience::kForever, stop);
  auto result = std::make_unique<WalkedBeginnings>();
  const std::vector<schedule::ThreadName> names = schedule::thread_names(known.frame());
  for (uint32_t t = 0; t < beginning.performed.size(); ++t) {
    std::vector<const HeddleRecord*> path;
    for (const HeddleRecord& record : known.threads()[t].records) path.push_back(&record);
    symbolic::TracePath source(std::move(path), &patience);
    result->threads.emplace_back(program, source, result->terms, names[t].text(), beginning.performed[t]);
  }
  return result;
}

WalkedRun walk(const KnownPaths& known, const WalkChoices& choices, const build::NumberedProgram& program,
               const SwitchNumbers& switches) {
  WalkedRun result;
  FailingRun& run = result.run;
  run.failing_thread = choices.failing_thread;
  run.objects = objects_of(known);
  run.initial = pieces(known.first_bytes());
  if (choices.walked) run.terms = choices.walked->terms;
  const std::vector<schedule::ThreadName> names = schedule::thread_names(known.frame());
  symbolic::WalkStatistics statistics;
  base::Patience patience(base::Patience::kForever, choices.stop);
  for (uint32_t t = 0; t < known.threads().size(); ++t) {
    const KnownThread& way = known.threads()[t];
    const uint32_t last_site = t == choices.failing_thread ? choices.crash_site : 0;
    Part part = part_of(way.records, way.agreement, choices.turned[t], choices.keeps_tails, last_site);
    if (patience.is_over()) part = {};
    std::vector<const HeddleRecord*> path;
    path.reserve(part.records);
    std::vector<uint64_t> positions;
    uint64_t bits = 0;
    size_t certain = 0;
    for (size_t i = 0; i < part.records; ++i) {
      const HeddleRecord& record = part.turned && i + 1 == part.records ? *part.turned : way.records[i];
      if (path.size() == way.agreement.certain_records) certain = positions.size();
      path.push_back(&record);
      if (trace::is_visible(record)) positions.push_back(bits - std::min(bits, way.agreement.free_bits));
      if (record.kind == HEDDLE_BRANCH) bits += bits_of_branch(record, switches);
    }
    if (path.size() <= way.agreement.certain_records) certain = positions.size();
    symbolic::TracePath source(std::move(path), &patience);
    const bool goes_on = choices.walked && t < choices.walked->threads.size();
    const symbolic::ThreadTrace walked =
        goes_on ? choices.walked->threads[t].go_on(source, run.terms, statistics)
                : symbolic::walk_thread(program, source, run.terms, names[t].text(), statistics);
    // Operations of the beginning are gone; all that follows is counted from there.
    const size_t gone = goes_on ? std::min<size_t>(choices.beginning->performed[t], walked.operations.size()) : 0;
    const auto left = [&](size_t count) { return static_cast<uint32_t>(count - std::min(count, gone)); };
    Thread thread;
    thread.name = names[t];
    for (size_t i = gone; i < walked.operations.size(); ++i) {
      thread.operations.push_back(operation_of(walked.operations[i], run, known.threads().size()));
      add_await(thread, walked.operations[i], run.terms, names[t].text());
    }
    for (const symbolic::Condition& condition : walked.conditions) {
      using Kind = symbolic::Condition::Kind;
      // Addresses are terms here, except those of memory that the walker keeps itself.
      const bool is_free = condition.before_operation < walked.operations.size() &&
                           walked.operations[condition.before_operation].where.has_value() &&
                           walked.operations[condition.before_operation].site == condition.site;
      if (condition.kind == Kind::kAddress && is_free) continue;
      if (condition.kind == Kind::kHeld && (!choices.keeps_held || condition.site == 0)) continue;
      thread.conditions.push_back({condition.holds, left(condition.before_operation), condition.site});
    }
    if (last_site != 0 && !thread.operations.empty() && thread.operations.back().site == last_site) {
      const Term address = thread.operations.back().address;
      const Term there = run.terms.apply(solve::Op::kEq, address, run.terms.constant(64, choices.crash_address));
      thread.conditions.push_back(
          {there, static_cast<uint32_t>(thread.operations.size()), thread.operations.back().site});
    }
    const bool ended_before = goes_on && way.has_ended() && way.records.back().index < choices.beginning->performed[t];
    thread.is_known_to_its_end = ended_before || (way.has_ended() && walked.operations.size() == positions.size());
    if (choices.bug && t == choices.bug_read.thread && choices.bug_read.index < walked.operations.size()) {
      const bool is_gone =
          choices.bug_read.index < gone;  // it found what it found, and that was not what is looked for
      const Operation read = is_gone ? Operation() : thread.operations[left(choices.bug_read.index)];
      const Term holds = is_gone ? run.terms.truth(false) : choices.bug->holds(run.terms, read.read, read.size);
      thread.conditions.push_back({holds, left(choices.bug_read.index + size_t{1}), read.site});
    }
    hoist(thread, run.terms);
    std::sort(thread.conditions.begin(), thread.conditions.end(), [](const Condition& a, const Condition& b) {
      return std::tie(a.after, a.site, a.holds) < std::tie(b.after, b.site, b.holds);
    });
    if (choices.all_before) thread.certain = left(std::min(certain, walked.operations.size()));
    positions.erase(positions.begin(), positions.begin() + static_cast<ptrdiff_t>(std::min(gone, positions.size())));
    run.threads.push_back(std::move(thread));
    result.positions.push_back(std::move(positions));
  }
  result.places.resize(run.threads.size());
  if (choices.beginning) begin_later(result, *choices.beginning);
  result.held = statistics.held;
  result.reasons = statistics.reasons;
  return result;
}

std::optional<OperationId> WalkedRun::in_run(OperationId id) const {
  const Place& place = places[id.thread];
  if (id.index < place.lasting) return std::nullopt;
  return OperationId{id.thread, id.index - place.lasting + place.performed};
}

void add_cores(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording) {
  // The first operation at this place of the path, or behind it.
  const auto first_at = [](const std::vector<uint64_t>& positions, uint64_t position) {
    return static_cast<size_t>(std::lower_bound(positions.begin(), positions.end(), position) - positions.begin());
  };
  std::map<uint32_t, std::vector<OperationId>> cores;
  for (const record::Stretch& stretch : recording.stretches) {
    if (stretch.thread >= recording.threads.size()) continue;
    const record::Thread& recorded = recording.threads[stretch.thread];
    const uint32_t thread = known.find(recorded.name);
    if (thread == kNobody) continue;
    const std::vector<Operation>& operations = walked.run.threads[thread].operations;
    const std::vector<uint64_t>& positions = walked.positions[thread];
    const auto is_store = [&](size_t i) {
      return operations[i].kind == HEDDLE_STORE && !(operations[i].flags & HEDDLE_FLAG_MODEL);
    };
    // The store at this place of the path; all operations if there is none.
    const size_t placed = std::min(operations.size(), positions.size());
    const auto find = [&](uint64_t position, uint32_t site) {
      for (size_t i = first_at(positions, position); i < placed && positions[i] == position; ++i)
        if (operations[i].site == site && is_store(i)) return i;
      return operations.size();
    };
    // What of the thread is placed at all: neither what stands for the beginning, nor what came before its path begins.
    size_t first = walked.places[thread].lasting;
    if (recorded.skipped) first = std::max(first, first_at(positions, 1));
    const uint64_t least = first < placed ? positions[first] : recorded.path.size();
    if (stretch.end_site != 0 && stretch.end < least) continue;
    if (stretch.begin_site != 0 && stretch.begin >= least)
      first = std::max(first, find(stretch.begin, stretch.begin_site) + 1);
    size_t end = stretch.end_site != 0 ? find(stretch.end, stretch.end_site) : operations.size();
    // What a thread that had not ended did after its last branch may not have happened.
    if (stretch.end_site == 0 && !recorded.ended) end = std::min(end, first_at(positions, recorded.path.size()));
    // The thread was there until its last store, which looked.
    while (end > first && !is_store(end - 1)) --end;
    for (size_t i = first; i < end; ++i) cores[stretch.core].push_back({thread, static_cast<uint32_t>(i)});
  }
  for (auto& [core, operations] : cores) walked.run.cores.push_back(std::move(operations));
}

}  // namespace heddle::reproduce
