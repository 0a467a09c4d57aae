// SPDX-License-Identifier: Apache-2.0
#include "propagate/campaign/run_campaign.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/thread_group.h"

namespace heddle::propagate {
namespace {

// What the workers share.
struct Desk {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<ExperimentName> todo;
  size_t next = 0;
  std::vector<ExperimentResult> results;  // not on disk yet
  std::optional<base::Error> failure;
  bool stop = false;
  uint32_t working = 0;
};

void do_experiments(ExperimentRunner& runner, uint64_t seed, Desk& desk) {
  for (;;) {
    ExperimentName name;
    {
      const std::lock_guard hold(desk.mutex);
      if (desk.stop || desk.failure || desk.next == desk.todo.size()) return;
      name = desk.todo[desk.next++];
    }
    auto result = runner.run(name, seed);
    const std::lock_guard hold(desk.mutex);
    if (!result) {
      if (!desk.stop && !desk.failure) desk.failure = result.error();
      return;
    }
    desk.results.push_back(std::move(*result));
    desk.changed.notify_one();
  }
}

void work(ExperimentRunner& runner, uint64_t seed, Desk& desk) {
  const auto leave = [&desk](bool was_thrown) {
    const std::lock_guard hold(desk.mutex);
    desk.stop |= was_thrown;
    --desk.working;
    desk.changed.notify_one();
  };
  try {
    do_experiments(runner, seed, desk);
  } catch (...) {
    leave(true);
    throw;
  }
  leave(false);
}

}  // namespace

base::Result<CampaignEnd> run_campaign(ExperimentRunner& first, const ServerSettings& settings,
                                       const CampaignPlan& plan, ExperimentStore& store,
                                       const std::function<bool(const CampaignProgress&)>& progress) {
  Desk desk;
  CampaignProgress now;
  // Kinds of faults take turns, so that a campaign that is stopped has some of each.
  for (uint32_t number = 0; number < plan.runs; ++number)
    for (const FaultModel* model : plan.faults) {
      ++now.wanted;
      const ExperimentName name{model, number};
      if (store.finished().contains(name.id()))
        ++now.before;
      else
        desk.todo.push_back(name);
    }
  now.done = now.before;
  std::vector<std::unique_ptr<ExperimentRunner>> others;
  for (uint32_t i = 1; i < plan.jobs && i < desk.todo.size(); ++i) {
    auto another = first.start_another(settings);
    if (!another) return another.error();
    auto differs = (*another)->differs_without_fault();
    if (!differs) return differs.error();
    if (!differs->empty())
      return base::Error{"two processes of the program do not do the same: " + *differs, "use --jobs=1"};
    others.push_back(std::move(*another));
  }
  const auto begin = std::chrono::steady_clock::now();
  base::ThreadGroup workers;
  desk.working = static_cast<uint32_t>(1 + others.size());
  workers.start([&] { work(first, plan.seed, desk); });
  for (const auto& other : others) workers.start([&, runner = other.get()] { work(*runner, plan.seed, desk); });

  CampaignEnd end;
  std::optional<base::Error> store_failure;
  std::unique_lock hold(desk.mutex);
  for (bool over = false; !over;) {
    desk.changed.wait_for(hold, std::chrono::milliseconds(100),
                          [&] { return desk.working == 0 || !desk.results.empty(); });
    over = desk.working == 0;
    std::vector<ExperimentResult> results = std::move(desk.results);
    desk.results.clear();
    hold.unlock();
    if (!results.empty() && !store_failure)
      if (auto added = store.add(results); !added) store_failure = added.error();
    now.done += results.size();
    now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool is_to_stop = progress(now);
    hold.lock();
    const bool is_complete = now.done == now.wanted;
    if (!is_complete && (is_to_stop || store_failure) && !desk.stop) {
      desk.stop = true;
      if (!store_failure) end.why = CampaignEnd::Why::kStopped;
    }
  }
  hold.unlock();
  workers.join();
  if (store_failure) return *store_failure;
  if (desk.failure && end.why == CampaignEnd::Why::kComplete) return *desk.failure;
  end.target_seconds = first.target_seconds();
  for (const auto& other : others) end.target_seconds += other->target_seconds();
  return end;
}

}  // namespace heddle::propagate
