// SPDX-License-Identifier: Apache-2.0
//
// The payloads of the chunks that are not events: header, threads, sites,
// globals, checkpoint and end. Encoders append one entry to a payload; decoders
// read a whole payload into a Trace and say what is wrong with it, with an empty
// string for "nothing". All limits of format.h are kept on both sides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "trace/format.h"
#include "trace/trace.h"

namespace heddle::trace {

// The rule for the table of threads: number 0 has no parent, every other thread
// has a parent with a lower number, and no two threads have the same name. So
// the table is a tree, and names are unique.
class ThreadRule {
 public:
  // Checks the next thread of the table; empty, or what is wrong with it.
  std::string add(const Thread& thread);
  uint32_t count() const { return static_cast<uint32_t>(depths_.size()); }

 private:
  std::vector<uint32_t> depths_;
  std::unordered_set<uint64_t> taken_;  // parent, child number
};

// What a checkpoint says: so much is in the file.
struct Progress {
  uint64_t events = 0;
  uint64_t next_sequence = 0;  // 1 + the number of the last event of the group
};

void encode_header(const Header& header, std::string* payload);
void encode_thread(const Thread& thread, std::string* payload);
void encode_site(const Site& site, std::string* payload);
void encode_global(const Global& global, std::string* payload);
void encode_checkpoint(const Progress& progress, std::string* payload);
void encode_end(const Ending& ending, uint64_t events, std::string* payload);

std::string decode_header(std::string_view payload, Header* header);
std::string decode_threads(std::string_view payload, ThreadRule* rule, std::vector<Thread>* threads);
std::string decode_sites(std::string_view payload, std::vector<Site>* sites);
std::string decode_globals(std::string_view payload, std::vector<Global>* globals);
std::string decode_checkpoint(std::string_view payload, Progress* progress);
std::string decode_end(std::string_view payload, Ending* ending, uint64_t* events);

// Empty, or why this record may not stand in a trace with these tables. Site 0
// is always allowed. What events mean is the business of validate.h.
std::string record_problem(const HeddleRecord& record, size_t threads, size_t sites);

}  // namespace heddle::trace
