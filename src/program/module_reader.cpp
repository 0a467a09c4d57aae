// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <cstdlib>

#include "program/module_reader_llvm.h"

namespace heddle::program {
namespace {

using base::Error;

// "LLVM20.1.0" -> 20; 0 when the module does not say.
int major_version(const std::string& producer) {
  const size_t digits = producer.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::atoi(producer.c_str() + digits);
}

Error reading_error(llvm::MemoryBufferRef buffer, const std::string& name, const std::string& reason) {
  std::string producer;
  if (llvm::Expected<std::string> found = llvm::getBitcodeProducerString(buffer))
    producer = *found;
  else
    llvm::consumeError(found.takeError());
  if (major_version(producer) > LLVM_VERSION_MAJOR)
    return {
        fmt::format("{}: bitcode was written by {}, Heddle reads up to LLVM {}", name, producer, LLVM_VERSION_MAJOR),
        fmt::format("build it with heddle cc, or with clang-{}", LLVM_VERSION_MAJOR)};
  return {fmt::format("{}: cannot read its bitcode: {}", name, reason), "build the file again"};
}

}  // namespace

base::Result<std::unique_ptr<llvm::Module>> read_module(std::string_view bytes, const std::string& name,
                                                        llvm::LLVMContext& context) {
  const std::unique_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(bytes.data(), bytes.size()), name);
  std::unique_ptr<llvm::Module> module;
  const auto* start = reinterpret_cast<const unsigned char*>(buffer->getBufferStart());
  if (llvm::isBitcode(start, start + buffer->getBufferSize())) {
    llvm::Expected<std::unique_ptr<llvm::Module>> parsed = llvm::parseBitcodeFile(buffer->getMemBufferRef(), context);
    if (!parsed) return reading_error(buffer->getMemBufferRef(), name, llvm::toString(parsed.takeError()));
    module = std::move(*parsed);
  } else {
    llvm::SMDiagnostic problem;
    module = llvm::parseIR(buffer->getMemBufferRef(), problem, context);
    if (!module)
      return Error{
          fmt::format("{}:{}: not LLVM bitcode or assembly: {}", name, problem.getLineNo(), problem.getMessage().str()),
          ""};
  }
  if (base::Result<void> fits = check_triple(module->getTargetTriple(), name); !fits) return fits.error();
  return module;
}

base::Result<void> check_triple(const std::string& triple, const std::string& name) {
  const llvm::Triple parsed(triple);
  if (parsed.getArch() == llvm::Triple::x86_64 && parsed.isOSLinux() && !parsed.isX32()) return {};
  return Error{fmt::format("{}: wrong architecture: built for {}, Heddle runs x86_64 Linux programs", name,
                           triple.empty() ? "an unnamed target" : triple),
               "build it for x86_64-linux-gnu (no --target, no -m32)"};
}

}  // namespace heddle::program
