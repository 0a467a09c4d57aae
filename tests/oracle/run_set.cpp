// SPDX-License-Identifier: Apache-2.0
#include "oracle/run_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "build/sources.h"
#include "build/target.h"
#include "execute/subject.h"
#include "oracle/emit_c.h"
#include "oracle/random_numbers.h"

namespace heddle::oracle {
namespace {

base::Result<build::Target> make_target(const std::string& source) {
  auto directory = base::TemporaryDirectory::create("oracle");
  if (!directory) return directory.error();
  const std::string path = directory->path() + "/oracle.c";
  if (auto written = base::write_file(path, source); !written) return written.error();
  build::IntakeOptions intake;
  intake.cflags = {"-fno-strict-aliasing"};
  auto program = build::intake({path}, intake);
  if (!program) return program.error();
  build::TargetOptions target;
  target.dependence = true;
  return build::make_target(std::move(*program), target);
}

template <typename T>
T drawn(RandomNumbers& random, const std::vector<T>& values) {
  return values[static_cast<size_t>(random.below(static_cast<int>(values.size())))];
}

std::vector<Choice> ways(const SetOptions& options, uint64_t seed, MemoryModel model) {
  if (!options.all_ways) {
    RandomNumbers random(seed * 3 + static_cast<uint64_t>(model));
    return {{model, drawn(random, options.reductions), drawn(random, options.solvers), drawn(random, options.jobs),
             drawn(random, options.races)}};
  }
  std::vector<Choice> all;
  for (const std::string& reduction : options.reductions)
    for (const std::string& solver : options.solvers)
      for (const int jobs : options.jobs)
        for (const bool races : options.races) all.push_back({model, reduction, solver, jobs, races});
  return all;
}

std::string way_text(const SetOptions& options, uint64_t seed, const Choice& way) {
  return fmt::format("oracle --seed={} --count=1 --size={}{}{} --memory={} --reduce={} --solver={} --jobs={}{}", seed,
                     options.size, options.pointers ? " --pointers" : "", options.twins ? " --twins" : "",
                     name_of(way.model), way.reduction, way.solver, way.jobs, way.races ? " --races" : " --no-races");
}

class Run {
 public:
  Run(const SetOptions& options, const Checker& checker) : options_(options), checker_(checker) {}

  base::Result<void> part(int first, int count) {
    std::vector<Program> programs;
    for (int number = first; number < first + count; ++number)
      programs.push_back(generate(seed_of(number), size_of_programs()));
    const EmittedSet set = emit_c(programs);
    auto target = make_target(set.source);
    if (!target) return target.error();
    const execute::Subject subject = execute::subject_of(*target);
    for (int place = 0; place < count; ++place)
      for (const MemoryModel model : options_.models)
        check(subject, place, seed_of(first + place), programs[static_cast<size_t>(place)],
              set.lines[static_cast<size_t>(place)], model);
    return {};
  }

  SetSummary take() { return std::move(summary_); }

 private:
  Size size_of_programs() const {
    Size size = size_for(options_.size);
    size.pointers = options_.pointers;
    size.twins = options_.twins;
    return size;
  }
  uint64_t seed_of(int number) const { return options_.seed + static_cast<uint64_t>(number); }

  void check(const execute::Subject& set, int place, uint64_t seed, const Program& program,
             const std::vector<int>& lines, MemoryModel model) {
    const Truth truth = brute_force(program, model, options_.limits);
    if (!truth.within_limits) {
      ++summary_.skipped;
      return;
    }
    for (Choice& way : ways(options_, seed, model)) {
      Races races;
      if (way.races) races = find_races(program, model, options_.limits);
      if (!races.within_limits) {
        ++summary_.skipped;
        continue;
      }
      const CheckedResult checked = checked_in(way, set, place);
      if (checked.left_to_mcr && checked.complete) {
        ++summary_.left_to_mcr;
        continue;
      }
      ++summary_.checks;
      summary_.kept_apart += checked.kept_apart;
      const std::string found =
          differences(program, lines, truth, way.races ? &races : nullptr, checked, options_.demand);
      if (found.empty()) continue;
      if (summary_.different++ < options_.differences_shown)
        summary_.text +=
            fmt::format("{}\n{}{}{}\n\n", way_text(options_, seed, way), to_text(program), found, checked.text);
    }
  }

  CheckedResult checked_in(Choice& way, const execute::Subject& set, int place) {
    if (way.reduction != "mcr") way.most_executions = options_.most_executions;
    const CheckedResult checked = checker_(set, place, way);
    if (!checked.gave_up) return checked;
    ++summary_.replaced;
    way.reduction = "mcr";
    way.most_executions = 0;
    return checker_(set, place, way);
  }

  const SetOptions& options_;
  const Checker& checker_;
  SetSummary summary_;
};

}  // namespace

void draw_as_usual(SetOptions& options) {
  options.reductions = {"mcr", "mcr-s", "mcr-s+", "se-mcr", "dpor"};
  options.jobs = {1, 1, 2};
  options.solvers.assign(16, "native");
  options.solvers.front() = "z3";
  options.races = {false, false, false, true};
  options.most_executions = 200;
}

base::Result<SetSummary> run_set(const SetOptions& options, const Checker& checker) {
  Run run(options, checker);
  for (int first = 0; first < options.count; first += options.programs_per_target) {
    const int count = std::min(options.programs_per_target, options.count - first);
    if (auto done = run.part(first, count); !done) return done.error();
  }
  return run.take();
}

}  // namespace heddle::oracle
