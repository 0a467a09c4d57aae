// SPDX-License-Identifier: Apache-2.0
//
// Checks inside test programs: a piece of code that must be right in every order of
// its threads.
//
//   TEST(Counter, Adds) {
//     HEDDLE_CHECK {
//       std::atomic<int> counter{0};
//       std::jthread one([&] { counter++; }), two([&] { counter++; });
//       one.join(), two.join();
//       heddle_assert(counter == 2);
//     };
//   }
//
// Compiled by `heddle c++`, the test program runs `heddle check` on itself when it
// comes to such a body: a second process that runs this body and nothing else, in
// every causally different order. If the verdict is not "holds", heddle::CheckFailed
// is thrown, whose text is the counterexample; any test framework shows it.
// Compiled otherwise, the body simply runs once.
//
// main must say which process it is, first of all (with GoogleTest use <heddle_gtest.hpp>,
// which has such a main):
//
//   int main(int argc, char** argv) {
//     if (heddle::runs_check(argc, argv)) return 0;
//
// HEDDLE_CHECK_WITH("--memory=tso", "--time-limit=60") { ... };   adds options of heddle check.
//
// The body is a lambda that captures nothing: it runs in another process, so it can
// use globals as they are when main begins, and nothing of the function around it.
// `heddle` is $HEDDLE if that is set, else the command that compiled the program.
#ifndef HEDDLE_HPP
#define HEDDLE_HPP

#include <heddle.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle {

// A check that did not come to "holds"; what() is what heddle check printed.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

inline constexpr std::string_view kSelect = "--heddle-check=";

struct Place {
  const char* file;
  int line;
  std::string name() const { return std::string(file) + ":" + std::to_string(line); }
};

// All bodies of the program; they enter themselves before main begins.
struct Body {
  Body(Place where, void (*function)()) : place(where), run(function), next(first) { first = this; }
  Place place;
  void (*run)();
  Body* next;
  static inline Body* first = nullptr;
};

template <class Where, class Function>
struct Entry {
  static void run() { Function{}(); }
  static inline Body body{Where{}(), &run};
};

// Set by <heddle_gtest.hpp>: a failing EXPECT_ or ASSERT_ is a failing assertion.
inline bool expectations_count = false;
extern "C" __attribute__((weak)) void heddle_google_test_is_linked() __asm__("_ZN7testing8UnitTest11GetInstanceEv");

// Under heddle check this is a finding, whose text says what to do.
[[noreturn]] inline void misused(const std::string& why) {
#ifdef __HEDDLE__
  __heddle_assert_failed(("HEDDLE_CHECK: " + why).c_str(), __FILE__, __LINE__, __func__);
#endif
  std::fprintf(stderr, "HEDDLE_CHECK: %s\n", why.c_str());
  std::abort();
}

inline std::string own_path() {
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return path;
}

inline std::string command() {
  if (const char* given = std::getenv("HEDDLE"); given && *given) return given;
#ifdef __HEDDLE_COMMAND__
  if (access(__HEDDLE_COMMAND__, X_OK) == 0) return __HEDDLE_COMMAND__;
#endif
  return "heddle";
}

struct Answer {
  int status;
  std::string text;
};

inline Answer run_command(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw CheckFailed("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw CheckFailed("cannot start a process");
  if (child == 0) {
    setenv("HEDDLE_CHECK_RUNS", "1", 1);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  Answer answer{0, ""};
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.text.append(buffer, static_cast<size_t>(size));
  close(ends[0]);
  waitpid(child, &answer.status, 0);
  return answer;
}

inline void check_in_other_process(const Place& place, const std::vector<std::string>& options) {
  if (std::getenv("HEDDLE_CHECK_RUNS"))
    misused("main does not begin with: if (heddle::runs_check(argc, argv)) return 0;");
  std::vector<std::string> words = {command(), "check"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {own_path(), "--", std::string(kSelect) + place.name()});
  const Answer answer = run_command(words);
  if (WIFEXITED(answer.status) && WEXITSTATUS(answer.status) == 0) return;
  std::string text = "HEDDLE_CHECK at " + place.name() + "\n" + answer.text;
  if (WIFEXITED(answer.status) && WEXITSTATUS(answer.status) == 127)
    text += words[0] + " cannot be run: put it into PATH, or its path into the environment as HEDDLE\n";
  throw CheckFailed(text);
}

// HEDDLE_CHECK { ... } is Check<...> = lambda.
template <class Where>
struct Check {
  std::vector<std::string> options;

  template <class Function>
  void operator=(Function function) const {
    static_assert(std::is_empty_v<Function> && std::is_default_constructible_v<Function>,
                  "the body of HEDDLE_CHECK captures nothing");
#ifdef __HEDDLE__
    (void)function;
    check_in_other_process(Entry<Where, Function>::body.place, options);
#else
    function();
#endif
  }
};

template <class Where>
Check<Where> make_check(Where, std::vector<std::string> options) {
  return {std::move(options)};
}

}  // namespace detail

// Whether this process runs a single body for heddle check; it has then been run.
inline bool runs_check(int argc, char** argv) {
  if (argc != 2 || !std::string_view(argv[1]).starts_with(detail::kSelect)) return false;
  const std::string wanted = argv[1] + detail::kSelect.size();
  detail::Body* found = nullptr;
  for (detail::Body* body = detail::Body::first; body; body = body->next) {
    if (body->place.name() != wanted) continue;
    if (found) detail::misused("several checks begin at " + wanted + ": is it in a template?");
    found = body;
  }
  if (!found) detail::misused("no check begins at " + wanted);
  if (&detail::heddle_google_test_is_linked && !detail::expectations_count)
    detail::misused(
        "with GoogleTest, include <heddle_gtest.hpp> and let main return heddle::run_all_tests(argc, argv)");
  found->run();
  return true;
}

}  // namespace heddle

#define HEDDLE_CHECK_WITH(...) \
  ::heddle::detail::make_check([] { return ::heddle::detail::Place{__FILE__, __LINE__}; }, {__VA_ARGS__}) = []() -> void
#define HEDDLE_CHECK HEDDLE_CHECK_WITH()

#endif
