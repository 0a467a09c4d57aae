// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer target: what perf writes is untrusted too, and so are the packets of the processor. Whatever is in
// the file, reading and decoding it gives a trace or an Error. As the first byte says, an input is a whole file,
// what comes after the head of one, or packets after a point of synchronisation. The code they speak of is the fuzzer's
// own.
//
// bench/record/fuzz builds and runs it.
#include <cstdlib>
#include <cstring>
#include <string>

#include "record/pt/paths.h"
#include "record/pt/perf_data.h"

namespace {

using namespace heddle::record;

constexpr uint64_t kHead = 104;

// A file without events whose records are these.
std::string file_with(const std::string& records) {
  const uint64_t fields[] = {kHead, 64 + 16, kHead, 0, kHead, records.size()};
  std::string file = "PERFILE2";
  file.append(reinterpret_cast<const char*>(fields), sizeof fields);
  file.resize(kHead, '\0');
  return file + records;
}

// PSB, TSC, MODE.Exec, FUP, PSBEND.
std::string synchronised(uint64_t time, uint64_t address) {
  std::string packets;
  for (int i = 0; i < 8; ++i) packets += "\x02\x82";
  packets += '\x19';
  packets.append(reinterpret_cast<const char*>(&time), 7);
  packets += "\x99\x01\x7d";
  packets.append(reinterpret_cast<const char*>(&address), 6);
  return packets + "\x02\x23";
}

pt::Trace trace_with(const std::string& packets, uint64_t address) {
  pt::Trace trace;
  trace.switches = {{10, 0, 7, true}, {1000, 0, 7, false}, {1001, 0, 8, true}};
  const size_t half = packets.size() / 2;
  trace.streams.push_back(
      {0,
       {synchronised(20, address) + packets.substr(0, half), synchronised(2000, address + 16) + packets.substr(half)}});
  return trace;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto here = reinterpret_cast<uint64_t>(&LLVMFuzzerTestOneInput);
  pt::Trace trace = trace_with(bytes, here);
  if (data[0] & 1) {
    auto read = pt::read_perf_data(data[0] & 2 ? bytes : file_with(bytes));
    if (!read) return 0;
    trace = std::move(*read);
  }
  trace.mappings = {{here & ~0xfffull, 0x2000, 0x1000, "/proc/self/exe"}};
  auto decoded = pt::decode_paths(trace, {{here, 1, false, 1, 1}, {here + 8, 2, true, 0, 0}});
  if (!decoded) return 0;
  for (const auto& [thread, path] : decoded->threads)
    if (path.path.size() > decoded->instructions) std::abort();
  return 0;
}
