// SPDX-License-Identifier: Apache-2.0
#include "predict/candidates.h"

#include <algorithm>
#include <tuple>

#include "causal/operation.h"
#include "causal/sections.h"
#include "property/happens_before.h"

namespace heddle::predict {

namespace {

constexpr uint32_t kNone = ~0u;

bool is_access(const HeddleRecord& record) {
  return trace::is_visible(record) && record.size > 0 && (causal::reads_memory(record) || causal::writes_memory(record));
}

bool is_atomic(const HeddleRecord& record) {
  return record.order != HEDDLE_ORDER_NOT_ATOMIC || record.kind == HEDDLE_AWAIT;
}

uint64_t written(const HeddleRecord& record) {
  return record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS ? record.value2 : record.value;
}

// Does a read that takes what the write wrote learn what its thread knew?
bool orders(const HeddleRecord& write, const HeddleRecord& read) {
  if (!is_atomic(write) || !is_atomic(read)) return true;
  const bool releases = write.order >= HEDDLE_ORDER_RELEASE;
  return releases && (read.order == HEDDLE_ORDER_CONSUME || read.order == HEDDLE_ORDER_ACQUIRE ||
                      read.order == HEDDLE_ORDER_ACQ_REL || read.order == HEDDLE_ORDER_SEQ_CST);
}

bool exclude_each_other(const std::vector<std::pair<uint64_t, bool>>& one,
                        const std::vector<std::pair<uint64_t, bool>>& other) {
  for (const auto& [lock, is_shared] : one)
    for (const auto& [rival, rival_is_shared] : other)
      if (lock == rival && !(is_shared && rival_is_shared)) return true;
  return false;
}

}  // namespace

const std::vector<CandidatePair>& CandidateFinder::find(size_t begin, size_t end, const CarriedState& state,
                                                        size_t most_of_a_place) {
  begin_ = begin;
  pairs_.clear();
  collect_groups(end);
  const auto is_contested = [](const Group& group) { return group.is_contested; };
  if (std::none_of(groups_.begin(), groups_.end(), is_contested)) return pairs_;
  servers_.assign(end - begin, kNone);
  if (reads_keep_ == ReadsKeep::kValues)
    for (const Group& group : groups_) collect_servers(group, state);
  follow(end, state);
  taken_.clear();
  for (const Group& group : groups_)
    if (group.is_contested) compare(group, most_of_a_place);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  return pairs_;
}

// Only words that two threads use, and one of them writes.
void CandidateFinder::collect_groups(size_t end) {
  accesses_.clear();
  groups_.clear();
  for (uint32_t place = 0; begin_ + place < end; ++place) {
    const HeddleRecord& access = record(place);
    if (!is_access(access)) continue;
    const uint64_t last = (access.address + access.size - 1) / 8;
    for (uint64_t word = access.address / 8; word <= last; ++word) accesses_.push_back({word, place});
  }
  std::sort(accesses_.begin(), accesses_.end(), [](const Access& one, const Access& other) {
    return std::tie(one.word, one.place) < std::tie(other.word, other.place);
  });
  for (size_t begin = 0, next; begin < accesses_.size(); begin = next) {
    bool is_shared = false, is_written = false, has_plain = false;
    const uint32_t thread = record(accesses_[begin].place).thread;
    for (next = begin; next < accesses_.size() && accesses_[next].word == accesses_[begin].word; ++next) {
      const HeddleRecord& access = record(accesses_[next].place);
      is_shared |= access.thread != thread;
      is_written |= causal::writes_memory(access);
      has_plain |= !is_atomic(access);
    }
    if (is_shared && is_written) groups_.push_back({begin, next, has_plain});
  }
}

// Where all accesses are of the same bytes and one write alone wrote a value, who
// reads it has it from there.
void CandidateFinder::collect_servers(const Group& group, const CarriedState& state) {
  const HeddleRecord& first = record(accesses_[group.begin].place);
  if (first.size > 8 || first.address / 8 != (first.address + first.size - 1) / 8) return;
  std::vector<std::pair<uint64_t, uint32_t>> writes;  // value, place
  for (size_t i = group.begin; i < group.end; ++i) {
    const HeddleRecord& access = record(accesses_[i].place);
    if (access.address != first.address || access.size != first.size) return;
    if (causal::writes_memory(access)) writes.push_back({written(access), accesses_[i].place});
  }
  std::sort(writes.begin(), writes.end());
  std::optional<uint64_t> initial = state.memory().at(first.address, first.size);
  if (!initial && causal::reads_memory(first)) initial = first.value;
  if (!initial && first.kind == HEDDLE_STORE && (first.flags & HEDDLE_FLAG_REPLACED)) initial = first.value2;
  for (size_t i = group.begin; i < group.end; ++i) {
    const HeddleRecord& read = record(accesses_[i].place);
    if (!causal::reads_memory(read) || (initial && *initial == read.value)) continue;
    const auto from = std::lower_bound(writes.begin(), writes.end(), std::pair<uint64_t, uint32_t>(read.value, 0));
    if (from == writes.end() || from->first != read.value) continue;
    if (std::next(from) != writes.end() && std::next(from)->first == read.value) continue;
    const HeddleRecord& write = record(from->second);
    if (from->second < accesses_[i].place && write.thread != read.thread && orders(write, read))
      servers_[accesses_[i].place] = from->second;
  }
}

// Goes through the window and notes, for each access, what its thread held and knew.
void CandidateFinder::follow(size_t end, const CarriedState& state) {
  const size_t threads = state.threads();
  segment_at_.assign(end - begin_, 0);
  locks_at_.assign(end - begin_, 0);
  clocks_.assign(1, Clock(threads, 0));
  segment_of_.assign(threads, 0);
  lock_sets_.assign(1, {});
  held_.assign(threads, {});
  lock_set_of_.assign(threads, 0);
  for (uint32_t t = 0; t < threads; ++t) {
    for (const HeddleRecord& acquired : state.thread(t).held) {
      const causal::SectionStep step = causal::section_step(acquired);
      held_[t].push_back({step.lock, step.kind == causal::SectionStep::Kind::kAcquireShared});
    }
    lock_set_of_[t] = number_of(held_[t]);
  }
  created_.clear();
  ended_.clear();
  arrived_.clear();
  initialised_.clear();
  collect_semaphores(end);
  for (uint32_t place = 0; begin_ + place < end; ++place) {
    const HeddleRecord& now = record(place);
    if (!trace::is_visible(now)) continue;
    if (!is_access(now)) {
      synchronise(now);
      continue;
    }
    segment_at_[place] = segment_of_[now.thread];
    locks_at_[place] = lock_set_of_[now.thread];
    if (const uint32_t server = servers_[place]; server != kNone) {
      const HeddleRecord& write = record(server);
      learn(now.thread, {write.thread, write.index + 1, segment_at_[server]});
    }
  }
}

void CandidateFinder::synchronise(const HeddleRecord& now) {
  const auto learn_from = [&](const auto& table, auto key) {
    const auto found = table.find(key);
    if (found != table.end()) learn(now.thread, found->second);
  };
  const bool gave_up = now.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT);
  switch (now.kind) {
    case HEDDLE_THREAD_CREATE:
      if (!gave_up) created_[static_cast<uint32_t>(now.value)] = point_after(now);
      break;
    case HEDDLE_THREAD_START: learn_from(created_, now.thread); break;
    case HEDDLE_THREAD_END: ended_[now.thread] = point_after(now); break;
    case HEDDLE_THREAD_JOIN:
      if (!gave_up) learn_from(ended_, static_cast<uint32_t>(now.value));
      break;
    case HEDDLE_BARRIER_ARRIVE: arrived_[{now.address, now.value}].push_back(point_after(now)); break;
    case HEDDLE_BARRIER_LEAVE:
      for (const Point& point : arrived_[{now.address, now.value}]) learn(now.thread, point);
      break;
    case HEDDLE_ONCE_DONE:
      if (!gave_up) initialised_[now.address] = point_after(now);
      break;
    case HEDDLE_ONCE_ENTER:
      if (!now.value) learn_from(initialised_, now.address);
      break;
    case HEDDLE_SEM_POST:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT: use_semaphore(now); break;
    default: break;
  }
  use_locks(now);
}

void CandidateFinder::collect_semaphores(size_t end) {
  semaphores_.clear();
  for (uint32_t place = 0; begin_ + place < end; ++place) {
    const HeddleRecord& now = record(place);
    if (now.kind < HEDDLE_SEM_INIT || now.kind > HEDDLE_SEM_POST) continue;
    const auto [found, is_new] = semaphores_.try_emplace(now.address);
    Semaphore& semaphore = found->second;
    const bool posts = now.kind == HEDDLE_SEM_POST, fails = now.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT);
    if (now.kind == HEDDLE_SEM_INIT || now.kind == HEDDLE_SEM_DESTROY) {
      semaphore.has_one_poster &= is_new && now.kind == HEDDLE_SEM_INIT;
      semaphore.tokens = now.value;
      semaphore.poster = kNone;
      continue;
    }
    if (is_new) {
      semaphore.tokens = posts ? now.value - 1 : now.value + (fails ? 0 : 1);
      semaphore.poster = kNone;
    }
    if (!posts) continue;
    semaphore.has_one_poster &= semaphore.poster == kNone || semaphore.poster == now.thread;
    semaphore.poster = now.thread;
  }
}

void CandidateFinder::use_semaphore(const HeddleRecord& now) {
  Semaphore& semaphore = semaphores_[now.address];
  if (now.kind == HEDDLE_SEM_POST) {
    semaphore.posts.push_back(point_after(now));
    return;
  }
  if (now.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT)) return;
  const uint64_t waits = ++semaphore.waits[now.thread];
  if (!semaphore.has_one_poster || semaphore.poster == now.thread || waits <= semaphore.tokens) return;
  const uint64_t needed = waits - semaphore.tokens;
  if (needed <= semaphore.posts.size()) learn(now.thread, semaphore.posts[needed - 1]);
}

void CandidateFinder::use_locks(const HeddleRecord& now) {
  const causal::SectionStep step = causal::section_step(now);
  if (step.kind == causal::SectionStep::Kind::kNone) return;
  LockSet& held = held_[now.thread];
  if (step.kind == causal::SectionStep::Kind::kRelease) {
    const auto found = std::find_if(held.rbegin(), held.rend(), [&](const auto& lock) { return lock.first == step.lock; });
    if (found != held.rend()) held.erase(std::next(found).base());
  } else {
    held.push_back({step.lock, step.kind == causal::SectionStep::Kind::kAcquireShared});
  }
  lock_set_of_[now.thread] = number_of(held);
}

uint32_t CandidateFinder::number_of(const LockSet& locks) {
  const size_t number = static_cast<size_t>(std::find(lock_sets_.begin(), lock_sets_.end(), locks) - lock_sets_.begin());
  if (number == lock_sets_.size()) lock_sets_.push_back(locks);
  return static_cast<uint32_t>(number);
}

void CandidateFinder::learn(uint32_t thread, const Point& point) {
  if (point.thread == thread || clocks_[segment_of_[thread]][point.thread] >= point.length) return;
  Clock clock = clocks_[segment_of_[thread]];
  const Clock& theirs = clocks_[point.segment];
  for (size_t t = 0; t < clock.size(); ++t) clock[t] = std::max(clock[t], theirs[t]);
  clock[point.thread] = std::max(clock[point.thread], point.length);
  segment_of_[thread] = static_cast<uint32_t>(clocks_.size());
  clocks_.push_back(std::move(clock));
}

void CandidateFinder::compare(const Group& group, size_t most_of_a_place) {
  std::vector<uint32_t> places;
  for (size_t i = group.begin; i < group.end; ++i) places.push_back(accesses_[i].place);
  const auto key = [this](uint32_t place) {
    const HeddleRecord& access = record(place);
    return std::tuple(access.thread, access.site, locks_at_[place], access.kind, access.order, access.address, access.size,
                      access.flags);
  };
  std::sort(places.begin(), places.end(), [&](uint32_t one, uint32_t other) {
    return std::pair(key(one), one) < std::pair(key(other), other);
  });
  std::vector<std::span<const uint32_t>> classes;
  for (size_t begin = 0, next; begin < places.size(); begin = next) {
    for (next = begin; next < places.size() && key(places[next]) == key(places[begin]); ++next) {
    }
    classes.push_back(std::span<const uint32_t>(places).subspan(begin, next - begin));
  }
  for (size_t i = 0; i < classes.size(); ++i) {
    for (size_t k = i + 1; k < classes.size(); ++k) {
      const uint32_t one = classes[i].front(), other = classes[k].front();
      if (!property::conflict(record(one), record(other)) || !is_open_(record(one), record(other))) continue;
      if (exclude_each_other(lock_sets_[locks_at_[one]], lock_sets_[locks_at_[other]])) continue;
      compare_classes(classes[i], classes[k], most_of_a_place);
    }
  }
}

// For each access of one class, those of the other that are neither before nor
// after it stand together.
void CandidateFinder::compare_classes(std::span<const uint32_t> one, std::span<const uint32_t> other,
                                      size_t most_of_a_place) {
  const HeddleRecord &first = record(one.front()), &second = record(other.front());
  size_t& taken = taken_[std::minmax(first.site, second.site)];
  size_t low = 0, high = 0;
  for (const uint32_t place : other) {
    const HeddleRecord& access = record(place);
    const uint32_t known = clocks_[segment_at_[place]][first.thread];
    while (low < one.size() && record(one[low]).index < known) ++low;
    while (high < one.size() && clocks_[segment_at_[one[high]]][second.thread] <= access.index) ++high;
    for (size_t i = low; i < high; ++i) {
      if (taken >= most_of_a_place) {
        left_out_ += high - i;
        break;
      }
      ++taken;
      pairs_.push_back({{first.thread, record(one[i]).index}, {access.thread, access.index}});
    }
  }
}

}  // namespace heddle::predict
