// SPDX-License-Identifier: Apache-2.0
#include "check/learn/learn_explorer.h"

#include <algorithm>
#include <utility>

#include "causal/disputed_locals.h"
#include "check/choice_values.h"
#include "check/dpor_explorer.h"
#include "check/job_source.h"
#include "check/learn/plan_of_path.h"
#include "check/mcr_explorer.h"

namespace heddle::check {

using learn::ProductSearch;

namespace {

constexpr size_t kMostAhead = 256;

}  // namespace

// One run of the program; there is never more than one at a time, but for repeats.
class LearnExplorer::RunWork : public Work {
 public:
  RunWork(Job what, const LearnExplorer& explorer) : job(std::move(what)), explorer_(explorer) {}
  std::optional<Job> begin(Bench&) override {
    if (is_dropped_) return std::nullopt;
    return job;
  }
  bool study(Bench&, ExecutionRef done) override {
    execution = std::move(done);
    return true;
  }
  // Once somebody else explores, nobody asks any more.
  bool still_holds() override {
    is_dropped_ = explorer_.other_ != nullptr;
    return !is_dropped_;
  }

  const Job job;
  ExecutionRef execution;

 private:
  const LearnExplorer& explorer_;
  bool is_dropped_ = false;
};

LearnExplorer::LearnExplorer(const Options& options, causal::Histories& histories, Budget& budget, Naming naming)
    : options_(options),
      histories_(histories),
      budget_(budget),
      naming_(std::move(naming)),
      model_(options.memory, options.reuses_addresses),
      machine_(model_),
      merges_(options.merge && !options.bound_loops),
      footprints_(model_, machine_),
      reader_(model_, machine_, footprints_),
      search_(model_, machine_, footprints_, budget) {
  if (options.races)
    races_ =
        std::make_unique<learn::RaceWatch>(model_, machine_, options.lines ? *options.lines : std::vector<uint32_t>());
  if (options.symmetry) symmetry_ = std::make_unique<learn::Symmetry>(model_, reader_);
  if (options.symmetry && options.races) symmetry_->give_up("data races are looked for");
  if (options.symmetry && options.reuses_addresses) symmetry_->give_up("released memory is used again");
  search_.exchange_threads(symmetry_.get());
  if (options.races && options.reuses_addresses)
    fall_back("it does not look for data races where released memory is used again");
}

std::unique_ptr<Work> LearnExplorer::take() {
  if (other_) return other_->take();
  const bool repeats = is_repeating_ && has_repeats();
  if (running_ > 0 && !repeats) return nullptr;
  std::optional<Job> job = repeats ? repeat() : next();
  if (!job) return nullptr;
  ++running_;
  return std::make_unique<RunWork>(settled(std::move(*job)), *this);
}

Job LearnExplorer::settled(Job job) const {
  job.is_foreseen = true;
  // Which histories are found to be alike is a matter of chance, and not the same for equal threads.
  job.tells_states = merges_ && !(symmetry_ && symmetry_->exchanges());
  job.is_in_line = job.tells_states && !job.is_apart;
  return job;
}

void LearnExplorer::commit(Work& work, Bench& bench) {
  auto* const own = dynamic_cast<RunWork*>(&work);
  if (!own) return other_->commit(work, bench);
  --running_;
  if (other_) return;
  if (running_race_) races_->accesses().note_shown(running_race_->first, running_race_->second, running_race_->form);
  running_race_.reset();
  learn(*own->execution, own->job.plan);
}

std::optional<Job> LearnExplorer::ahead() {
  const std::lock_guard<std::mutex> guard(ahead_lock_);
  if (ahead_.empty()) return std::nullopt;
  Job job = std::move(ahead_.front());
  ahead_.pop_front();
  return job;
}

// What to run next; none: there is nothing left.
std::optional<Job> LearnExplorer::next() {
  if (!exchanges_.empty()) {
    Job job{.plan = std::move(exchanges_.front())};
    exchanges_.pop_front();
    is_exchange_ = true;
    job.is_repeat = learned_ <= restored_;  // it counted before
    return job;
  }
  if (learned_ < restored_) {
    Job job = run_again(learned_, runs_[learned_].last_is_missing);
    job.is_repeat = true;  // it counted before
    return job;
  }
  if (!has_run_) {
    runs_.push_back({0, false});
    return Job{};
  }
  is_repeating_ = false;
  for (;;) {
    switch (search_.go_on()) {
      case ProductSearch::Pause::kDone:
        if (!symmetry_ || symmetry_->holds()) return repeat();
        keep_threads_apart();
        continue;
      case ProductSearch::Pause::kSpent: return std::nullopt;
      case ProductSearch::Pause::kFull: gaps_.raise(HEDDLE_GAP_STATES_EXCEED_MEMORY); return std::nullopt;
      case ProductSearch::Pause::kStuck: return run_along_path(false);
      case ProductSearch::Pause::kRace: return run_into_race();
      case ProductSearch::Pause::kMissing: break;
    }
    const learn::PointId point = search_.missing();
    if (missing_ == search_.missing_edge() || hopeless_.count(point)) {
      hopeless_.insert(point);
      gaps_.raise(HEDDLE_GAP_STEP_UNKNOWN);
      search_.give_up();
      continue;
    }
    missing_ = search_.missing_edge();
    return run_along_path(true);
  }
}

Job LearnExplorer::run_along_path(bool last_is_missing) {
  paths_.insert(paths_.end(), search_.path().begin(), search_.path().end());
  runs_.push_back({paths_.size(), last_is_missing});
  return Job{.plan = learn::plan_of_path(model_, machine_, search_.path(), last_is_missing)};
}

// The execution shows the race; the session confirms it.
Job LearnExplorer::run_into_race() {
  running_race_ = races_->take_found();
  const learn::FoundRace& found = *running_race_;
  auto race = std::make_shared<property::Race>(learn::plan_of_race(model_, machine_, found));
  paths_.insert(paths_.end(), found.path.begin(), found.path.end());
  runs_.push_back({paths_.size(), false});
  Job job{.plan = race->plan};
  job.race = std::move(race);
  return job;
}

// The next run that was made once so far. What it shows is of no use for the others, so they are all run before
// anything else.
std::optional<Job> LearnExplorer::repeat() {
  if (!has_repeats() || !gaps_.empty()) return std::nullopt;
  is_repeating_ = true;
  if (repeated_ < runs_.size()) return job_to_repeat(repeated_++);
  Job job{.plan = learn::plan_of_path(model_, machine_, exchanged_[repeated_exchanges_++], false)};
  job.is_repeat = job.is_apart = true;
  return job;
}

Job LearnExplorer::job_to_repeat(size_t run) {
  Job job = run_again(run, false);
  job.is_repeat = job.is_apart = true;
  job.number = run + 1;
  return job;
}

Job LearnExplorer::run_again(size_t run, bool last_is_missing) {
  const auto begin = paths_.begin() + static_cast<ptrdiff_t>(run ? runs_[run - 1].end : 0);
  const std::vector<learn::Step> path(begin, paths_.begin() + static_cast<ptrdiff_t>(runs_[run].end));
  return path.empty() ? Job{} : Job{.plan = learn::plan_of_path(model_, machine_, path, last_is_missing)};
}

void LearnExplorer::learn(const causal::Execution& execution, const std::vector<property::PlannedStep>& plan) {
  has_run_ = true;
  const bool is_exchange = std::exchange(is_exchange_, false);
  const bool is_new = !is_exchange && learned_ < runs_.size();
  if (is_new) ++learned_;
  const HeddleOutcome outcome = execution.ending.outcome;
  if (is_exchange && outcome == HEDDLE_OUTCOME_DIVERGED) {
    symmetry_->give_up("what one thread did cannot be done in the same order by another one");
    return keep_threads_apart();
  }
  if (outcome == HEDDLE_OUTCOME_DIVERGED || outcome == HEDDLE_OUTCOME_UNSUPPORTED) {
    fall_back("a schedule could not be followed");
    return;
  }
  if (is_new && causal::has_disputed_locals(execution)) {
    fall_back("a thread may access a local variable of another one whose function has returned", Other::kDpor);
    return;
  }
  if (const auto mismatch = reader_.read(execution, plan)) {
    if (mismatch->kind == learn::Mismatch::Kind::kDifference)
      gaps_.raise(HEDDLE_GAP_NONDETERMINISTIC, text_of(*mismatch));
    fall_back(mismatch->text);
    return;
  }
  if (reader_.corrects()) search_.start_again();
  if (symmetry_ && (is_new || is_exchange)) note_symmetry(execution, is_exchange);
  if (outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK) search_.ends().add_stuck(reader_.end());
  if (!is_new || options_.jobs < 2) return;
  const std::lock_guard<std::mutex> guard(ahead_lock_);
  if (ahead_.size() < kMostAhead) ahead_.push_back(settled(job_to_repeat(learned_ - 1)));
}

// Runs with threads in each other's places follow from the run that they come from, and are not in checkpoints.
void LearnExplorer::note_symmetry(const causal::Execution& execution, bool is_exchange) {
  if (is_exchange) exchanged_.push_back(reader_.path());
  const bool did_exchange = symmetry_->exchanges();
  symmetry_->note(execution);
  if (did_exchange && !symmetry_->exchanges()) return keep_threads_apart();
  if (is_exchange) return;
  for (learn::Symmetry::Plan& plan : symmetry_->exchanged(execution)) exchanges_.push_back(std::move(plan));
}

// Threads that seemed to be equal are not, or cannot be shown to be: all is explored without that.
void LearnExplorer::keep_threads_apart() {
  exchanges_.clear();
  search_.start_again();
}

std::string LearnExplorer::text_of(const learn::Mismatch& difference) const {
  const auto event = [&](const learn::Mismatch::Event& one) {
    return one.what + (one.site ? " at " + naming_(difference.thread, one.site).second : "");
  };
  return "the program did not do what it did before under the same circumstances: operation " +
         std::to_string(difference.index) + " of " + naming_(difference.thread, 0).first +
         ": expected: " + event(difference.expected) + "; happened: " + event(difference.happened) +
         "; likely cause: " + difference.cause;
}

void LearnExplorer::fall_back(const std::string& why, Other other) {
  why_other_ = why;
  is_dpor_ = other == Other::kDpor || options_.reuses_addresses;  // mcr does not know which memory is used again
  if (is_dpor_) {
    other_ = std::make_unique<JobSource>(std::make_unique<DporExplorer>(options_));
  } else {
    other_ = std::make_unique<McrExplorer>(options_, histories_, budget_);
  }
}

std::vector<std::string> LearnExplorer::notes() const {
  if (!other_ && symmetry_ && !symmetry_->exchanges()) return {"threads do not change places: " + symmetry_->why_not()};
  if (!other_) return {};
  return {std::string("explored by ") + (is_dpor_ ? "dpor" : "mcr") + " instead of learn: " + why_other_};
}

gaps::Gaps LearnExplorer::gaps() const {
  gaps::Gaps gaps = gaps_;
  if (model_.leaves_out_values) gaps.raise(HEDDLE_GAP_CHOICE_VALUES, std::to_string(kMostChoiceValues));
  if (model_.loses_waiting) gaps.raise(HEDDLE_GAP_WAITER_IN_REUSED_MEMORY);
  if (other_) gaps.merge(other_->gaps());
  return gaps;
}

std::optional<Explored> LearnExplorer::explored() const {
  if (other_ || !has_run_) return std::nullopt;
  std::optional<uint64_t> states;
  const bool counts_all = !reader_.merged() && !reader_.has_seen_reuse() && !(symmetry_ && symmetry_->exchanges());
  if (counts_all) states = search_.ends().states();
  return Explored{states,           search_.ends().outcomes(),   search_.states(),
                  search_.steps(),  model_.automata.histories(), search_.bytes(),
                  search_.seconds()};
}

}  // namespace heddle::check
