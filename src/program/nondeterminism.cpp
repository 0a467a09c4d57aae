// SPDX-License-Identifier: Apache-2.0
#include "program/nondeterminism.h"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <optional>
#include <set>

#include "program/whole_program_llvm.h"

namespace heddle::program {
namespace {

constexpr const char* kClock = "reads a clock";
constexpr const char* kChance = "draws a random number";
constexpr const char* kSharedChance = "draws from a state that all threads share";
constexpr const char* kIdentity = "asks for an identity that differs from run to run";
constexpr const char* kAddress = "addresses differ from run to run";

struct NamedCall {
  llvm::StringRef name;
  const char* why;
};
constexpr NamedCall kCalls[] = {
    {"time", kClock},
    {"clock", kClock},
    {"clock_gettime", kClock},
    {"gettimeofday", kClock},
    {"timespec_get", kClock},
    {"times", kClock},
    {"getrusage", kClock},
    {"_ZNSt6chrono3_V212steady_clock3nowEv", kClock},
    {"_ZNSt6chrono3_V212system_clock3nowEv", kClock},
    {"llvm.readcyclecounter", kClock},
    {"llvm.x86.rdtsc", kClock},
    {"rand", kSharedChance},
    {"random", kSharedChance},
    {"drand48", kSharedChance},
    {"lrand48", kSharedChance},
    {"mrand48", kSharedChance},
    {"getrandom", kChance},
    {"getentropy", kChance},
    {"arc4random", kChance},
    {"arc4random_buf", kChance},
    {"arc4random_uniform", kChance},
    {"_ZNSt13random_device9_M_getvalEv", kChance},
    {"getpid", kIdentity},
    {"getppid", kIdentity},
    {"gettid", kIdentity},
    {"sched_getcpu", kIdentity},
    {"_ZNSolsEPKv", kAddress},  // std::ostream << pointer
};

// Where the format string is; -1: no such function.
int format_argument(llvm::StringRef name) {
  if (name == "printf") return 0;
  if (name == "fprintf" || name == "sprintf" || name == "dprintf" || name == "syslog") return 1;
  return name == "snprintf" ? 2 : -1;
}

bool is_random_device(llvm::StringRef path) {
  return path == "/dev/random" || path == "/dev/urandom" || path == "/dev/hwrng";
}

std::optional<llvm::StringRef> constant_text(const llvm::Value* value) {
  llvm::StringRef text;
  if (!llvm::getConstantStringInfo(value, text)) return std::nullopt;
  return text;
}

class Finder {
 public:
  explicit Finder(const llvm::Module& module) : module_(module) {}

  std::set<NondeterministicPlace> run() {
    for (const llvm::Function& function : module_) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) look_at_call(*call);
        if (llvm::isa<llvm::PtrToIntInst>(instruction)) follow_address({&instruction});
        for (const llvm::Use& operand : instruction.operands()) {  // of a global
          std::vector<const llvm::Value*> open;
          const bool is_address = llvm::isa<llvm::ConstantExpr>(operand) && llvm::isa<llvm::PtrToIntOperator>(operand);
          if (is_address && !follow_use(operand, open)) follow_address(std::move(open));
        }
      }
    }
    return std::move(found_);
  }

 private:
  void add(const llvm::Instruction& at, const std::string& what, const char* why) {
    NondeterministicPlace place{what, why, "", 0, 0, at.getFunction()->getName().str()};
    if (const llvm::DILocation* location = at.getDebugLoc().get()) {
      place.file = location->getFilename().str();
      place.file.erase(0, place.file.rfind('/') + 1);
      place.line = location->getLine();
      place.column = location->getColumn();
    }
    if (const llvm::DISubprogram* function = at.getFunction()->getSubprogram())
      place.function = function->getName().str();
    found_.insert(std::move(place));
  }

  void look_at_call(const llvm::CallBase& call) {
    const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (!callee || !callee->isDeclaration()) return;
    const llvm::StringRef name = callee->getName();
    for (const NamedCall& known : kCalls) {
      if (known.name == name) add(call, name.str(), known.why);
    }
    if (name == "pthread_self" && is_used_as_value(call)) add(call, "pthread_self", kIdentity);
    if (name == "syscall") look_at_system_call(call);
    const int format = format_argument(name);
    if (format >= 0 && static_cast<unsigned>(format) < call.arg_size()) {
      const auto text = constant_text(call.getArgOperand(static_cast<unsigned>(format)));
      if (text && text->contains("%p")) add(call, name.str() + " of a pointer", kAddress);
    }
    if (name == "open" || name == "fopen" || name == "open64" || name == "fopen64") {
      const auto path = constant_text(call.getArgOperand(0));
      if (path && is_random_device(*path)) add(call, name.str() + " of " + path->str(), kChance);
    }
  }

  void look_at_system_call(const llvm::CallBase& call) {
    const auto* number = call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (!number) return;
    constexpr uint64_t kGetpid = 39, kGettid = 186, kGetrandom = 318;
    const uint64_t which = number->getZExtValue();
    if (which == kGetpid || which == kGettid) add(call, "syscall", kIdentity);
    if (which == kGetrandom) add(call, "syscall", kChance);
  }

  // Not only handed to functions that take a thread.
  static bool is_used_as_value(const llvm::CallBase& self) {
    return std::any_of(self.user_begin(), self.user_end(), [](const llvm::User* user) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      return !call || !call->getCalledFunction() || !call->getCalledFunction()->getName().starts_with("pthread_");
    });
  }

  // Follows a number that was an address to arithmetic as hashes do it. The
  // distance of two addresses, and rounding to a power of two, are left alone.
  void follow_address(std::vector<const llvm::Value*> open) {
    std::set<const llvm::Value*> seen;
    while (!open.empty()) {
      const llvm::Value* value = open.back();
      open.pop_back();
      if (!seen.insert(value).second) continue;
      for (const llvm::Use& use : value->uses()) {
        if (follow_use(use, open)) return;
      }
    }
  }

  // True when it has been reported.
  bool follow_use(const llvm::Use& use, std::vector<const llvm::Value*>& open) {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) return false;
    switch (user->getOpcode()) {
      case llvm::Instruction::Mul:
      case llvm::Instruction::Xor:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
      case llvm::Instruction::UDiv:
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr: add(*user, "an address in arithmetic", kAddress); return true;
      case llvm::Instruction::Add:
      case llvm::Instruction::Or:
      case llvm::Instruction::Shl:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select: open.push_back(user); break;
      case llvm::Instruction::Store: {
        const auto* store = llvm::cast<llvm::StoreInst>(user);
        const auto* local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
        if (store->getValueOperand() != use.get() || !local) break;
        for (const llvm::User* other : local->users()) {
          if (llvm::isa<llvm::LoadInst>(other)) open.push_back(other);
        }
        break;
      }
      case llvm::Instruction::Call: {
        const auto* call = llvm::cast<llvm::CallBase>(user);
        const llvm::Function* callee = call->getCalledFunction();
        if (!callee || !call->isArgOperand(&use) || call->getArgOperandNo(&use) >= callee->arg_size()) break;
        if (!callee->isDeclaration()) open.push_back(callee->getArg(call->getArgOperandNo(&use)));
        break;
      }
      default: break;
    }
    return false;
  }

  const llvm::Module& module_;
  std::set<NondeterministicPlace> found_;
};

}  // namespace

std::string NondeterministicPlace::text() const {
  return fmt::format("{}:{}:{} {}: {} ({})", file.empty() ? "?" : file, line, column, function, what, why);
}

std::vector<NondeterministicPlace> find_nondeterminism(const WholeProgram& program) {
  const auto found = Finder(program.module()).run();
  std::vector<NondeterministicPlace> places(found.begin(), found.end());
  std::sort(places.begin(), places.end(), [](const NondeterministicPlace& a, const NondeterministicPlace& b) {
    return std::tie(a.file, a.line, a.column, a.function, a.what) <
           std::tie(b.file, b.line, b.column, b.function, b.what);
  });
  return places;
}

}  // namespace heddle::program
