// SPDX-License-Identifier: Apache-2.0
//
// What a thread does in one step, in a few words, with the names of the source:
//
//   reads counter: 0        counter = 1 (buffered)        locks m
//   counter: 0 -> 1         counter = 1 reaches memory    waits for m, held by T0.1
#pragma once

#include <string>

#include "naming/names.h"

namespace heddle::report {

// Where a load or store finds or leaves its value.
enum class Through { kMemory, kBuffer };

// "counter", "table+8", "heap T0#3+8 (freed)"; `event` says when.
std::string variable_text(const naming::Names& names, const trace::Event& event, uint64_t address);

// The same without the offset: "table", "heap T0#3".
std::string object_text(const naming::Names& names, const trace::Event& event, uint64_t address);

// A value of `size` bytes: a number with sign, or what it points to.
std::string value_text(const naming::Names& names, const trace::Event& event, uint64_t value, uint8_t size);

// Of visible events, FLUSH and WAITING.
std::string action_text(const naming::Names& names, const trace::Event& event, Through through);

// Follows the text of an operation with HEDDLE_FLAG_MISUSE.
inline constexpr const char* kMisuseSuffix = " (misuse)";

// The same for operations on threads and objects of synchronisation; empty for other kinds.
std::string synchronisation_text(const naming::Names& names, const trace::Event& event);

// "waits for m, held by T0.1": a WAITING record.
std::string waiting_text(const naming::Names& names, const trace::Event& event);

}  // namespace heddle::report
