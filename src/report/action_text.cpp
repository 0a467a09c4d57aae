// SPDX-License-Identifier: Apache-2.0
#include "report/action_text.h"

#include <fmt/format.h>

#include "schedule/result.h"
#include "trace/kinds.h"

namespace heddle::report {

using naming::Names;
using naming::Object;
using naming::ObjectKind;
using trace::Event;

namespace {

std::string misuse_text(const trace::Trace& trace, const trace::Event& event) {
  for (const size_t misuse : schedule::misuses_of(trace))
    if (trace.events[misuse] == event) return schedule::misuse_text(trace, misuse);
  return "undefined";
}

// Objects as the source calls them: "global file.c:counter" is counter, and a
// local variable has the name that its record carries.
std::string source_name(const Names& names, const Object& object) {
  const trace::Trace& trace = names.trace();
  if (object.kind == ObjectKind::kGlobal) {
    const std::string& name = trace.globals[object.index].name;
    const size_t colon = name.find(':');  // not that of a C++ name
    const bool is_file = colon != std::string::npos && name.substr(colon, 2) != "::";
    return is_file ? name.substr(colon + 1) : name;
  }
  if (object.kind == ObjectKind::kStack && object.born != naming::kNoEvent) {
    const uint32_t site = trace.events[object.born].record.site;
    if (site < trace.sites.size() && !trace.sites[site].variable.empty()) return trace.sites[site].variable;
  }
  return names.object_name(object);
}

std::string written(const Names& names, const Event& event, const char* after) {
  const HeddleRecord& record = event.record;
  return fmt::format("{} = {}{}", variable_text(names, event, record.address),
                     value_text(names, event, record.value, record.size), after);
}

std::string update_text(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  const std::string variable = variable_text(names, event, record.address);
  const std::string old = value_text(names, event, record.value, record.size);
  const std::string other = value_text(names, event, record.value2, record.size);
  if (record.kind == HEDDLE_CAS && (record.flags & HEDDLE_FLAG_FAILED))
    return fmt::format("{} is {}, not {}: no exchange", variable, old, other);
  if (record.size == 16) return fmt::format("{}: changed atomically", variable);  // two records
  return fmt::format("{}: {} -> {}", variable, old, other);
}

std::string program_text(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  switch (record.kind) {
    case HEDDLE_ALLOC:
      return fmt::format("allocates {} bytes: {}", record.value, names.object_at(event, record.address));
    case HEDDLE_FREE:
      return fmt::format("frees {}{}", names.object_at(event, record.address),
                         record.flags & HEDDLE_FLAG_MISUSE ? kMisuseSuffix : "");
    case HEDDLE_YIELD: return "yields";
    case HEDDLE_SLEEP: return fmt::format("sleeps {} ns", record.value);
    case HEDDLE_CLOCK: return fmt::format("reads the clock: {} ns", record.value);
    case HEDDLE_SIGNAL_SEND: return fmt::format("sends signal {}", record.value);
    case HEDDLE_SIGNAL_WAIT:
      return record.flags & HEDDLE_FLAG_TIMEOUT ? "stops waiting for a signal"
                                                : fmt::format("takes signal {}", record.value);
    case HEDDLE_NONDET: return fmt::format("chooses {}", static_cast<int64_t>(record.value));
    case HEDDLE_OBSERVE: return fmt::format("observes {}", static_cast<int64_t>(record.value));
    case HEDDLE_ASSUME: return record.flags & HEDDLE_FLAG_FAILED ? "assumption fails" : "assumption holds";
    case HEDDLE_ATOMIC_BEGIN: return "begins an atomic block";
    case HEDDLE_ATOMIC_END: return "ends the atomic block";
    case HEDDLE_EXTERN_CALL: return "calls a library";
    case HEDDLE_EXTERN_WRITE: return written(names, event, " (by a library)");
    case HEDDLE_EXIT: return fmt::format("exits with {}", record.value);
    case HEDDLE_DESCRIPTOR_READ: return fmt::format("reads descriptor {}", record.value);
    case HEDDLE_DESCRIPTOR_WRITE: return fmt::format("writes descriptor {}", record.value);
    default: return trace::kind_name(record.kind);
  }
}

}  // namespace

std::string variable_text(const Names& names, const Event& event, uint64_t address) {
  const auto place = address < naming::kFirstPage ? std::nullopt : names.place_at(event, address);
  if (!place) return names.object_at(event, address);
  const Object& object = names.objects().all()[place->object];
  std::string text = source_name(names, object);
  if (place->offset != 0) text += fmt::format("+{}", place->offset);
  if (!place->alive) text += object.kind == ObjectKind::kHeap ? " (freed)" : " (ended)";
  return text;
}

std::string object_text(const Names& names, const Event& event, uint64_t address) {
  const auto place = address < naming::kFirstPage ? std::nullopt : names.place_at(event, address);
  return place ? source_name(names, names.objects().all()[place->object]) : names.object_at(event, address);
}

std::string value_text(const Names& names, const Event& event, uint64_t value, uint8_t size) {
  if (size == 8 && value >= naming::kFirstPage && names.place_at(event, value))
    return '&' + variable_text(names, event, value);
  if (size == 0 || size > 8) return fmt::format("{:#x}", value);
  const unsigned unused = 64 - 8u * size;
  return std::to_string(static_cast<int64_t>(value << unused) >> unused);
}

std::string action_text(const Names& names, const Event& event, Through through) {
  const HeddleRecord& record = event.record;
  switch (record.kind) {
    case HEDDLE_LOAD:
      return fmt::format("reads {}: {}{}", variable_text(names, event, record.address),
                         value_text(names, event, record.value, record.size),
                         through == Through::kBuffer ? " (from its buffer)" : "");
    case HEDDLE_STORE: return written(names, event, through == Through::kBuffer ? " (buffered)" : "");
    case HEDDLE_FLUSH:
      return written(names, event,
                     record.flags & HEDDLE_FLAG_FAILED ? " is dropped: the variable is gone" : " reaches memory");
    case HEDDLE_RMW:
    case HEDDLE_CAS: return update_text(names, event);
    case HEDDLE_FENCE: {
      const char* order = trace::order_name(record.order);
      return fmt::format("fence {}", order ? order : "");
    }
    case HEDDLE_FAIL: {
      if (record.value == HEDDLE_FAILURE_MISUSE) return "MISUSE: " + misuse_text(names.trace(), event);
      const std::string& message = names.trace().ending.message;
      const char* kind = trace::failure_name(record.value);
      const std::string what = names.trace().ending.outcome == HEDDLE_OUTCOME_FAILURE
                                   ? schedule::outcome_kind(names.trace().ending)
                                   : std::string(kind ? kind : "failure");
      return fmt::format("FAILS: {}{}{}", what, message.empty() || message == what ? "" : ": ",
                         message == what ? "" : message);
    }
    case HEDDLE_WAITING: return waiting_text(names, event);
    default: break;
  }
  const std::string text = synchronisation_text(names, event);
  return text.empty() ? program_text(names, event) : text;
}

}  // namespace heddle::report
