// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/external_functions.h"

#include <llvm/ADT/StringMap.h>

namespace heddle::program {
namespace {

// A function's entry is words:
//   r0 w1        reads, writes what argument 0, 1 points to; r* w*: every argument
//   r0:40        40 bytes of it
//   files keys signals heap threads    has hidden state of that kind
//   fresh arg0 library errno key exception    what a returned pointer points to
//   ends perhaps          does not return; may not return
//   throws cancels last   may throw; a cancelled thread ends here; later callbacks run
//   jumps                 goes back to where setjmp was called
//   copy moves into1      copies argument 1 to 0; argument 0 to the new block; stores argument 0 through 1
//   fresh0 keeps result1  gives a block through argument 0; keeps argument 1; gives a thread's result through 1
//   call2:3 later2:3 thread2:3    calls argument 2 with argument 3, at once, later, in a new thread
struct Entry {
  const char* names;  // separated by spaces; a star at the end stands for any rest
  const char* words;
};
const Entry kEntries[] = {
    {"malloc calloc valloc aligned_alloc memalign _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t "
     "_ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t _ZnamSt11align_val_tRKSt9nothrow_t",
     "fresh heap"},
    {"mmap mmap64", "fresh heap r*"},
    {"posix_memalign", "fresh0 w0:8 heap"},
    {"realloc", "fresh moves r0 heap"},
    {"free cfree _ZdlPv* _ZdaPv* munmap", "heap"},
    {"memcpy memmove mempcpy", "copy arg0 r1 w0"},
    {"memset", "w0 arg0"},

    {"pthread_mutex_init", "r1:4 w0:40"},
    {"pthread_mutex_destroy", "w0:40"},
    {"pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_consistent", "r0:40"},
    {"pthread_mutex_timedlock", "r0:40 r1:16"},
    {"pthread_mutex_clocklock", "r0:40 r2:16"},
    {"pthread_rwlock_init", "r1:8 w0:56"},
    {"pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock", "r0:56 r1:16"},
    {"pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_wrlock pthread_rwlock_trywrlock "
     "pthread_rwlock_unlock "
     "pthread_rwlock_destroy",
     "r0:56"},
    {"pthread_cond_init", "r1:4 w0:48"},
    {"pthread_cond_wait", "r0:48 r1:40 cancels"},
    {"pthread_cond_timedwait", "r0:48 r1:40 r2:16 cancels"},
    {"pthread_cond_clockwait", "r0:48 r1:40 r3:16 cancels"},
    {"pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy", "r0:48"},
    {"pthread_barrier_init", "r1:4 w0:32"},
    {"pthread_barrier_wait pthread_barrier_destroy", "r0:32"},
    {"pthread_spin_init", "w0:4"},
    {"pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_spin_destroy", "r0:4"},
    {"sem_init", "w0:32"},
    {"sem_wait", "r0:32 cancels"},
    {"sem_timedwait", "r0:32 r1:16 cancels"},
    {"sem_trywait sem_post sem_destroy", "r0:32"},
    {"sem_getvalue", "r0:32 w1:4"},
    {"mtx_init", "w0:40"},
    {"mtx_lock mtx_trylock mtx_unlock mtx_destroy", "r0:40"},
    {"mtx_timedlock", "r0:40 r1:16"},
    {"cnd_init", "w0:48"},
    {"cnd_wait", "r0:48 r1:40 cancels"},
    {"cnd_timedwait", "r0:48 r1:40 r2:16 cancels"},
    {"cnd_signal cnd_broadcast cnd_destroy", "r0:48"},
    {"pthread_attr_* pthread_mutexattr_* pthread_condattr_* pthread_rwlockattr_* pthread_barrierattr_*", "r* w*"},

    {"pthread_create", "thread2:3 r1 w0:8 threads"},
    {"thrd_create", "thread1:2 w0:8 threads"},
    {"pthread_join", "w1:8 result1 cancels"},
    {"thrd_join", "w1:4"},
    {"pthread_detach thrd_detach pthread_self thrd_current pthread_equal thrd_equal pthread_setname_np", ""},
    {"pthread_exit thrd_exit", "ends throws last"},
    {"pthread_cancel", "signals"},
    {"pthread_testcancel", "cancels"},
    {"pthread_setcancelstate pthread_setcanceltype", "signals w1:4"},
    {"pthread_once call_once", "call1 r0:4 w0:4"},
    {"pthread_key_create tss_create", "keys later1:-1 w0:4"},
    {"pthread_setspecific tss_set", "keys keeps"},
    {"pthread_getspecific tss_get", "keys key"},
    {"pthread_key_delete tss_delete", "keys"},
    {"sched_yield thrd_yield", ""},
    {"nanosleep", "r0:16 w1:16 cancels"},
    {"thrd_sleep", "r0:16 w1:16"},
    {"clock_nanosleep", "r2:16 w3:16 cancels"},
    {"sleep usleep", "cancels"},
    {"clock_gettime", "w1:16"},
    {"gettimeofday", "w0:16"},
    {"time", "w0:8"},
    {"clock", ""},

    {"exit _exit _Exit quick_exit abort __assert_fail __assert reach_error __heddle_assert_failed", "ends last"},
    {"_ZSt9terminatev __clang_call_terminate __cxa_pure_virtual __stack_chk_fail __chk_fail", "ends last"},
    {"__heddle_assume __VERIFIER_assume", "perhaps"},
    {"__heddle_observe __heddle_nondet_int __VERIFIER_atomic_begin __VERIFIER_atomic_end __VERIFIER_nondet_*", ""},
    {"atexit at_quick_exit", "later0:-1"},
    {"__cxa_atexit __cxa_thread_atexit __cxa_thread_atexit_impl", "later0:1"},
    {"signal", "later1:-1 signals"},
    {"raise kill pthread_kill", "signals last perhaps"},
    {"sigemptyset sigfillset sigaddset sigdelset sigismember", "r0 w0"},
    {"pthread_sigmask sigprocmask", "r1 w2 signals"},
    {"__cxa_guard_acquire", "r0:8 perhaps throws"},
    {"__cxa_guard_release __cxa_guard_abort", "w0:8"},

    {"setjmp _setjmp __sigsetjmp", "w0"},
    {"longjmp _longjmp siglongjmp __longjmp_chk", "ends jumps r0"},

    {"__cxa_allocate_exception", "fresh heap"},
    {"__cxa_free_exception", ""},
    {"__cxa_throw", "ends throws later2:0"},
    {"__cxa_rethrow _Unwind_Resume", "ends throws"},
    {"__cxa_begin_catch __cxa_get_exception_ptr", "exception"},
    {"__cxa_end_catch", "last"},
    {"_ZSt24__throw_* _ZSt21__throw_* _ZSt20__throw_* _ZSt19__throw_* _ZSt22__throw_* _ZSt23__throw_* _ZSt25__throw_* "
     "_ZSt16__throw_bad_castv _ZSt17__throw_bad_allocv _ZSt28__throw_bad_array_new_lengthv __cxa_bad_cast "
     "__cxa_bad_typeid __cxa_throw_bad_array_new_length",
     "ends throws r*"},

    {"printf puts putchar perror", "r* files"},
    {"fprintf dprintf fputs fputc putc fwrite fflush ungetc", "r* files"},
    {"snprintf sprintf", "r* w0 files"},
    {"fopen fdopen tmpfile", "r* files library"},
    {"fclose fseek ftell rewind feof ferror clearerr fileno flockfile funlockfile remove rename close lseek unlink "
     "mkdir "
     "rmdir access dup dup2 fsync ftruncate isatty socket listen shutdown eventfd open system fgetc getc getchar",
     "r* files"},
    {"fread fgets", "w0 files"},
    {"read recv pread __read_chk", "w1 files cancels"},
    {"write send pwrite", "r1 files cancels"},
    {"pipe pipe2", "w0:8 files"},
    {"poll", "r0 w0 files cancels"},
    {"srand rand random srandom setenv unsetenv", "r* files"},
    {"getenv secure_getenv strerror", "r0 files library"},
    {"atoi atol atoll atof", "r0"},
    {"strtol strtoul strtoll strtoull strtod strtof __isoc23_strtol __isoc23_strtoul", "r0 into1 w1:8"},
    {"strlen strnlen strcmp strncmp memcmp strcasecmp strncasecmp", "r0 r1"},

    {"__errno_location", "errno"},
    {"__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc", "library"},
    {"isalpha isdigit isspace isalnum isupper islower isprint ispunct isxdigit tolower toupper abs labs llabs sqrt "
     "sqrtf "
     "sin cos tan asin acos atan atan2 exp exp2 log log2 log10 pow powf expf logf sinf cosf fabs fabsf floor floorf "
     "ceil "
     "ceilf round roundf lround trunc fmod fmodf fmax fmin hypot cbrt erf erfc ldexp sysconf getpagesize get_nprocs "
     "getpid "
     "getppid gettid sched_getcpu _ZNSt6thread20hardware_concurrencyEv",
     ""},
};

void read_word(llvm::StringRef word, ExternalFunction& function) {
  const auto pair = [&](llvm::StringRef numbers, CallbackTime time) {
    function.callback_time = time;
    const auto [which, passed] = numbers.split(':');
    unsigned number = 0;
    int argument = -1;
    if (!which.getAsInteger(10, number)) function.callback = static_cast<uint8_t>(number);
    if (!passed.empty() && !passed.getAsInteger(10, argument))
      function.callback_argument = static_cast<int8_t>(argument);
  };
  if (word.consume_front("call")) return pair(word, CallbackTime::kAtOnce);
  if (word.consume_front("later")) return pair(word, CallbackTime::kLater);
  if (word.consume_front("thread")) return pair(word, CallbackTime::kNewThread);
  if (word == "files") function.state = HiddenState::kOutside;
  if (word == "keys") function.state = HiddenState::kKeys;
  if (word == "signals") function.state = HiddenState::kSignals;
  if (word == "heap") function.state = HiddenState::kHeap;
  if (word == "threads") function.state = HiddenState::kThreads;
  if (word == "fresh") function.returned = ReturnedPointer::kFresh;
  if (word == "arg0") function.returned = ReturnedPointer::kArgument0;
  if (word == "library") function.returned = ReturnedPointer::kLibrary;
  if (word == "errno") function.returned = ReturnedPointer::kErrno;
  if (word == "key") function.returned = ReturnedPointer::kKeyValue;
  if (word == "exception") function.returned = ReturnedPointer::kException;
  if (word == "ends") function.comeback = Comeback::kNever;
  if (word == "perhaps") function.comeback = Comeback::kPerhaps;
  if (word == "throws") function.throws = true;
  if (word == "cancels") function.may_cancel = true;
  if (word == "jumps") function.jumps = true;
  if (word == "last") function.ends_something = true;
  if (word == "copy") function.copy = Copy::kContents1To0;
  if (word == "moves") function.copy = Copy::kContents0ToNew;
  if (word == "into1") function.copy = Copy::kPointer0Into1;
  if (word == "result1") function.gives_thread_result = true;
  if (word == "fresh0") function.fresh_through_argument0 = true;
  if (word == "keeps") function.keeps_key_value = true;
  if (word == "result1" || (word.front() != 'r' && word.front() != 'w')) return;
  ArgumentAccess access{kAllArguments, word.front() == 'w', 0};
  const auto [which, size] = word.drop_front().split(':');
  unsigned number = 0, bytes = 0;
  if (which != "*") {
    if (which.getAsInteger(10, number)) return;
    access.argument = static_cast<uint8_t>(number);
  }
  if (!size.empty() && !size.getAsInteger(10, bytes)) access.size = bytes;
  function.accesses.push_back(access);
}

struct Table {
  llvm::StringMap<ExternalFunction> functions;
  llvm::SmallVector<std::pair<llvm::StringRef, ExternalFunction>, 32> prefixes;
  ExternalFunction unknown;

  Table() {
    unknown.state = HiddenState::kOutside;
    unknown.comeback = Comeback::kPerhaps;
    unknown.throws = unknown.ends_something = unknown.jumps = true;
    for (const Entry& entry : kEntries) {
      ExternalFunction function;
      function.known = true;
      llvm::SmallVector<llvm::StringRef, 8> words, names;
      llvm::StringRef(entry.words).split(words, ' ', -1, false);
      llvm::StringRef(entry.names).split(names, ' ', -1, false);
      for (const llvm::StringRef word : words) read_word(word, function);
      for (llvm::StringRef name : names) {
        if (name.consume_back("*")) {
          prefixes.push_back({name, function});
        } else {
          functions[name] = function;
        }
      }
    }
  }
};

}  // namespace

const ExternalFunction& external_function(llvm::StringRef name) {
  static const Table table;
  const auto found = table.functions.find(name);
  if (found != table.functions.end()) return found->second;
  for (const auto& [prefix, function] : table.prefixes)
    if (name.starts_with(prefix)) return function;
  return table.unknown;
}

}  // namespace heddle::program
