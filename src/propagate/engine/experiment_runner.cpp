// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/experiment_runner.h"

#include <fmt/format.h>
#include <signal.h>

#include <charconv>

#include "propagate/engine/deviations.h"

namespace heddle::propagate {
namespace {

uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

struct Ending {
  Outcome outcome;
  std::string reason;
};

Ending ending_of(const FaultFreeRun& run, const ComparisonServer& server) {
  const HeddleComparison& channel = server.channel();
  switch (channel.end) {
    case HEDDLE_END_BUDGET: return {Outcome::kHang, "ten times the work of the run without fault"};
    case HEDDLE_END_BLOCKED: return {Outcome::kHang, "all threads sleep"};
    case HEDDLE_END_STOPPED: return {Outcome::kRefused, channel.refusal};
    case HEDDLE_END_SIGNAL: return {Outcome::kCrash, fmt::format("signal {}", channel.code)};
    default: break;
  }
  if (channel.code != run.exit_code())
    return {Outcome::kDetected, fmt::format("exit code {} instead of {}", channel.code, run.exit_code())};
  std::string difference = output_difference(run.output(), server.output());
  return {difference.empty() ? Outcome::kBenign : Outcome::kSdc, std::move(difference)};
}

// Nothing in a program's way ends it with this signal: somebody else did, or memory ran out.
constexpr int kMostKilled = 5;

bool was_killed(const HeddleComparison& channel) { return channel.end == HEDDLE_END_SIGNAL && channel.code == SIGKILL; }

}  // namespace

std::string ExperimentName::text() const { return fmt::format("{}:{}", model->name, number); }

base::Result<ExperimentName> parse_experiment_name(const std::string& text) {
  const size_t colon = text.find(':');
  ExperimentName name;
  name.model = fault_model(text.substr(0, colon));
  if (!name.model) {
    std::vector<std::string> names;
    for (const FaultModel* model : fault_models()) names.emplace_back(model->name);
    return base::Error{fmt::format("there is no fault '{}'", text.substr(0, colon)),
                       fmt::format("faults are {}", fmt::join(names, ", "))};
  }
  const char* end = text.data() + text.size();
  const char* begin = colon == std::string::npos ? end : text.data() + colon + 1;
  const auto [stopped, failed] = std::from_chars(begin, end, name.number);
  if (failed != std::errc() || stopped != end)
    return base::Error{fmt::format("'{}' is no experiment", text), "give a fault and a number, such as bitflip:17"};
  return name;
}

base::Result<std::unique_ptr<ExperimentRunner>> ExperimentRunner::start(const build::ComparisonTarget& target,
                                                                        const ServerSettings& settings,
                                                                        const PointFilter& filter,
                                                                        const FaultOptions& options) {
  std::unique_ptr<ExperimentRunner> runner(new ExperimentRunner);
  auto server = ComparisonServer::start(target, settings);
  if (!server) return server.error();
  runner->server_ = std::move(*server);
  runner->filter_ = filter;
  runner->options_ = options;
  if (auto learned = runner->server_->learn(); !learned) return learned.error();
  runner->run_ = std::make_unique<FaultFreeRun>(target, *runner->server_);
  runner->calls_ = std::make_unique<SyncCalls>(*runner->run_);
  for (const auto& [name, bytes] : runner->run_->output())
    if (!bytes)
      return base::Error{fmt::format("the program writes {}, and that cannot be read afterwards", output_name(name)),
                         "let it be readable"};
  return runner;
}

base::Result<std::unique_ptr<ExperimentRunner>> ExperimentRunner::start_another(const ServerSettings& settings) const {
  std::unique_ptr<ExperimentRunner> runner(new ExperimentRunner);
  auto server = ComparisonServer::start(run_->target(), settings);
  if (!server) return server.error();
  runner->server_ = std::move(*server);
  runner->filter_ = filter_;
  runner->options_ = options_;
  if (auto adopted = runner->server_->adopt(*server_); !adopted) return adopted.error();
  runner->run_ = std::make_unique<FaultFreeRun>(run_->target(), *runner->server_, *run_);
  runner->calls_ = std::make_unique<SyncCalls>(*runner->run_);
  return runner;
}

const InjectionPoints& ExperimentRunner::points_of(const FaultModel& model) {
  std::unique_ptr<InjectionPoints>& points = points_[&model];
  if (!points) points = std::make_unique<InjectionPoints>(*run_, model, filter_);
  return *points;
}

uint64_t ExperimentRunner::points(const FaultModel& model) { return points_of(model).count(); }

base::Result<std::string> ExperimentRunner::differs_without_fault() {
  if (auto done = server_->compare(HeddleFault{}); !done) return done.error();
  const Deviations deviations = find_deviations(*run_);
  if (!deviations.threads.empty()) return describe_first(*run_);
  const Ending ending = ending_of(*run_, *server_);
  return ending.outcome == Outcome::kBenign
             ? std::string()
             : fmt::format("it ends differently: {}, {}", outcome_name(ending.outcome), ending.reason);
}

base::Result<ExperimentResult> ExperimentRunner::run(const ExperimentName& name, uint64_t seed) {
  std::mt19937_64 random(mixed(seed * 0x9e3779b97f4a7c15u + mixed(name.id())));
  const InjectionPoints& points = points_of(*name.model);
  const InjectionPoint point = points.at(draw(random, points.count()));
  const build::ComparedSlot& slot = run_->slot(point.place);
  const Corruption corruption =
      name.model->corrupt({run_->target().code, slot, options_}, run_->value(point.lane, point.word), random);
  HeddleFault fault{};
  fault.action = corruption.action;
  fault.operand = corruption.operand;
  fault.lane = point.lane;
  fault.word = point.word;
  fault.segment = point.place.segment;
  fault.slot = point.place.slot;
  for (int attempt = 0; attempt < kMostKilled; ++attempt) {
    if (auto done = server_->compare(fault); !done) return done.error();
    if (!was_killed(server_->channel())) break;
  }

  ExperimentResult result;
  result.id = name.id();
  result.fault = name.model->name;
  result.thread = run_->thread_name(point.lane);
  result.index = run_->instruction_number(point.lane, point.word);
  result.place = run_->source_place(slot);
  result.function = run_->function(point.place.segment);
  result.instruction = run_->target().code.words[slot.instruction];
  result.detail = corruption.detail;
  Ending ending = ending_of(*run_, *server_);
  result.outcome = ending.outcome;
  result.reason = std::move(ending.reason);
  result.injected = server_->channel().injected != 0;
  result.seconds = server_->seconds();
  fill_in_deviations(*run_, *calls_, result);
  return result;
}

}  // namespace heddle::propagate
