// SPDX-License-Identifier: Apache-2.0
#include "naming/names.h"

#include <fmt/format.h>

#include <unordered_map>

namespace heddle::naming {

Names::Names(const trace::Trace& trace) : trace_(trace), order_(trace), objects_(trace, order_) {
  thread_names_.reserve(trace.threads.size() + 1);
  for (uint32_t i = 0; i < trace.threads.size(); ++i) thread_names_.push_back(trace.thread_name(i));
  thread_names_.push_back("T?");
  std::unordered_map<std::string, uint32_t> seen;
  for (const trace::Global& global : trace.globals) {
    const uint32_t number = ++seen[global.name];
    global_names_.push_back("global " + global.name + (number > 1 ? fmt::format("~{}", number) : ""));
  }
}

const std::string& Names::thread_name(uint32_t thread) const {
  return thread < trace_.threads.size() ? thread_names_[thread] : thread_names_.back();
}

std::string Names::event_name(const trace::Event& event) const {
  const HeddleRecord& record = event.record;
  return fmt::format("{}:{}{}", thread_name(record.thread), trace::is_visible(record) ? "" : "<", record.index);
}

std::string Names::object_name(const Object& object) const {
  switch (object.kind) {
    case ObjectKind::kGlobal: return global_names_[object.index];
    case ObjectKind::kHeap: return fmt::format("heap {}#{}", thread_name(object.thread), object.index);
    case ObjectKind::kStack: return fmt::format("stack {}#{}", thread_name(object.thread), object.index);
    case ObjectKind::kUnknown: break;
  }
  return fmt::format("unknown {}#{}", thread_name(object.thread), object.index);
}

std::optional<Place> Names::place_at(const trace::Event& event, uint64_t address) const {
  if (trace_.events.empty()) return std::nullopt;
  // What is not of this trace is taken to happen at its end.
  return objects_.find(order_.find(event).value_or(order_.events().back()), address);
}

std::string Names::object_at(const trace::Event& event, uint64_t address) const {
  if (address < kFirstPage) return address == 0 ? "null" : fmt::format("null+{}", address);
  const auto place = place_at(event, address);
  if (!place) return fmt::format("{:#x}", address);
  const Object& object = objects_.all()[place->object];
  std::string name = object_name(object);
  if (place->offset != 0) name += fmt::format("+{}", place->offset);
  if (!place->alive) name += object.kind == ObjectKind::kHeap ? " (freed)" : " (ended)";
  return name;
}

std::optional<std::string> Names::pointer_text(const trace::Event& event, uint64_t value) const {
  if (value < kFirstPage || !place_at(event, value)) return std::nullopt;
  return '&' + object_at(event, value);
}

}  // namespace heddle::naming
