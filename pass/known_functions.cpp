// SPDX-License-Identifier: Apache-2.0
#include "pass/known_functions.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

namespace heddle::pass {
namespace {

// Functions the runtime defines (runtime/*.cpp).
// clang-format off: tables of names
const char* const kModelledNames[] = {
    "pthread_create", "pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "pthread_tryjoin_np",
    "pthread_detach", "pthread_exit", "pthread_cancel", "pthread_testcancel", "pthread_setcancelstate",
    "pthread_setcanceltype", "pthread_self", "pthread_once", "pthread_key_create", "pthread_key_delete",
    "pthread_getspecific", "pthread_setspecific", "pthread_kill", "pthread_setname_np", "pthread_getname_np",
    "pthread_setaffinity_np", "pthread_setschedparam", "pthread_getattr_np", "pthread_getschedparam",
    "pthread_setschedprio", "pthread_getcpuclockid", "pthread_sigqueue", "pthread_atfork", "__pthread_register_cancel",
    "__pthread_unregister_cancel", "__pthread_unwind_next", "__cxa_guard_acquire", "__cxa_guard_release",
    "__cxa_guard_abort", "__cxa_atexit", "atexit", "__cxa_thread_atexit", "__cxa_thread_atexit_impl",
    "at_quick_exit", "__cxa_at_quick_exit", "exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail",
    "__assert", "reach_error", "sched_yield", "nanosleep", "clock_nanosleep", "sleep", "usleep", "clock_gettime",
    "gettimeofday", "time", "clock", "syscall", "raise", "signal", "sigaction", "kill", "sigwait", "sigwaitinfo",
    "sigtimedwait", "pthread_sigmask", "sigprocmask", "sigsuspend", "pause", "alarm", "prctl", "setrlimit", "setrlimit64", "mmap", "mmap64", "munmap", "mremap", "sem_init", "sem_destroy", "sem_wait", "sem_timedwait",
    "sem_clockwait", "sem_trywait", "sem_post", "sem_getvalue", "sem_open", "thrd_create", "thrd_join", "thrd_detach",
    "thrd_exit", "thrd_current", "thrd_yield", "thrd_sleep", "mtx_init", "mtx_destroy", "mtx_lock", "mtx_trylock",
    "mtx_timedlock", "mtx_unlock", "cnd_init", "cnd_destroy", "cnd_wait", "cnd_timedwait", "cnd_signal",
    "cnd_broadcast", "tss_create", "tss_delete", "tss_get", "tss_set", "call_once", "dlopen",
};
const char* const kModelledPrefixes[] = {
    "pthread_mutex_", "pthread_rwlock_", "pthread_cond_", "pthread_barrier_", "pthread_spin_", "__heddle_",
    "__VERIFIER_",
};

// Functions that read nothing but their arguments' values, constant tables, or
// memory that belongs to the thread or to the library.
const char* const kPureNames[] = {
    "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw", "__cxa_begin_catch", "__cxa_end_catch",
    "__cxa_rethrow", "__cxa_get_exception_ptr", "__cxa_pure_virtual", "__cxa_init_primary_exception",
    "__cxa_current_exception_type", "__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length",
    "_Unwind_Resume", "__gxx_personality_v0", "__dynamic_cast", "__clang_call_terminate", "_ZSt9terminatev",
    "pthread_equal", "thrd_equal", "pthread_attr_init", "pthread_attr_destroy", "pthread_attr_setdetachstate",
    "pthread_attr_setstacksize", "pthread_attr_setstack",
    "pthread_attr_setguardsize", "pthread_attr_setscope", "pthread_attr_setschedpolicy", "pthread_attr_setinheritsched",
    "pthread_mutexattr_init", "pthread_mutexattr_settype", "pthread_mutexattr_destroy",
    "pthread_mutexattr_setpshared", "pthread_mutexattr_setprotocol", "pthread_mutexattr_setrobust",
    "pthread_condattr_init", "pthread_condattr_destroy", "pthread_condattr_setclock",
    "pthread_condattr_setpshared", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_setkind_np", "pthread_rwlockattr_setpshared", "pthread_barrierattr_init",
    "pthread_barrierattr_destroy", "pthread_barrierattr_setpshared", "pthread_setconcurrency",
    "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "isalpha", "isdigit", "isspace",
    "isalnum", "isupper", "islower", "isprint", "ispunct", "isxdigit", "tolower", "toupper", "abs", "labs", "llabs",
    "sqrt", "sqrtf", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "exp2", "log", "log2", "log10",
    "pow", "powf", "expf", "logf", "sinf", "cosf", "fabs", "fabsf", "floor", "floorf", "ceil", "ceilf", "round",
    "roundf", "lround", "trunc", "fmod", "fmodf", "fmax", "fmin", "hypot", "cbrt", "erf", "erfc", "ldexp",
    "sysconf", "getpagesize", "get_nprocs", "getpid", "getppid", "gettid", "sched_getcpu",
    "sigemptyset", "sigfillset", "sigaddset", "sigdelset", "sigismember",
    "setjmp", "_setjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
    "__stack_chk_fail", "strerror", "getenv", "secure_getenv", "__libc_current_sigrtmin", "__libc_current_sigrtmax",
    "_ZNSt6thread20hardware_concurrencyEv", "_ZSt16__throw_bad_castv", "_ZSt17__throw_bad_allocv",
    "_ZSt28__throw_bad_array_new_lengthv", "_ZSt25__throw_bad_function_callv", "_ZSt20__throw_system_errori",
    "_ZSt20__throw_future_errori", "_ZNSt3_V216generic_categoryEv", "_ZNSt3_V215system_categoryEv",
    "_ZSt15future_categoryv", "_ZSt20__throw_format_errorPKc", "_ZSt18uncaught_exceptionv",
    "_ZSt19uncaught_exceptionsv", "_ZSt13set_terminatePFvvE", "_ZSt15get_new_handlerv",
    "_ZNSt11logic_errorC1EPKc", "_ZNSt11logic_errorC2EPKc", "_ZNSt13runtime_errorC1EPKc", "_ZNSt13runtime_errorC2EPKc",
    "_ZNSt16invalid_argumentC1EPKc", "_ZNSt12out_of_rangeC1EPKc", "_ZNSt12length_errorC1EPKc",
    "_ZNSt13runtime_errorD1Ev", "_ZNSt11logic_errorD1Ev", "_ZNSt9exceptionD2Ev", "_ZNSt9exceptionD1Ev",
    "_ZNKSt13runtime_error4whatEv", "_ZNKSt11logic_error4whatEv", "_ZNKSt9exception4whatEv", "_ZNSt9bad_allocD1Ev",
    "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
    "_ZNSt15__exception_ptr13exception_ptrC1EPv", "_ZSt17current_exceptionv",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", "_ZNSt15__exception_ptr13exception_ptrC1ERKS0_",
    "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
    "_ZSt11_Hash_bytesPKvmm", "_ZNSt8ios_base4InitC1Ev", "_ZNSt8ios_base4InitD1Ev",
    "_ZNKSt17bad_function_call4whatEv", "_ZSt10unexpectedv", "_ZNSt12__shared_ptrIvLN9__gnu_cxx12_Lock_policyE2EED1Ev",
};
const char* const kPurePrefixes[] = {
    "llvm.", "_ZSt24__throw_", "_ZSt21__throw_", "_ZSt20__throw_", "_ZSt19__throw_", "_ZSt22__throw_",
    "_ZSt23__throw_", "_ZSt25__throw_",
};

struct Outside {
  const char* name;
  const char* ranges;
};
// Pure but for what they give back through pointers.
const Outside kPureWithResults[] = {
    {"pthread_mutexattr_gettype", "w1:4"}, {"pthread_mutexattr_getrobust", "w1:4"}, {"pthread_attr_getstacksize", "w1:8"},
    {"pthread_attr_getdetachstate", "w1:4"}, {"pthread_attr_getguardsize", "w1:8"}, {"pthread_attr_getstack", "w1:8 w2:8"},
    {"pthread_condattr_getclock", "w1:4"}, {"pthread_getaffinity_np", "w2:1"}, {"sched_getaffinity", "w2:1"}, {"frexp", "w1:4"}, {"modf", "w1:8"}, {"remquo", "w2:4"},
    {"_ZN7testing16AssertionSuccessEv", "w0:16"},  // GoogleTest: what EXPECT_EQ(...) comes to when it holds
};

const Outside kOutsideNames[] = {
    {"printf", "r0:s"}, {"vprintf", "r0:s"}, {"fprintf", "r1:s"}, {"vfprintf", "r1:s"}, {"dprintf", "r1:s"},
    {"puts", "r0:s"}, {"putchar", ""}, {"putc", ""}, {"fputc", ""}, {"fputs", "r0:s"}, {"fwrite", "r0:2*1"},
    {"fread", "w0:2*1"}, {"fgets", "w0:1"}, {"fgetc", ""}, {"getc", ""}, {"getchar", ""}, {"ungetc", ""},
    {"fflush", ""}, {"fopen", "r0:s r1:s"}, {"fclose", ""}, {"fseek", ""}, {"ftell", ""}, {"rewind", ""}, {"feof", ""},
    {"ferror", ""}, {"clearerr", ""}, {"fileno", ""}, {"setvbuf", ""}, {"setbuf", ""}, {"perror", "r0:s"},
    {"flockfile", ""}, {"funlockfile", ""}, {"remove", "r0:s"}, {"rename", "r0:s r1:s"}, {"tmpfile", ""},
    {"open", "r0:s"}, {"close", ""}, {"pread", "w1:="}, {"pwrite", "r1:2"},
    {"lseek", ""}, {"unlink", "r0:s"}, {"mkdir", "r0:s"}, {"rmdir", "r0:s"}, {"access", "r0:s"}, {"dup", ""},
    {"dup2", ""}, {"pipe", "w0:8"}, {"pipe2", "w0:8"}, {"socketpair", "w3:8"}, {"eventfd", ""}, {"bind", "r1:2"},
    {"epoll_create1", ""}, {"epoll_ctl", "r3:12"}, {"fsync", ""}, {"ftruncate", ""}, {"isatty", ""},
    {"socket", ""}, {"listen", ""}, {"shutdown", ""}, {"fork", ""}, {"vfork", ""},
    {"system", "r0:s"}, {"execv", "r0:s"}, {"execvp", "r0:s"}, {"execl", "r0:s"}, {"execlp", "r0:s"},
    {"snprintf", "r2:s w0:s"}, {"sprintf", "r1:s w0:s"}, {"vsnprintf", "w0:s"}, {"vsprintf", "w0:s"},
    {"srand", ""}, {"rand", ""}, {"random", ""}, {"srandom", ""}, {"setenv", "r0:s r1:s"}, {"unsetenv", "r0:s"},
    {"putenv", ""}, {"strtol", "r0:s"}, {"strtoul", "r0:s"}, {"strtoll", "r0:s"}, {"strtoull", "r0:s"},
    {"strtod", "r0:s"}, {"strtof", "r0:s"}, {"atoi", "r0:s"}, {"atol", "r0:s"}, {"atoll", "r0:s"}, {"atof", "r0:s"},
    {"__isoc99_sscanf", "r0:s r1:s"}, {"__isoc23_strtol", "r0:s"}, {"__isoc23_strtoul", "r0:s"},
    {"__printf_chk", "r1:s"}, {"__fprintf_chk", "r2:s"}, {"__snprintf_chk", "w0:s"}, {"__sprintf_chk", "w0:s"},
    {"__vsnprintf_chk", "w0:s"}, {"__fread_chk", "w0:3*2"},
};
// System calls that may block (runtime/descriptor_*.cpp). Ranges that are not
// here the runtime reports itself.
const Outside kDescriptorNames[] = {
    {"read", "w1:="}, {"write", "r1:2"}, {"readv", ""}, {"writev", ""}, {"recv", "w1:="}, {"send", "r1:2"},
    {"recvfrom", "w1:="}, {"sendto", "r1:2"}, {"recvmsg", ""}, {"sendmsg", ""}, {"poll", ""}, {"ppoll", ""},
    {"select", ""}, {"pselect", ""}, {"epoll_wait", ""}, {"epoll_pwait", ""}, {"accept", ""}, {"accept4", ""},
    {"connect", "r1:2"}, {"__read_chk", "w1:="}, {"__recv_chk", "w1:="}, {"__poll_chk", ""},
};
// Streams: their state is the library's own, what they print is read only.
const char* const kOutsidePrefixes[] = {
    "_ZNSo", "_ZStls", "_ZSt4endl", "_ZSt5flush", "_ZSt4ends", "_ZNSt8ios_base", "_ZNKSt8ios_base", "_ZSt16__ostream_insert",
    "_ZNKSt5ctype", "_ZNKSt9basic_ios", "_ZNSt9basic_ios", "_ZNSt6locale", "_ZSt9use_facet",
};

struct Table {
  llvm::StringMap<KnownFunction> functions;
  Table() {
    for (const char* name : kPureNames) functions[name] = {Effect::kPure, ""};
    for (const Outside& pure : kPureWithResults) functions[pure.name] = {Effect::kPure, pure.ranges};
    for (const Outside& outside : kOutsideNames) functions[outside.name] = {Effect::kOutside, outside.ranges};
    for (const Outside& call : kDescriptorNames) functions[call.name] = {Effect::kDescriptor, call.ranges};
    for (const char* name : kModelledNames) functions[name] = {Effect::kModelled, ""};
  }
};
// clang-format on

}  // namespace

KnownFunction known_function(llvm::StringRef name) {
  static const Table table;
  const auto found = table.functions.find(name);
  if (found != table.functions.end()) return found->second;
  for (const char* prefix : kModelledPrefixes)
    if (name.starts_with(prefix)) return {Effect::kModelled, ""};
  for (const char* prefix : kPurePrefixes)
    if (name.starts_with(prefix)) return {Effect::kPure, ""};
  for (const char* prefix : kOutsidePrefixes)
    if (name.starts_with(prefix)) return {Effect::kOutside, ""};
  return {};
}

bool leaves_frames(llvm::StringRef name) {
  static const llvm::StringSet<> names = {"__cxa_throw", "__cxa_rethrow", "_Unwind_Resume", "longjmp",
                                          "_longjmp",    "siglongjmp",    "__longjmp_chk"};
  return names.contains(name);
}

}  // namespace heddle::pass
