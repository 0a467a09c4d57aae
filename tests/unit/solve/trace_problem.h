// SPDX-License-Identifier: Apache-2.0
//
// Order problems as the analyses ask them: a random program of several threads
// runs once, in a random order; all reads must find what they found, except the
// last read of one thread, which is to find another value. Locks are taken and
// given back. With store buffers, a store is the event of reaching memory, and
// reads forward from the buffer of their own thread.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <random>

#include "solve/order_problem.h"

namespace heddle::solve {

struct TraceShape {
  uint32_t events = 40, threads = 3, places = 4, values = 3, locks = 2;
  uint32_t private_percent = 0;  // of accesses that go to a place of the thread's own
  bool store_buffers = false;
};

class RandomTrace {
 public:
  RandomTrace(const TraceShape& shape, uint64_t seed)
      : shape_(shape),
        random_(seed),
        threads_(shape.threads),
        holder_(shape.locks),
        memory_(shape.places + shape.threads) {
    while (problem_.events < shape.events) step(below(shape.threads));
    for (uint32_t thread = 0; thread < shape.threads; ++thread) {
      while (!threads_[thread].buffer.empty()) flush(thread);
    }
    for (uint32_t lock = 0; lock < shape.locks; ++lock) problem_.locks.push_back({sections_of(lock)});
    for (const Load& load : loads_) problem_.reads.push_back(read_of(load, load.value));
    problem_.hint.resize(problem_.events);
    std::iota(problem_.hint.begin(), problem_.hint.end(), 0);
  }

  // Has a solution: the observed order, which is 0, 1, 2, ...
  const OrderProblem& observed() const { return problem_; }

  // The same, but nothing tells the order: events are numbered thread by thread.
  OrderProblem forgotten() const {
    std::vector<Event> by_thread(problem_.events), renamed(problem_.events);
    std::iota(by_thread.begin(), by_thread.end(), 0);
    std::sort(by_thread.begin(), by_thread.end(), [this](Event one, Event two) {
      return std::pair(thread_of_[one], one) < std::pair(thread_of_[two], two);
    });
    for (uint32_t i = 0; i < problem_.events; ++i) renamed[by_thread[i]] = i;
    OrderProblem result = problem_;
    rename(result, renamed);
    result.hint.clear();
    return result;
  }

  // The events before some point of the run, with the last read of a thread
  // there forced to another value that its place ever has. Nothing if the reads
  // drawn have no other value.
  std::optional<OrderProblem> query() {
    for (int attempt = 0; attempt < 20 && !loads_.empty(); ++attempt) {
      const size_t index = loads_.size() - 1 - below(static_cast<uint32_t>(loads_.size() + 1) / 2);
      const Load& load = loads_[index];
      std::vector<uint32_t> values{0};
      for (const Store& store : stores_) {
        if (store.place == load.place) values.push_back(store.value);
      }
      const uint32_t value = values[below(static_cast<uint32_t>(values.size()))];
      if (value == load.value) continue;
      OrderProblem result = problem_;
      result.reads[index] = read_of(load, value);
      drop_later_events(result, load);
      return result;
    }
    return std::nullopt;
  }

 private:
  struct Store {
    Event event;
    uint32_t place, value;
  };
  struct Load {
    Event event;
    uint32_t place, value;
    Event own_store;  // newest store of the thread there, if store buffers are on
    uint32_t own_value;
    uint32_t thread;
  };
  struct Buffered {
    uint32_t place, value;
    Event after;                  // the last operation of the thread before the store
    std::vector<size_t> readers;  // loads that have this as own store
  };
  struct Thread {
    Event last = kNoEvent, last_flush = kNoEvent;
    std::deque<Buffered> buffer;
    std::optional<uint32_t> lock;
    std::map<uint32_t, Store> newest;  // by place, of those in memory
  };

  uint32_t below(uint32_t limit) { return std::uniform_int_distribution<uint32_t>(0, limit - 1)(random_); }

  Event operation(uint32_t thread) {
    const Event event = problem_.events++;
    thread_of_.push_back(thread);
    issued_after_.push_back(event);
    if (threads_[thread].last != kNoEvent) problem_.edges.push_back({threads_[thread].last, event});
    threads_[thread].last = event;
    return event;
  }

  void step(uint32_t thread) {
    const bool is_private = below(100) < shape_.private_percent;
    const uint32_t kind = below(10), place = is_private ? shape_.places + thread : below(shape_.places);
    if (!threads_[thread].buffer.empty() && kind < 3) return flush(thread);
    if (kind < 5) return load(thread, place);
    if (kind < 8) return store(thread, place, below(shape_.values));
    if (kind == 8) return exchange(thread, place);
    if (shape_.locks > 0) acquire_or_release(thread);
  }

  void load(uint32_t thread, uint32_t place) {
    Thread& self = threads_[thread];
    Load load{operation(thread), place, memory_[place], kNoEvent, 0, thread};
    const auto own = std::find_if(self.buffer.rbegin(), self.buffer.rend(),
                                  [&](const Buffered& store) { return store.place == place; });
    if (own != self.buffer.rend()) {
      own->readers.push_back(loads_.size());
      load.value = load.own_value = own->value;
    } else if (const auto newest = self.newest.find(place); shape_.store_buffers && newest != self.newest.end()) {
      load.own_store = newest->second.event;
      load.own_value = newest->second.value;
    }
    loads_.push_back(load);
  }

  void store(uint32_t thread, uint32_t place, uint32_t value) {
    Thread& self = threads_[thread];
    if (shape_.store_buffers) {
      self.buffer.push_back({place, value, self.last, {}});
      return;
    }
    memory_[place] = value;
    stores_.push_back({operation(thread), place, value});
  }

  void flush(uint32_t thread) {
    Thread& self = threads_[thread];
    const Buffered store = self.buffer.front();
    self.buffer.pop_front();
    const Event event = problem_.events++;
    thread_of_.push_back(thread);
    issued_after_.push_back(store.after == kNoEvent ? 0 : store.after);
    for (const Event earlier : {store.after, self.last_flush}) {
      if (earlier != kNoEvent) problem_.edges.push_back({earlier, event});
    }
    self.last_flush = event;
    self.newest[store.place] = {event, store.place, store.value};
    for (const size_t reader : store.readers) loads_[reader].own_store = event;
    memory_[store.place] = store.value;
    stores_.push_back({event, store.place, store.value});
  }

  // Operations that wait for an empty buffer.
  Event synchronise(uint32_t thread) {
    Thread& self = threads_[thread];
    while (!self.buffer.empty()) flush(thread);
    const Event event = operation(thread);
    if (self.last_flush != kNoEvent) problem_.edges.push_back({self.last_flush, event});
    return event;
  }

  void exchange(uint32_t thread, uint32_t place) {
    const Event event = synchronise(thread);
    loads_.push_back({event, place, memory_[place], kNoEvent, 0, thread});
    memory_[place] = (memory_[place] + 1) % shape_.values;
    stores_.push_back({event, place, memory_[place]});
    threads_[thread].last_flush = event;
    threads_[thread].newest.erase(place);
  }

  void acquire_or_release(uint32_t thread) {
    Thread& self = threads_[thread];
    if (self.lock) {
      sections_[holder_[*self.lock].value()].second.release = synchronise(thread);
      holder_[*self.lock].reset();
      self.lock.reset();
      return;
    }
    const uint32_t lock = below(shape_.locks);
    if (holder_[lock]) return;
    holder_[lock] = sections_.size();
    self.lock = lock;
    sections_.push_back({lock, {synchronise(thread), kNoEvent, false}});
  }

  std::vector<Section> sections_of(uint32_t lock) const {
    std::vector<Section> result;
    for (const auto& [of, section] : sections_) {
      if (of == lock) result.push_back(section);
    }
    return result;
  }

  Read read_of(const Load& load, uint32_t value) const {
    Read read;
    read.read = load.event;
    for (const Store& store : stores_) {
      if (store.place != load.place || store.event == load.event) continue;
      (store.value == value ? read.sources : read.others).push_back(store.event);
    }
    read.initial_matches = value == 0;
    read.own_store = load.own_store;
    read.own_store_matches = load.own_store != kNoEvent && load.own_value == value;
    return read;
  }

  // Without what the load's thread did after it, and without what was observed
  // long after it.
  void drop_later_events(OrderProblem& problem, const Load& load) const {
    std::vector<Event> renamed(problem.events, kNoEvent);
    const Event stored = load.own_store == kNoEvent ? 0 : load.own_store;
    const Event end = std::max(load.event + shape_.events / 10, stored);
    uint32_t kept = 0;
    for (Event event = 0; event < problem.events; ++event) {
      const bool own_later =
          thread_of_[event] == load.thread && event > load.event && issued_after_[event] >= load.event;
      if (!own_later && event <= end) renamed[event] = kept++;
    }
    problem.events = kept;
    rename(problem, renamed);
    problem.hint.resize(kept);
    std::iota(problem.hint.begin(), problem.hint.end(), 0);
  }

  // Events that become kNoEvent are gone, and what is about them too.
  static void rename(OrderProblem& problem, const std::vector<Event>& renamed) {
    const auto gone = [&](Event event) { return renamed[event] == kNoEvent; };
    std::erase_if(problem.edges, [&](const Edge& edge) { return gone(edge.before) || gone(edge.after); });
    for (Edge& edge : problem.edges) edge = {renamed[edge.before], renamed[edge.after]};
    std::erase_if(problem.reads, [&](const Read& read) {
      return gone(read.read) || (read.own_store != kNoEvent && gone(read.own_store));
    });
    for (Read& read : problem.reads) {
      for (std::vector<Event>* events : {&read.sources, &read.others}) {
        std::erase_if(*events, gone);
        for (Event& event : *events) event = renamed[event];
      }
      read.read = renamed[read.read];
      if (read.own_store != kNoEvent) read.own_store = renamed[read.own_store];
    }
    for (Lock& lock : problem.locks) {
      std::erase_if(lock.sections, [&](const Section& section) { return gone(section.acquire); });
      for (Section& section : lock.sections) {
        section.acquire = renamed[section.acquire];
        if (section.release != kNoEvent) section.release = renamed[section.release];
      }
    }
  }

  TraceShape shape_;
  std::mt19937_64 random_;
  std::vector<Thread> threads_;
  std::vector<std::optional<size_t>> holder_;           // by lock: its open section
  std::vector<std::pair<uint32_t, Section>> sections_;  // of which lock
  std::vector<uint32_t> memory_;
  std::vector<uint32_t> thread_of_;  // by event
  std::vector<Event> issued_after_;  // by event: last operation of its thread when it was issued
  std::vector<Store> stores_;
  std::vector<Load> loads_;
  OrderProblem problem_;
};

}  // namespace heddle::solve
