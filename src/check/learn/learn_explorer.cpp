// SPDX-License-Identifier: Apache-2.0
#include "check/learn/learn_explorer.h"

#include <algorithm>

#include "check/dpor_explorer.h"
#include "check/job_source.h"
#include "check/learn/plan_of_path.h"
#include "check/mcr_explorer.h"

namespace heddle::check {

using learn::ProductSearch;

namespace {

constexpr size_t kMostAhead = 256;

}  // namespace

// One run of the program. Those that the product needs, and repeats, may be several at once.
class LearnExplorer::RunWork : public Work {
 public:
  RunWork(NextRun what, const LearnExplorer& explorer) : run(std::move(what)), explorer_(explorer), corrections_(explorer.corrections_) {}
  std::optional<Job> begin(Bench&) override {
    if (is_dropped_) return std::nullopt;
    return run.job;
  }
  bool study(Bench&, ExecutionRef done) override {
    execution = std::move(done);
    return true;
  }
  // What ran before may have shown the same. Once somebody else explores, nobody asks any more.
  bool still_holds() override {
    is_dropped_ = explorer_.other_ || (run.last_is_missing && !run.job.is_repeat && !explorer_.is_needed(run, corrections_));
    return !is_dropped_;
  }

  const NextRun run;
  ExecutionRef execution;

 private:
  const LearnExplorer& explorer_;
  const uint64_t corrections_;
  bool is_dropped_ = false;
};

LearnExplorer::LearnExplorer(const Options& options, causal::Histories& histories, Budget& budget, Naming naming)
    : options_(options), histories_(histories), budget_(budget), naming_(std::move(naming)), model_(options.memory, options.reuses_addresses), machine_(model_),
      merges_(options.merge && !options.bound_loops), footprints_(model_, machine_), reader_(model_, machine_, footprints_),
      search_(model_, machine_, footprints_, budget) {
  if (options.races) races_ = std::make_unique<learn::RaceWatch>(model_, machine_, options.lines ? *options.lines : std::vector<uint32_t>());
  if (options.races && options.reuses_addresses) fall_back("it does not look for data races where released memory is used again");
}

std::unique_ptr<Work> LearnExplorer::take() {
  if (other_) return other_->take();
  const bool repeats = is_repeating_ && repeated_ < runs_.size();
  // What a thread is compared by is the same again only in a process that has run the same before.
  const bool may_run_several = repeats || (!merges_ && !missing_.empty());
  if (running_ > 0 && !may_run_several) return nullptr;
  std::optional<NextRun> run = next_missing();
  if (!run && repeats) run = repeat();
  if (!run && running_ > 0) return nullptr;
  if (!run) run = next();
  if (!run) return nullptr;
  ++running_;
  run->job = settled(std::move(run->job));
  return std::make_unique<RunWork>(std::move(*run), *this);
}

Job LearnExplorer::settled(Job job) const {
  job.is_foreseen = true;
  job.tells_states = merges_;
  job.is_in_line = merges_ && !job.is_apart;
  return job;
}

void LearnExplorer::commit(Work& work, Bench& bench) {
  auto* const own = dynamic_cast<RunWork*>(&work);
  if (!own) return other_->commit(work, bench);
  --running_;
  if (!own->execution) return;  // it was not needed
  if (running_race_) races_->accesses().note_shown(running_race_->first, running_race_->second, running_race_->form);
  running_race_.reset();
  if (!own->run.job.is_repeat) {
    paths_.insert(paths_.end(), own->run.path.begin(), own->run.path.end());
    runs_.push_back({paths_.size(), own->run.last_is_missing});
  }
  learn(*own->execution, own->run.job.plan);
}

std::optional<Job> LearnExplorer::ahead() {
  const std::lock_guard<std::mutex> guard(ahead_lock_);
  if (ahead_.empty()) return std::nullopt;
  Job job = std::move(ahead_.front());
  ahead_.pop_front();
  return job;
}

// What to run next; none: there is nothing left.
std::optional<LearnExplorer::NextRun> LearnExplorer::next() {
  if (learned_ < restored_) {
    Job job = run_again(learned_, runs_[learned_].last_is_missing);
    job.is_repeat = true;  // it counted before
    return NextRun{std::move(job), {}, false};
  }
  if (!has_run_) return NextRun{};
  is_repeating_ = false;
  for (;;) {
    switch (search_.go_on()) {
      case ProductSearch::Pause::kDone: return repeat();
      case ProductSearch::Pause::kSpent: return std::nullopt;
      case ProductSearch::Pause::kFull:
        gaps_.insert({"memory", "there are more states than fit into memory"});
        return std::nullopt;
      case ProductSearch::Pause::kStuck: return run_along_path();
      case ProductSearch::Pause::kRace: return run_into_race();
      case ProductSearch::Pause::kHopeless:
        gaps_.insert({"not-covered", "what a thread does next could not be found out by running it"});
        break;
      case ProductSearch::Pause::kMissing:
        for (std::vector<learn::Step>& path : search_.take_paths()) {
          Job job{.plan = learn::plan_of_path(model_, machine_, path, true)};
          missing_.push_back({std::move(job), std::move(path), true});
        }
        if (std::optional<NextRun> run = next_missing()) return run;
        break;
    }
  }
}

std::optional<LearnExplorer::NextRun> LearnExplorer::next_missing() {
  while (!missing_.empty()) {
    NextRun run = std::move(missing_.front());
    missing_.pop_front();
    if (is_needed(run, corrections_)) return run;
  }
  return std::nullopt;
}

bool LearnExplorer::is_needed(const NextRun& run, uint64_t corrections) const {
  return corrections == corrections_ && search_.is_missing(run.path);
}

LearnExplorer::NextRun LearnExplorer::run_along_path() {
  return {Job{.plan = learn::plan_of_path(model_, machine_, search_.path(), false)}, search_.path(), false};
}

// The execution shows the race; the session confirms it.
LearnExplorer::NextRun LearnExplorer::run_into_race() {
  running_race_ = races_->take_found();
  const learn::FoundRace& found = *running_race_;
  auto race = std::make_shared<property::Race>(learn::plan_of_race(model_, machine_, found));
  Job job{.plan = race->plan};
  job.race = std::move(race);
  return {std::move(job), found.path, false};
}

// The next run that was made once so far. What it shows is of no use for the others, so they are all run before
// anything else.
std::optional<LearnExplorer::NextRun> LearnExplorer::repeat() {
  if (repeated_ == runs_.size() || !gaps_.empty()) return std::nullopt;
  is_repeating_ = true;
  return NextRun{job_to_repeat(repeated_++), {}, false};
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
  const bool is_new = learned_ < runs_.size();
  if (is_new) ++learned_;
  const HeddleOutcome outcome = execution.ending.outcome;
  if (outcome == HEDDLE_OUTCOME_DIVERGED || outcome == HEDDLE_OUTCOME_UNSUPPORTED) {
    fall_back("a schedule could not be followed");
    return;
  }
  if (const auto mismatch = reader_.read(execution, plan)) {
    if (mismatch->kind == learn::Mismatch::Kind::kDifference) gaps_.insert({"nondeterministic", text_of(*mismatch)});
    fall_back(mismatch->text);
    return;
  }
  const auto is_misuse = [](const causal::ThreadPart& part) {
    return !part.operations.empty() && part.operations.back().kind == HEDDLE_FAIL && part.operations.back().value == HEDDLE_FAILURE_MISUSE;
  };
  if (std::any_of(execution.threads.begin(), execution.threads.end(), is_misuse))
    gaps_.insert({"not-covered", "after a misuse, orders in which the same operation comes earlier"});
  if (reader_.corrects()) {
    search_.start_again();
    missing_.clear();
    ++corrections_;
  }
  if (outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK) search_.ends().add_stuck(reader_.end());
  if (!is_new || options_.jobs < 2) return;
  const std::lock_guard<std::mutex> guard(ahead_lock_);
  if (ahead_.size() < kMostAhead) ahead_.push_back(settled(job_to_repeat(learned_ - 1)));
}

std::string LearnExplorer::text_of(const learn::Mismatch& difference) const {
  const auto event = [&](const learn::Mismatch::Event& one) {
    return one.what + (one.site ? " at " + naming_(difference.thread, one.site).second : "");
  };
  return "the program did not do what it did before under the same circumstances: operation " + std::to_string(difference.index) + " of " +
         naming_(difference.thread, 0).first + ": expected: " + event(difference.expected) + "; happened: " + event(difference.happened) +
         "; likely cause: " + difference.cause;
}

void LearnExplorer::fall_back(const std::string& why) {
  why_other_ = why;
  if (options_.reuses_addresses) {  // mcr does not know which released memory is used again
    other_ = std::make_unique<JobSource>(std::make_unique<DporExplorer>(options_));
  } else {
    other_ = std::make_unique<McrExplorer>(options_, histories_, budget_);
  }
}

std::vector<std::string> LearnExplorer::notes() const {
  if (!other_) return {};
  return {std::string("explored by ") + (options_.reuses_addresses ? "dpor" : "mcr") + " instead of learn: " + why_other_};
}

std::vector<Reason> LearnExplorer::gaps() const {
  std::vector<Reason> reasons(gaps_.begin(), gaps_.end());
  if (model_.uses_dead_object)
    reasons.push_back({"not-modelled", "not modelled: an object of synchronisation that is destroyed or released when a thread is about to use it"});
  if (other_)
    for (const Reason& reason : other_->gaps()) reasons.push_back(reason);
  return reasons;
}

std::optional<Explored> LearnExplorer::explored() const {
  if (other_ || !has_run_) return std::nullopt;
  std::optional<uint64_t> states;
  if (!reader_.merged() && !reader_.has_seen_reuse()) states = search_.ends().states();
  return Explored{states, search_.ends().outcomes(), search_.states(), search_.steps(), model_.automata.histories(),
                  search_.bytes(), search_.seconds()};
}

}  // namespace heddle::check
