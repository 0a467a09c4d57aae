// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/reversal_search.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace heddle::propagate {
namespace {

// Beyond these the solver would need more memory than is decent.
constexpr size_t kMostNodes = 30'000;
constexpr uint64_t kMostPairsOfSections = 4'000'000;
// Before all are asked at once, so many are tried the plain way.
constexpr size_t kPlainTrials = 64;

}  // namespace

ReversalSearch::ReversalSearch(const SyncGraph& graph, const ReversibilityOptions& options)
    : graph_(graph), options_(options), lock_steps_(graph.nodes().size()) {
  for (uint32_t lock = 0; lock < graph.locks().size(); ++lock) {
    for (const LockSection& section : graph.locks()[lock]) {
      lock_steps_[section.acquire] = {lock, true, section.is_shared};
      if (section.release != kNone) lock_steps_[section.release] = {lock, false, section.is_shared};
    }
  }
}

ReversalSearch::Question ReversalSearch::question_of(const Candidate& candidate) const {
  return {candidate, graph_.node_up_to(candidate.second), graph_.node_from(candidate.first)};
}

// Its past: what comes before it in its thread and in what it waits for.
void ReversalSearch::add_needed(Node start, std::vector<bool>* needed) const {
  std::vector<Node> open{start};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node == kNone || (*needed)[node]) continue;
    (*needed)[node] = true;
    const SyncNode& what = graph_.nodes()[node];
    open.push_back(what.previous);
    if (what.acquires == kNone) continue;
    for (const Node source : graph_.channels()[what.acquires].published) open.push_back(source);
  }
}

// Sections that others among `needed` wait for in the order of the run must be over.
void ReversalSearch::finish_sections(std::vector<bool>* needed) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& sections : graph_.locks()) {
      bool exclusive_later = false, any_later = false;
      for (auto section = sections.rbegin(); section != sections.rend(); ++section) {
        if (!(*needed)[section->acquire]) continue;
        const bool in_the_way = section->is_shared ? exclusive_later : any_later;
        any_later = true;
        exclusive_later |= !section->is_shared;
        if (!in_the_way || section->release == kNone || (*needed)[section->release]) continue;
        add_needed(section->release, needed);
        changed = true;
      }
    }
  }
}

std::optional<std::vector<Node>> ReversalSearch::order_ahead(const Question& question) const {
  const size_t count = graph_.nodes().size();
  std::vector<bool> ahead(count, false);
  add_needed(question.floor, &ahead);
  finish_sections(&ahead);
  if (ahead[question.ceiling]) return std::nullopt;
  std::vector<bool> soon = ahead;
  for (const auto& sections : graph_.locks()) {
    for (const LockSection& section : sections) {
      if (ahead[section.acquire] && section.release != kNone) add_needed(section.release, &soon);
    }
  }
  finish_sections(&soon);
  std::vector<Node> order;
  order.reserve(count);
  for (int phase = 0; phase < 3; ++phase) {
    for (Node node = 0; node < count; ++node) {
      if ((ahead[node] ? 0 : soon[node] ? 1 : 2) == phase) order.push_back(node);
    }
  }
  if (!respects_locks(order)) return std::nullopt;
  return order;
}

bool ReversalSearch::respects_locks(const std::vector<Node>& order) const {
  std::vector<uint32_t> readers(graph_.locks().size(), 0), writers(graph_.locks().size(), 0);
  for (const Node node : order) {
    const LockStep& step = lock_steps_[node];
    if (step.lock == kNone) continue;
    uint32_t& count = step.is_shared ? readers[step.lock] : writers[step.lock];
    if (step.acquires && (writers[step.lock] > 0 || (!step.is_shared && readers[step.lock] > 0))) return false;
    count += step.acquires ? 1 : -1u;
  }
  return true;
}

ReversalSearch::Outcome ReversalSearch::run(std::span<const Candidate> candidates) {
  std::vector<Question> questions;
  for (const Candidate& candidate : candidates) {
    questions.push_back(question_of(candidate));
    if (questions.back().floor == kNone || questions.back().ceiling == kNone) {  // the order of the run serves
      std::vector<Node> order(graph_.nodes().size());
      std::iota(order.begin(), order.end(), 0u);
      keep(questions.back(), order);
      return Outcome::kFound;
    }
    if (questions.size() > kPlainTrials) continue;
    if (const auto order = order_ahead(questions.back())) {
      keep(questions.back(), *order);
      return Outcome::kFound;
    }
  }
  return questions.empty() ? Outcome::kNone : ask_solver(questions);
}

solve::OrderProblem ReversalSearch::make_problem() const {
  solve::OrderProblem problem;
  problem.events = static_cast<uint32_t>(graph_.nodes().size());
  for (Node node = 0; node < graph_.nodes().size(); ++node) {
    problem.hint.push_back(node);
    const Node previous = graph_.nodes()[node].previous;
    if (previous != kNone) problem.edges.push_back({previous, node});
  }
  for (const Channel& channel : graph_.channels()) {
    // Between many and many there is a point at which all have published.
    const bool is_meeting_point = channel.published.size() > 1 && channel.acquired.size() > 1;
    const solve::Event middle = problem.events;
    if (is_meeting_point) {
      ++problem.events;
      problem.hint.insert(std::find(problem.hint.begin(), problem.hint.end(), channel.acquired.front()), middle);
    }
    for (const Node source : channel.published) {
      if (is_meeting_point) problem.edges.push_back({source, middle});
      for (const Node target : channel.acquired) {
        if (!is_meeting_point) problem.edges.push_back({source, target});
      }
    }
    for (const Node target : channel.acquired) {
      if (is_meeting_point) problem.edges.push_back({middle, target});
    }
  }
  for (const auto& sections : graph_.locks()) {
    solve::Lock lock;
    for (const LockSection& section : sections) {
      lock.sections.push_back(
          {section.acquire, section.release == kNone ? solve::kNoEvent : section.release, section.is_shared});
    }
    problem.locks.push_back(std::move(lock));
  }
  return problem;
}

ReversalSearch::Outcome ReversalSearch::ask_solver(std::span<const Question> questions) {
  uint64_t pairs = 0;
  for (const auto& sections : graph_.locks()) pairs += sections.size() * sections.size() / 2;
  if (graph_.nodes().size() > kMostNodes || pairs > kMostPairsOfSections) return Outcome::kGaveUp;
  solve::OrderProblem problem = make_problem();
  solve::Clause clause;
  for (const Question& question : questions) {
    clause.push_back(solve::Literal::before(question.floor, question.ceiling));
  }
  problem.clauses.push_back(std::move(clause));
  const solve::Budget budget{options_.solver_seconds};
  const auto solver = options_.use_z3 ? solve::make_z3_solver(budget) : solve::make_native_solver(budget);
  const solve::Answer answer = solver->solve(problem);
  ++queries_;
  if (answer.kind != solve::Answer::Kind::kOrder) {
    return answer.kind == solve::Answer::Kind::kNone ? Outcome::kNone : Outcome::kGaveUp;
  }
  std::vector<size_t> place(problem.events);
  std::vector<Node> order;
  for (size_t i = 0; i < answer.order.size(); ++i) {
    place[answer.order[i]] = i;
    if (answer.order[i] < graph_.nodes().size()) order.push_back(answer.order[i]);
  }
  const auto shown = std::find_if(questions.begin(), questions.end(), [&](const Question& question) {
    return place[question.floor] < place[question.ceiling];
  });
  HEDDLE_CHECK(shown != questions.end(), "an order solves its problem");
  keep(*shown, order);
  return Outcome::kFound;
}

void ReversalSearch::keep(const Question& question, const std::vector<Node>& order) {
  const Candidate& pair = question.candidate;
  reversal_ = {pair.first, pair.second, {}};
  const auto add = [&](uint32_t event) {
    if (reversal_.order.empty() || reversal_.order.back() != event) reversal_.order.push_back(event);
  };
  if (question.floor == kNone) add(pair.second);
  for (const Node node : order) {
    if (node == question.ceiling) add(pair.first);
    add(graph_.nodes()[node].event);
    if (node == question.floor) add(pair.second);
  }
  if (question.ceiling == kNone) add(pair.first);
}

}  // namespace heddle::propagate
