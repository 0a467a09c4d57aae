// SPDX-License-Identifier: Apache-2.0
//
// heddle demo: the four questions, asked about the examples that come with Heddle, with
// real output, in less than a minute. Each command is shown before it is run, and must
// come to the answer it is here for. Results are kept as always (./.heddle/runs).
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <functional>

#include "base/process.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "report/run_directory.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostRecordings = 200;

// Beside the sources, or where `make install` puts them.
base::Result<std::string> find_examples() {
  const fs::path prefix = fs::path(base::own_path()).parent_path().parent_path();
  for (const fs::path& place : {prefix.parent_path() / "examples", prefix / "share/doc/heddle/examples"}) {
    if (!fs::exists(place / "01_lost_update")) continue;
    const std::string near = fs::proximate(place).string();
    return near.starts_with("..") ? place.string() : near;
  }
  return base::Error{"the examples are not beside heddle",
                     "they are in examples/ of the sources, and in share/doc/heddle/examples of an installed Heddle"};
}

class Demo {
 public:
  explicit Demo(std::string examples) : examples_(std::move(examples)), self_(base::own_path()) {}

  int run() {
    explain(
        "1. Two threads do counter++ without a lock; then main asserts counter == 2.\n   Run as usual, the program "
        "passes:");
    show(0, {"trace", "run", example("01_lost_update/lost_update.c")});
    explain(
        "   Is there an order that fails? heddle check explores every causally different one.\n"
        "   Both threads read 0 before either writes 1, so one of the two updates is lost:");
    show(1, {"check", example("01_lost_update/lost_update.c")});
    explain("   That order was kept. Following it, the program fails every time:");
    show(0, {"replay"});
    explain("   A program that is right as long as stores reach memory at once ...");
    show(0, {"check", example("02_store_buffering/store_buffering.c")});
    explain("   ... and fails on processors with store buffers:");
    show(1, {"check", "--memory=tso", example("02_store_buffering/store_buffering.c")});
    const auto checked = report::latest_run();
    explain("2. What does one run that passes imply? Which other orders of it would not?");
    show(1, {"predict", example("04_lock_order/lock_order.c"), "--find=deadlocks"});
    explain(
        "3. A program crashed in production. How did that happen? It runs at nearly full speed\n"
        "   until it fails, and only the way of each thread is kept ...");
    record();
    explain("   ... from which an order that fails in the same place is found, and run:");
    show(0, {"reproduce"});
    explain("4. One bit is inverted in a run with threads in parallel. Where does the error go?");
    show(0, {"inject", example("03_bit_flip/bit_flip.c"), "--function=square", "--instruction=mul",
             "--experiment=bitflip:1"});
    show(0, {"propagate", example("03_bit_flip/bit_flip.c"), "--faults=bitflip,dropstore"});
    if (problem_.empty() && checked) {
      explain("The last check of 1. as a page, to be opened in a browser:");
      show(0, {"report", *checked, "--format=html"});
    }
    if (problem_.empty()) return kNothingFound;
    tell("heddle: demo: {}\n", problem_);
    return kFinding;
  }

 private:
  std::string example(const char* name) const { return examples_ + "/" + name; }

  void explain(const char* text) {
    if (problem_.empty()) say("{}\n\n", text);
  }

  // A command and what it prints. Its exit code must be `wanted`.
  void show(int wanted, const std::vector<std::string>& arguments) {
    if (!problem_.empty()) return;
    say("$ heddle {}\n", fmt::join(arguments, " "));
    const int code = call(arguments);
    say("\n");
    if (problem_.empty() && code != wanted)
      problem_ = fmt::format("heddle {} came to exit code {} instead of {}", fmt::join(arguments, " "), code, wanted);
  }

  int call(const std::vector<std::string>& arguments) {
    flush_answer();
    std::vector<std::string> command = {self_};
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto done = base::run_process(command);
    if (!done) problem_ = done.error().message;
    return done ? done->exit_code : kInternal;
  }

  // Until a run fails, which it mostly does at once.
  void record() {
    const std::string program = report::runs_directory() + "/../served";
    std::error_code ignored;
    fs::create_directories(report::runs_directory(), ignored);
    const std::string name = fs::path(program).lexically_normal().string();
    show(0, {"cc", "-g", "-O2", "-pthread", example("08_early_free/early_free_served.c"), "-o", name});
    if (problem_.empty()) say("$ while heddle record {}; do :; done\n", name);
    int code = 0;
    for (int i = 0; problem_.empty() && code == 0 && i < kMostRecordings; ++i) code = call({"record", name});
    say("\n");
    constexpr int kCrashed = 128 + 11;
    if (problem_.empty() && code != kCrashed)
      problem_ = fmt::format("heddle record {} came to exit code {} instead of {}", name, code, kCrashed);
  }

  const std::string examples_, self_;
  std::string problem_;
};

int run_demo() {
  auto examples = find_examples();
  if (!examples) return report(examples.error());
  return Demo(*examples).run();
}

}  // namespace

void add_demo_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("demo", "show what Heddle does, on the examples that come with it; takes less than a minute");
  set_help(*command,
           {{{"heddle demo", ""}}, "", "0 it did what it promises, 1 it did not, 3 the examples are missing"});
  command->callback([&action] { action = run_demo; });
}

}  // namespace heddle::cli
