// SPDX-License-Identifier: Apache-2.0
//
// wordcount [LINES] [THREADS]: makes LINES lines of six words from a fixed
// seed, counts them with THREADS threads and prints the totals.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "config.h"
#include "wordcount/counter.h"
#include "wordcount/format.h"
#include "wordcount/queue.h"
#include "wordcount/splitter.h"

static std::string make_line(std::uint32_t& state) {
  static const char* const kWords[] = {"heddle", "loom", "shuttle", "heddle", "warp", "weft", "reed", "treadle"};
  std::string line;
  for (int i = 0; i < 6; i++) {
    state = state * 1664525u + 1013904223u;
    line += kWords[state >> 29];
    line += ' ';
  }
  return line;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--version") {
    std::cout << "wordcount " << WORDCOUNT_VERSION << " " << WORDCOUNT_POINTER_SIZE * 8 << " bit\n";
    return 0;
  }
  int lines = argc > 1 ? std::atoi(argv[1]) : 200;
  int threads = argc > 2 ? std::atoi(argv[2]) : 3;

  wordcount::Queue<std::string> queue;
  wordcount::Counter counter;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; i++) {
    workers.emplace_back([&] {
      while (auto line = queue.pop()) {
        wordcount::split(*line, [&](std::string_view word) { counter.add(word); });
      }
    });
  }
  std::uint32_t state = 1;
  for (int i = 0; i < lines; i++) queue.push(make_line(state));
  queue.close();
  for (auto& worker : workers) worker.join();

  std::cout << wordcount::format(counter.totals()) << std::endl;
  return wordcount::format_calls() == 1 ? 0 : 1;
}
