// SPDX-License-Identifier: Apache-2.0
//
// What one experiment came to: a run of the program with one fault in it,
// compared with the run without. The engine fills it in, the campaign keeps it
// (campaign/experiment_store.h), statistics and reports read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::propagate {

enum class Outcome : uint8_t {
  kBenign,    // ended as without the fault, with the same output
  kSdc,       // silent data corruption: ended as if all were well, with other output
  kDetected,  // the program noticed and ended with another exit code
  kCrash,     // ended by a signal
  kHang,      // did not end
  kRefused,   // asked for what no run may do, and was ended there
};

inline constexpr std::array kOutcomes{Outcome::kBenign, Outcome::kSdc,  Outcome::kDetected,
                                      Outcome::kCrash,  Outcome::kHang, Outcome::kRefused};

// "benign", "sdc", "detected", "crash", "hang", "refused".
std::string_view outcome_name(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view name);

struct ExperimentResult {
  uint64_t id = 0;     // below 2^63, unique in its campaign
  std::string fault;   // "bitflip", ...
  std::string thread;  // where: "T0.1"
  uint64_t index = 0;  // and at which dynamic instruction of that thread
  std::string place;   // file:line:column of the instruction
  std::string function;
  std::string instruction;  // its kind: "load", "add", "call", ...
  std::string detail;       // what was done: "bit 17"
  Outcome outcome = Outcome::kBenign;
  std::string reason;     // what the outcome shows in: "result.txt was not written"; may be empty
  bool injected = false;  // false: the run ended before it came to that instruction
  bool deviated = false;  // after the fault was used, the run was another one
  uint64_t instructions_until_deviation = 0;
  std::string first_deviation;  // JSON array: of each thread that deviated; statistics go by it
  std::string objects;          // JSON arrays: what was corrupted, where the error got to and how
  std::string functions;
  std::string threads_reached;
  std::string crossings;
  std::string propagation;    // JSON object: {"events": [...], "left_out": N}, the way of the error by time
  uint64_t instructions = 0;  // of the whole run
  double seconds = 0;         // finite

  bool operator==(const ExperimentResult&) const = default;
};

}  // namespace heddle::propagate
