// SPDX-License-Identifier: Apache-2.0
//
// native_machines: performs sequences (sequences/main.c) on the state machines of src/semantics.
//
// Reads and writes what native_controlled does, but nothing is run: each call becomes
// operations on the machine of its object, and a thread whose operation waits is tried
// again after every change, in the order of creation. So the machines can be compared
// with the C library without the runtime. Calls that are no matter of the machines
// (invalid arguments, memory) are not understood.
#include <array>
#include <cerrno>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "semantics/barrier.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/queue.h"
#include "semantics/rwlock.h"
#include "semantics/semaphore.h"

namespace {

using namespace heddle;
using namespace heddle::semantics;
using Barrier = BarrierState<ThreadMask>;
using Queue = QueueState<ThreadMask>;
using Rwlock = RwlockState<ThreadMask>;

struct NotUnderstood {};

struct Object {
  uint64_t type = 0;
  std::variant<std::monostate, MutexState, Rwlock, Queue, Barrier, SemaphoreState, OnceState> state;
  std::vector<uint32_t> waiters = {};  // of a queue, who came first is first
};

template <typename State>
State& state_of(Object& object) {
  if (std::holds_alternative<std::monostate>(object.state)) object.state = State{};
  State* state = std::get_if<State>(&object.state);
  if (!state) throw NotUnderstood();
  return *state;
}

// What a call comes to; of one that waits nothing yet.
struct Result {
  int value = 0;
  int error = 0;
};
using Attempt = std::optional<Result>;

enum class Deadline { kNone, kPassed, kFar };

struct Thread {
  bool is_busy = false;
  Deadline deadline = Deadline::kNone;
  std::function<Attempt()> go_on;  // tries the operation that waits
};

struct Step {
  uint32_t thread = 0;
  std::string call;
  std::vector<size_t> objects;
  long number = 0;
  Deadline deadline = Deadline::kNone;
};

Step read_step(const std::string& text) {
  static const std::map<std::string, Deadline> kDeadlines = {
      {"near", Deadline::kPassed}, {"past", Deadline::kPassed},        {"zero", Deadline::kPassed},
      {"far", Deadline::kFar},     {"before_1970", Deadline::kPassed},
  };
  std::istringstream words(text);
  std::string word;
  Step step;
  std::getline(words, word, ':');
  step.thread = static_cast<uint32_t>(word[0] - '1');
  std::getline(words, step.call, ':');
  while (std::getline(words, word, ':')) {
    if (word.size() == 1 && std::isdigit(static_cast<unsigned char>(word[0]))) {
      step.objects.push_back(static_cast<size_t>(word[0] - '0'));
    } else if (word[0] == '#') {
      step.number = std::stol(word.substr(1));
    } else if (word != "realtime" && word != "monotonic") {
      const auto known = kDeadlines.find(word);
      if (known == kDeadlines.end()) throw NotUnderstood();
      step.deadline = known->second;
    }
  }
  return step;
}

// The machines, and the threads of one sequence.
class Run {
 public:
  explicit Run(const std::string& line);
  void report(std::ostream& out);

 private:
  ObjectOperation operation(const Step& step, HeddleEffect effect, HeddleForm form) {
    return {effect, form, step.thread, objects_.at(step.objects.at(0)).type, 0};
  }
  template <typename State>
  uint8_t happen(State& state, const ObjectOperation& operation, Outcome outcome, bool timed_out = false);
  template <typename State>
  uint8_t happen(State& state, const ObjectOperation& operation) {
    return happen(state, operation, can_happen(state, operation));
  }
  Attempt perform(const Step& step);
  Attempt mutex(const Step& step, const std::string& what);
  Attempt rwlock(const Step& step, const std::string& what);
  Attempt barrier(const Step& step, const std::string& what);
  Attempt condition(const Step& step, const std::string& what);
  Attempt semaphore(const Step& step, const std::string& what);
  Attempt once(const Step& step, const std::string& what);
  Attempt condition_wait(const Step& step);
  template <typename State>
  Attempt take(State& state, const Step& step, HeddleEffect effect, HeddleForm form,
               const std::function<Result(uint8_t)>& result);
  Attempt retake(const Step& step, Result result);
  void observe(int what, uint32_t thread, Result result = {}) {
    reports_ << ' '
             << static_cast<int64_t>(uint64_t(what) << 56 | uint64_t(thread) << 48 | uint64_t(result.error) << 32 |
                                     static_cast<uint32_t>(result.value));
  }

  std::array<Object, 4> objects_;
  std::array<Thread, 3> threads_;
  std::ostringstream reports_;
};

enum { kStepBegins = 1, kReturned, kBlocked, kSkipped };

template <typename State>
uint8_t Run::happen(State& state, const ObjectOperation& operation, Outcome outcome, bool timed_out) {
  auto flags = static_cast<uint8_t>(timed_out ? HEDDLE_FLAG_TIMEOUT : outcome.flags);
  if constexpr (!std::is_same_v<State, OnceState>)
    if (timed_out && state.is_destroyed) flags |= HEDDLE_FLAG_MISUSE;
  semantics::perform(state, operation, flags);
  if (flags & HEDDLE_FLAG_MISUSE) reports_ << " misuse";
  return flags;
}

// An operation that may wait. `result` says what the call returns for the flags.
template <typename State>
Attempt Run::take(State& state, const Step& step, HeddleEffect effect, HeddleForm form,
                  const std::function<Result(uint8_t)>& result) {
  const ObjectOperation wanted = operation(step, effect, form);
  const auto attempt = [this, &state, wanted, result]() -> Attempt {
    const Outcome outcome = can_happen(state, wanted);
    if (outcome.waits) return std::nullopt;
    return result(happen(state, wanted, outcome));
  };
  if (Attempt done = attempt()) return done;
  if constexpr (std::is_same_v<State, Rwlock>)
    if (effect == HEDDLE_EFFECT_ACQUIRE &&
        static_cast<RwlockType>(wanted.type) == RwlockType::kPreferWriterNonrecursive)
      happen(state, operation(step, HEDDLE_EFFECT_LINE_UP, HEDDLE_FORM_PROMPT));
  if (step.deadline == Deadline::kPassed) return result(happen(state, wanted, {}, true));
  threads_[step.thread].go_on = attempt;
  return std::nullopt;
}

HeddleForm form_of_call(const std::string& what, const Step& step) {
  if (what.starts_with("try")) return HEDDLE_FORM_ATTEMPT;
  return step.deadline == Deadline::kNone ? HEDDLE_FORM_BLOCKING : HEDDLE_FORM_TIMED;
}

Attempt Run::mutex(const Step& step, const std::string& what) {
  Object& object = objects_.at(step.objects.at(0));
  const bool is_new = std::holds_alternative<std::monostate>(object.state);
  MutexState& state = state_of<MutexState>(object);
  if (is_new && step.call.starts_with("spin")) {
    constexpr uint32_t kNobody = 100;
    object.type = static_cast<uint64_t>(MutexType::kSpin);
    if (what != "init") state.owner = kNobody;  // zero is a spin lock that is held
  }
  const auto prompt = [&](HeddleEffect effect, int failure) -> Attempt {
    const bool was_destroyed = state.is_destroyed;
    const uint8_t flags = happen(state, operation(step, effect, HEDDLE_FORM_PROMPT));
    return Result{flags & HEDDLE_FLAG_FAILED ? was_destroyed ? EINVAL : failure : 0};
  };
  if (what.starts_with("init")) {
    const bool is_spin = step.call.starts_with("spin");
    object.type = is_spin ? static_cast<uint64_t>(MutexType::kSpin) : static_cast<uint64_t>(step.number);
    return prompt(HEDDLE_EFFECT_INIT, 0);
  }
  if (what == "destroy") return prompt(HEDDLE_EFFECT_DESTROY, EBUSY);
  if (what == "unlock") return prompt(HEDDLE_EFFECT_RELEASE, EPERM);
  const HeddleForm form = form_of_call(what, step);
  return take(state, step, HEDDLE_EFFECT_ACQUIRE, form, [&state, form](uint8_t flags) -> Result {
    if (flags & HEDDLE_FLAG_TIMEOUT) return {ETIMEDOUT};
    if (!(flags & HEDDLE_FLAG_FAILED)) return {0};
    if (state.is_destroyed && !(form == HEDDLE_FORM_ATTEMPT && state.owner)) return {EINVAL};
    return {form == HEDDLE_FORM_ATTEMPT ? EBUSY : EDEADLK};
  });
}

Attempt Run::rwlock(const Step& step, const std::string& what) {
  Object& object = objects_.at(step.objects.at(0));
  Rwlock& state = state_of<Rwlock>(object);
  if (what.starts_with("init")) object.type = static_cast<uint64_t>(step.number);
  const HeddleEffect prompt = what.starts_with("init") ? HEDDLE_EFFECT_INIT
                              : what == "destroy"      ? HEDDLE_EFFECT_DESTROY
                              : what == "unlock"       ? HEDDLE_EFFECT_RELEASE
                                                       : HEDDLE_EFFECT_NONE;
  if (prompt) {
    happen(state, operation(step, prompt, HEDDLE_FORM_PROMPT));
    return Result{};
  }
  const HeddleForm form = form_of_call(what, step);
  const bool writes = what.find("wr") != std::string::npos;
  const uint32_t me = step.thread + 1;
  return take(state, step, writes ? HEDDLE_EFFECT_ACQUIRE : HEDDLE_EFFECT_SHARE, form,
              [&state, form, me, writes](uint8_t flags) -> Result {
                if (flags & HEDDLE_FLAG_TIMEOUT) return {ETIMEDOUT};
                if (!(flags & HEDDLE_FLAG_FAILED)) return {0};
                if (!writes && !state.owner && state.readers + 1 > INT32_MAX) return {EAGAIN};
                if (form == HEDDLE_FORM_ATTEMPT) return {EBUSY};
                return {state.owner == me ? EDEADLK : EAGAIN};
              });
}

Attempt Run::barrier(const Step& step, const std::string& what) {
  Object& object = objects_.at(step.objects.at(0));
  Barrier& state = state_of<Barrier>(object);
  if (what == "init") {
    if (step.number <= 0) return Result{EINVAL};
    ObjectOperation init = operation(step, HEDDLE_EFFECT_INIT, HEDDLE_FORM_PROMPT);
    init.amount = static_cast<uint64_t>(step.number);
    happen(state, init);
    return Result{};
  }
  if (!state.limit) throw NotUnderstood();  // the C library divides by it
  if (what == "destroy")
    return take(state, step, HEDDLE_EFFECT_DESTROY, HEDDLE_FORM_BLOCKING, [](uint8_t) { return Result{}; });
  happen(state, operation(step, HEDDLE_EFFECT_ARRIVE, HEDDLE_FORM_PROMPT));
  return take(state, step, HEDDLE_EFFECT_DEPART, HEDDLE_FORM_BLOCKING,
              [](uint8_t flags) { return Result{flags & HEDDLE_FLAG_SERIAL ? -1 : 0}; });
}

// The second half of a wait: the thread left the queue, and takes the mutex back.
Attempt Run::retake(const Step& step, Result result) {
  Object& mutex = objects_.at(step.objects.at(1));
  MutexState& state = state_of<MutexState>(mutex);
  const ObjectOperation resume = {HEDDLE_EFFECT_RESUME, HEDDLE_FORM_BLOCKING, step.thread, mutex.type, 0};
  const auto attempt = [this, &state, resume, result]() -> Attempt {
    const Outcome outcome = can_happen(state, resume);
    if (outcome.waits) return std::nullopt;
    const bool was_destroyed = state.is_destroyed;
    const uint8_t flags = happen(state, resume, outcome);
    return flags & HEDDLE_FLAG_FAILED ? Result{was_destroyed ? EINVAL : EDEADLK} : result;
  };
  if (Attempt done = attempt()) return done;
  threads_[step.thread].go_on = attempt;
  return std::nullopt;
}

Attempt Run::condition_wait(const Step& step) {
  Object& object = objects_.at(step.objects.at(0));
  Object& mutex = objects_.at(step.objects.at(1));
  Queue& queue = state_of<Queue>(object);
  MutexState& state = state_of<MutexState>(mutex);
  const ObjectOperation release = {HEDDLE_EFFECT_WAIT, HEDDLE_FORM_PROMPT, step.thread, mutex.type, 0};
  const bool was_destroyed = state.is_destroyed;
  if (happen(state, release) & HEDDLE_FLAG_FAILED) return Result{was_destroyed ? EINVAL : EPERM};
  happen(queue, operation(step, HEDDLE_EFFECT_WAIT, HEDDLE_FORM_PROMPT));
  if (step.deadline == Deadline::kPassed) {
    happen(queue, operation(step, HEDDLE_EFFECT_LEAVE, HEDDLE_FORM_PROMPT), {}, true);
    return retake(step, {ETIMEDOUT});
  }
  object.waiters.push_back(step.thread);
  const ObjectOperation resume = operation(step, HEDDLE_EFFECT_RESUME, HEDDLE_FORM_BLOCKING);
  threads_[step.thread].go_on = [this, &queue, resume, step]() -> Attempt {
    if (can_happen(queue, resume).waits) return std::nullopt;
    happen(queue, resume);
    return retake(step, {});
  };
  return std::nullopt;
}

Attempt Run::condition(const Step& step, const std::string& what) {
  if (what.find("wait") != std::string::npos) return condition_wait(step);
  Object& object = objects_.at(step.objects.at(0));
  Queue& queue = state_of<Queue>(object);
  if (what == "destroy")
    return take(queue, step, HEDDLE_EFFECT_DESTROY, HEDDLE_FORM_BLOCKING, [](uint8_t) { return Result{}; });
  if (what.starts_with("init")) {
    object.waiters.clear();
    happen(queue, operation(step, HEDDLE_EFFECT_INIT, HEDDLE_FORM_PROMPT));
  } else if (what == "signal") {
    const Outcome outcome = can_happen(queue, operation(step, HEDDLE_EFFECT_WAKE, HEDDLE_FORM_PROMPT));
    if (outcome.flags & HEDDLE_FLAG_MISUSE) reports_ << " misuse";
    if (!object.waiters.empty()) {
      wake(queue, object.waiters.front());
      object.waiters.erase(object.waiters.begin());
    }
  } else {
    happen(queue, operation(step, HEDDLE_EFFECT_WAKE, HEDDLE_FORM_PROMPT));
    object.waiters.clear();
  }
  return Result{};
}

Attempt Run::semaphore(const Step& step, const std::string& what) {
  SemaphoreState& state = state_of<SemaphoreState>(objects_.at(step.objects.at(0)));
  const auto prompt = [&](HeddleEffect effect, int value, int error) -> Attempt {
    ObjectOperation wanted = operation(step, effect, HEDDLE_FORM_PROMPT);
    wanted.amount = static_cast<uint64_t>(step.number);
    return happen(state, wanted) & HEDDLE_FLAG_FAILED ? Result{-1, error} : Result{value};
  };
  if (what.starts_with("init")) return prompt(HEDDLE_EFFECT_INIT, 0, 0);
  if (what == "destroy") return prompt(HEDDLE_EFFECT_DESTROY, 0, 0);
  if (what == "post") return prompt(HEDDLE_EFFECT_POST, 0, EOVERFLOW);
  if (what == "getvalue") return prompt(HEDDLE_EFFECT_INSPECT, static_cast<int>(state.tokens), 0);
  return take(state, step, HEDDLE_EFFECT_TAKE, form_of_call(what, step), [](uint8_t flags) -> Result {
    if (flags & HEDDLE_FLAG_TIMEOUT) return {-1, ETIMEDOUT};
    return flags & HEDDLE_FLAG_FAILED ? Result{-1, EAGAIN} : Result{};
  });
}

Attempt Run::once(const Step& step, const std::string& what) {
  if (!what.empty()) throw NotUnderstood();  // routines that wait
  OnceState& state = state_of<OnceState>(objects_.at(step.objects.at(0)));
  const bool is_first = runs_it(state);
  happen(state, operation(step, HEDDLE_EFFECT_ENTER, HEDDLE_FORM_BLOCKING));
  if (is_first) happen(state, operation(step, HEDDLE_EFFECT_FINISH, HEDDLE_FORM_PROMPT));
  return Result{is_first};
}

Attempt Run::perform(const Step& step) {
  const size_t split = step.call.find('_');
  const std::string family = step.call.substr(0, split);
  const std::string what = split == std::string::npos ? "" : step.call.substr(split + 1);
  if (family == "mutex" || family == "spin") return mutex(step, what);
  if (family == "rwlock") return rwlock(step, what);
  if (family == "barrier") return barrier(step, what);
  if (family == "cond") return condition(step, what);
  if (family == "sem") return semaphore(step, what);
  if (family == "once") return once(step, what);
  throw NotUnderstood();
}

Object content(const std::string& name) {
  static const std::map<std::string, uint64_t> kTypes = {
      {"mutex_recursive", 1}, {"mutex_errorcheck", 2}, {"mutex_adaptive", 3}, {"rwlock_writer", 2}};
  const auto known = kTypes.find(name);
  return {known == kTypes.end() ? 0 : known->second, {}};
}

Run::Run(const std::string& line) {
  std::istringstream words(line);
  std::string order, word;
  words >> order;
  int number = 0;
  while (words >> word) {
    if (word[1] == '=') {
      objects_.at(static_cast<size_t>(word[0] - '0')) = content(word.substr(word.find(':') + 1));
      continue;
    }
    const Step step = read_step(word);
    Thread& thread = threads_.at(step.thread);
    bool is_determined = true;
    for (const Thread& other : threads_)
      if (other.is_busy && step.deadline == Deadline::kPassed)
        is_determined &= other.deadline == Deadline::kNone && step.objects.size() == 1;
    if (thread.is_busy || !is_determined) {
      observe(kSkipped, step.thread, {number++});
      continue;
    }
    observe(kStepBegins, step.thread, {number++});
    thread.is_busy = true;
    thread.deadline = step.deadline;
    std::array<Attempt, 3> done;
    done[step.thread] = perform(step);
    if (done[step.thread]) thread.go_on = nullptr;
    for (bool changed = true; changed;) {
      changed = false;
      for (const char name : order) {
        const auto other = static_cast<size_t>(name - '1');
        if (done[other] || !threads_[other].go_on) continue;
        const auto attempt = threads_[other].go_on;
        done[other] = attempt();
        if (!done[other]) continue;
        threads_[other].go_on = nullptr;
        changed = true;
      }
    }
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      if (done[i]) {
        observe(kReturned, i, *done[i]);
        threads_[i].is_busy = false;
      } else if (i == step.thread) {
        observe(kBlocked, i);
      }
    }
  }
}

void Run::report(std::ostream& out) { out << "exit 0 :" << reports_.str() << std::endl; }

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      Run(line).report(std::cout);
    } catch (const NotUnderstood&) {
      std::cout << "not-understood 0 :" << std::endl;
    }
  }
}
