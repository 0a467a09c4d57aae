// SPDX-License-Identifier: Apache-2.0
//
// heddle predict from end to end on random programs: compiled, run once, recorded,
// followed through the bitcode, and every race that is predicted run. What is
// confirmed must be a race in brute force over all interleavings, and what the
// maximal causal model finds must be among what recipe finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "base/files.h"
#include "build/sources.h"
#include "build/target.h"
#include "execute/subject.h"
#include "oracle/emit_c.h"
#include "oracle/judged_runs.h"
#include "predict/predict.h"

namespace heddle::oracle {
namespace {

constexpr uint64_t kFirstSeed = 4'000'000, kPrograms = 100;

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The set as a program that records its functions, and as one that also records what it computes.
struct Built {
  build::Target plain, recorded;
  build::NumberedProgram numbered;
};

base::Result<Built> build_set(const std::string& source) {
  auto directory = base::TemporaryDirectory::create("oracle");
  if (!directory) return directory.error();
  const std::string path = directory->path() + "/oracle.c";
  if (auto written = base::write_file(path, source); !written) return written.error();
  build::IntakeOptions intake;
  intake.cflags = {"-fno-strict-aliasing"};
  build::TargetOptions options;
  options.functions = true;
  auto program = build::intake({path}, intake);
  if (!program) return program.error();
  auto plain = build::make_target(std::move(*program), options);
  if (!plain) return plain.error();
  options.branches = options.values = true;
  program = build::intake({path}, intake);
  if (!program) return program.error();
  auto numbered = build::number_program(*program, options.optimise);
  if (!numbered) return numbered.error();
  auto recorded = build::make_target(std::move(*program), options);
  if (!recorded) return recorded.error();
  if (auto found = build::find_addresses(*numbered, recorded->executable); !found) return found.error();
  return Built{std::move(*plain), std::move(*recorded), std::move(*numbered)};
}

struct Answer {
  std::set<Pair> confirmed;
  size_t unconfirmed = 0, value_questions = 0, lost_threads = 0;
  std::string text;
};

class PredictRuns : public testing::Test {
 protected:
  void make(uint64_t first, uint64_t count) {
    for (uint64_t seed = first; seed < first + count; ++seed)
      programs_.push_back(generate(seed, size_for(seed % 3 == 0 ? 12 : 8)));
    set_ = emit_c(programs_);
    auto built = build_set(set_.source);
    ASSERT_TRUE(built) << built.error().message;
    built_.emplace(std::move(*built));
    plain_ = execute::subject_of(built_->plain);
    recipe_.emplace(predict::RecipeSubject{execute::subject_of(built_->recorded), std::move(built_->numbered)});
  }

  Answer predict(size_t place, predict::Model model, uint64_t seed) {
    predict::Options options;
    options.model = model;
    options.seed = seed;  // of the run that is seen
    execute::Subject subject = plain_;
    subject.arguments = recipe_->recorded.arguments = {std::to_string(place)};
    const auto report =
        predict::predict_program(subject, {}, options, model == predict::Model::kRecipe ? &*recipe_ : nullptr);
    Answer answer;
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    if (!report) return answer;
    answer.value_questions = report->statistics.value_questions;
    answer.lost_threads = report->statistics.lost_threads;
    for (const gaps::Gap& gap : report->gaps) answer.text += std::string(gap.code()) + ": " + gap.detail + "\n";
    for (const property::Finding& finding : report->findings) {
      EXPECT_EQ(finding.kind, "race");
      answer.unconfirmed += !finding.confirmed;
      answer.text += finding.message + " " + finding.doubt + "\n";
      if (finding.confirmed)
        answer.confirmed.insert(
            std::minmax(operation_at(place, finding.places[0].line), operation_at(place, finding.places[1].line)));
    }
    return answer;
  }

  // -1: there is none on that line.
  int operation_at(size_t place, uint32_t line) const {
    const std::vector<int>& lines = set_.lines[place];
    const auto found = std::find(lines.begin(), lines.end(), static_cast<int>(line));
    return found == lines.end() ? -1 : static_cast<int>(found - lines.begin());
  }

  std::vector<Program> programs_;
  EmittedSet set_;
  std::optional<Built> built_;
  execute::Subject plain_;
  std::optional<predict::RecipeSubject> recipe_;
};

TEST_F(PredictRuns, ConfirmedRacesAreRealAndThoseOfTheMaximalModelAreThere) {
  const uint64_t first = from_environment("HEDDLE_ORACLE_SEED", kFirstSeed),
                 count = from_environment("HEDDLE_ORACLE_COUNT", kPrograms);
  make(first, count);
  size_t judged = 0, maximal = 0, all = 0, unconfirmed = 0, questions = 0, different = 0;
  for (size_t place = 0; place < programs_.size() && different < 3; ++place) {
    const Races truth = find_races(programs_[place], MemoryModel::kSc, {.states = 20'000});
    if (!truth.within_limits) continue;
    ++judged;
    const Answer mcm = predict(place, predict::Model::kMcm, first + place),
                 recipe = predict(place, predict::Model::kRecipe, first + place);
    maximal += mcm.confirmed.size();
    all += recipe.confirmed.size();
    unconfirmed += recipe.unconfirmed + mcm.unconfirmed;
    questions += recipe.value_questions;
    const bool are_real =
        std::includes(truth.racing.begin(), truth.racing.end(), recipe.confirmed.begin(), recipe.confirmed.end());
    const bool are_there =
        std::includes(recipe.confirmed.begin(), recipe.confirmed.end(), mcm.confirmed.begin(), mcm.confirmed.end());
    different += !are_real || !are_there;
    EXPECT_TRUE(are_real) << "confirmed" << to_text(recipe.confirmed) << "\nbrute force" << to_text(truth.racing)
                          << "\n"
                          << recipe.text << to_text(programs_[place]);
    EXPECT_TRUE(are_there) << "mcm" << to_text(mcm.confirmed) << "\nrecipe" << to_text(recipe.confirmed) << "\n"
                           << recipe.text << to_text(programs_[place]);
    EXPECT_EQ(recipe.lost_threads, 0u) << recipe.text << to_text(programs_[place]);
  }
  std::cout << "seed " << first << ": " << judged << " of " << count << " programs, " << all << " races, " << maximal
            << " in the maximal model, " << unconfirmed << " not confirmed, " << questions
            << " questions about values\n";
  EXPECT_GT(judged * 20, count * 19) << "brute force gives up too often to judge anything";
  EXPECT_GT(all, maximal) << "values made no difference";
  EXPECT_GT(maximal * 2, count) << "there is little to find";
}

}  // namespace
}  // namespace heddle::oracle
