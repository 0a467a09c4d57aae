// SPDX-License-Identifier: Apache-2.0
#include "pass/recorded_inputs.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include "pass/known_functions.h"

namespace heddle::pass {
namespace {

struct Input {
  const char* names;  // with spaces between them
  const char* pieces;
};
// clang-format off: a table of names
const Input kInputs[] = {
    // Files and connections.
    {"read pread pread64 recv recvfrom readlink __read_chk __pread_chk __recv_chk __recvfrom_chk __readlink_chk", "a1:r v"},
    {"fread fread_unlocked", "a0:r*1 v"},
    {"__fread_chk __fread_unlocked_chk", "a0:r*2 v"},
    {"fgets fgets_unlocked __fgets_chk gets gethostname", "a0:s v"},
    {"getline getdelim __getdelim", "a0:=8 a1:=8 d0:r v"},
    {"scanf __isoc99_scanf __isoc23_scanf", "f0 v"},
    {"fscanf sscanf __isoc99_fscanf __isoc99_sscanf __isoc23_fscanf __isoc23_sscanf", "f1 v"},
    {"stat stat64 fstat fstat64 lstat lstat64", "a1:=144 v"},
    {"poll ppoll __poll_chk", "a0:1x8 v"},
    {"select pselect", "a1:=128 a2:=128 a3:=128 v"},
    {"epoll_wait epoll_pwait", "a1:rx12 v"},
    {"pipe pipe2", "a0:=8 v"},
    {"waitpid wait4", "a1:=4 v"},
    {"wait", "a0:=4 v"},
    {"socketpair", "a3:=8 v"},
    {"getcwd", "a0:s v:s v"},
    {"_ZNSirsERi _ZNSirsERj _ZNSirsERf", "a1:=4 i0 v"},
    {"_ZNSirsERl _ZNSirsERm _ZNSirsERx _ZNSirsERy _ZNSirsERd", "a1:=8 i0 v"},
    {"_ZNSirsERs _ZNSirsERt", "a1:=2 i0 v"},
    {"_ZNSirsERb _ZNSi3getERc _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_", "a1:=1 i0 v"},
    {"_ZNSi3getEv _ZNSi4peekEv", "i0 v"},
    {"_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE "
     "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_ "
     "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
     "t1 i0 v"},
    // Time, chance, and where the program runs.
    {"time", "a0:=8 v"},
    {"clock_gettime clock_getres", "a1:=16 v"},
    {"gettimeofday", "a0:=16 v"},
    {"localtime gmtime", "v:=56 v"},
    {"localtime_r gmtime_r", "a1:=56 v"},
    {"mktime timegm", "a0:=56 v"},
    {"ctime asctime strerror", "v:s v"},
    {"strftime", "a0:r v"},
    {"getrandom", "a0:r v"},
    {"rand_r", "a0:=4 v"},
    {"getenv secure_getenv", "v:s v"},
    {"__errno_location", "v:=4 v"},
    {"clock getpid getppid gettid sysconf getpagesize get_nprocs sched_getcpu syscall _ZNSt6thread20hardware_concurrencyEv", "v"},
    // Text that the C library made.
    {"snprintf vsnprintf __snprintf_chk __vsnprintf_chk", "a0:s1 v"},
    {"sprintf vsprintf __sprintf_chk __vsprintf_chk", "a0:s v"},
    {"strtol strtoul strtoll strtoull strtod strtof __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull", "a1:=8 v"},
    // Outcomes that depend on the schedule or on time.
    {"pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock "
     "pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_cond_timedwait pthread_cond_clockwait pthread_spin_trylock "
     "pthread_barrier_wait sem_trywait sem_timedwait sem_clockwait mtx_trylock mtx_timedlock cnd_timedwait pthread_tryjoin_np "
     "pthread_timedjoin_np",
     "v"},
    {"sem_getvalue", "a1:=4 v"},
};
// clang-format on

// Functions that the runtime defines so that they can be told what a recorded run was told (runtime/given_*.cpp,
// time.cpp, descriptor_*.cpp, cores.cpp).
const char kToldAgain[] =
    "read pread pread64 recv recvfrom __read_chk __recv_chk poll ppoll __poll_chk select pselect fread fread_unlocked "
    "fgets fgets_unlocked "
    "fgetc getc getchar getc_unlocked getchar_unlocked feof ferror getline getdelim __getdelim scanf __isoc99_scanf "
    "__isoc23_scanf "
    "fscanf __isoc99_fscanf __isoc23_fscanf stat stat64 lstat lstat64 fstat fstat64 access isatty readlink gethostname "
    "getcwd "
    "_ZNSirsERb _ZNSirsERs _ZNSirsERt _ZNSirsERi _ZNSirsERj _ZNSirsERf _ZNSirsERl _ZNSirsERm _ZNSirsERx _ZNSirsERy "
    "_ZNSirsERd "
    "_ZNSi3getERc _ZNSi3getEv _ZNSi4peekEv _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_ "
    "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE "
    "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_ "
    "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE "
    "time clock clock_gettime gettimeofday getrandom rand random lrand48 mrand48 drand48 rand_r "
    "_ZNSt13random_device9_M_getvalEv "
    "getenv secure_getenv getpid getppid gettid sched_getcpu sysconf get_nprocs _ZNSt6thread20hardware_concurrencyEv";

const llvm::StringMap<const char*>& inputs() {
  static const llvm::StringMap<const char*> table = [] {
    llvm::StringMap<const char*> made;
    for (const Input& input : kInputs) {
      llvm::SmallVector<llvm::StringRef, 16> names;
      llvm::StringRef(input.names).split(names, ' ', -1, false);
      for (const llvm::StringRef name : names) made[name] = input.pieces;
    }
    return made;
  }();
  return table;
}

bool is_heap_function(llvm::StringRef name) {
  // clang-format off: a table of names
  static const llvm::StringSet<> names = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign", "valloc",
                                          "cfree",  "reallocarray", "malloc_usable_size"};
  // clang-format on
  return names.contains(name) || name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_ZdlPv") ||
         name.starts_with("_ZdaPv");
}

}  // namespace

llvm::StringRef recorded_input(llvm::StringRef function) {
  const auto found = inputs().find(function);
  if (found != inputs().end()) return found->second;
  if (is_heap_function(function) || function.starts_with("__heddle_")) return "";
  const Effect effect = known_function(function).effect;
  return effect == Effect::kPure || effect == Effect::kModelled ? "" : "v";
}

bool is_told_again(llvm::StringRef function) {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> made;
    llvm::SmallVector<llvm::StringRef, 128> each;
    llvm::StringRef(kToldAgain).split(each, ' ', -1, false);
    for (const llvm::StringRef name : each) made.insert(name);
    return made;
  }();
  return names.contains(function);
}

bool brings_input(llvm::StringRef function) {
  if (is_heap_function(function) || function.starts_with("__heddle_") || is_told_again(function)) return false;
  // clang-format off: a table of names
  static const llvm::StringSet<> lost = {"__pread_chk", "__recvfrom_chk", "__readlink_chk", "__fread_chk", "__fread_unlocked_chk",
                                         "__fgets_chk", "gets", "clock_getres", "epoll_wait", "epoll_pwait", "waitpid", "wait4", "wait"};
  // clang-format on
  return lost.contains(function) ||
         (!inputs().contains(function) && known_function(function).effect == Effect::kUnknown);
}

bool asks_outside(llvm::StringRef function) {
  // clang-format off: a table of names
  static const llvm::StringSet<> names = {"getenv", "secure_getenv", "getpid", "getppid", "gettid", "sched_getcpu", "sysconf", "get_nprocs",
                                          "_ZNSt6thread20hardware_concurrencyEv"};
  // clang-format on
  return names.contains(function);
}

bool may_call_back(llvm::StringRef function) {
  static const llvm::StringSet<> callers = {"pthread_once", "call_once",    "exit",
                                            "quick_exit",   "pthread_exit", "thrd_exit"};
  if (callers.contains(function)) return true;
  return !is_heap_function(function) && !inputs().contains(function) &&
         known_function(function).effect == Effect::kUnknown;
}

}  // namespace heddle::pass
