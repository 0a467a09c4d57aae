// SPDX-License-Identifier: Apache-2.0
//
// native_controlled PROGRAM: performs sequences (sequences/main.c) under Heddle.
//
// Each line of standard input is the arguments of one run. A line of output says how
// it ended, and what the program reported meanwhile; "misuse" stands where Heddle
// reported one:
//
//   exit 0: 72057594037927936 misuse 144115188075855872
//   null-dereference 11 null dereference: 72057594037927936
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "schedule/result.h"

namespace {

using namespace heddle;

constexpr uint64_t kMostEvents = 200'000;  // a sequence that loops for ever ends as "livelock" or here

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == ':') c = ' ';
  return text;
}

void perform(execute::Subject& subject, const std::string& line) {
  std::istringstream words(line);
  subject.arguments.clear();
  for (std::string word; words >> word;) subject.arguments.push_back(word);
  execute::ExecutorOptions options;
  options.takes_input = false;
  auto executor = execute::Executor::start(subject, options);
  execute::RunRequest request;
  request.event_limit = kMostEvents;
  auto run = executor ? (*executor)->run(request) : base::Result<execute::Run>(executor.error());
  if (!run) {
    std::cout << "error 0 " << one_line(run.error().message) << ":\n";
    return;
  }
  std::cout << schedule::outcome_kind(run->ending) << ' ' << run->ending.detail << ' ' << one_line(run->ending.message)
            << ':';
  for (const HeddleRecord& record : run->records) {
    if (record.kind == HEDDLE_OBSERVE) std::cout << ' ' << static_cast<int64_t>(record.value);
    if (record.kind == HEDDLE_FAIL && record.value == HEDDLE_FAILURE_MISUSE) std::cout << " misuse";
  }
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "native_controlled PROGRAM\n"), 2;
  auto program = build::intake({argv[1]}, {});
  if (!program) return std::fprintf(stderr, "%s\n", program.error().message.c_str()), 3;
  auto target = build::make_target(std::move(*program), {});
  if (!target) return std::fprintf(stderr, "%s\n", target.error().message.c_str()), 3;
  execute::Subject subject = execute::subject_of(*target);
  for (std::string line; std::getline(std::cin, line);) {
    perform(subject, line);
    std::cout.flush();
  }
  return 0;
}
