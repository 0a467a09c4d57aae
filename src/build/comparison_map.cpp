// SPDX-License-Identifier: Apache-2.0
#include "build/comparison_map.h"

#include <fmt/format.h>

#include <sstream>

namespace heddle::build {
namespace {

constexpr const char* kFirstLine = "heddle-comparison 1";

std::string rest_of(std::istringstream& line) {
  std::string text;
  line.get();  // the space
  std::getline(line, text);
  return text;
}

bool read_slot(std::istringstream& line, pass::ComparedSlot& slot) {
  uint32_t kind = 0, bits = 0, is_pointer = 0, is_local = 0;
  if (!(line >> kind >> bits >> is_pointer >> is_local >> slot.number >> slot.place >> slot.size >> slot.instruction >>
        slot.callee))
    return false;
  slot.kind = static_cast<pass::SlotKind>(kind);
  slot.bits = static_cast<uint8_t>(bits);
  slot.is_pointer = is_pointer != 0;
  slot.is_local = is_local != 0;
  return kind <= static_cast<uint32_t>(pass::SlotKind::kAddress) && bits >= 1 && bits <= 64;
}

// One line; false: it is none of ours.
bool read_line(const std::string& text, ComparisonTarget& target) {
  std::istringstream line(text);
  std::string what;
  line >> what;
  pass::ComparedProgram& code = target.code;
  if (what == "word") code.words.push_back(rest_of(line));
  if (what == "outside") code.outside.push_back(rest_of(line));
  if (what == "word" || what == "outside") return true;
  if (what == "function") return static_cast<bool>(line >> code.functions.emplace_back());
  if (what == "place") {
    pass::ComparedPlace& place = code.places.emplace_back();
    return static_cast<bool>(line >> place.file >> place.line >> place.column >> place.variable);
  }
  if (what == "segment") {
    pass::ComparedSegment& segment = code.segments.emplace_back();
    return static_cast<bool>(line >> segment.function >> segment.flags >> segment.join);
  }
  if (what == "slot") return !code.segments.empty() && read_slot(line, code.segments.back().slots.emplace_back());
  if (what == "global") {
    trace::Global& global = target.globals.emplace_back();
    if (!(line >> global.address >> global.size)) return false;
    global.name = rest_of(line);
    return true;
  }
  return false;
}

bool is_sound(const pass::ComparedProgram& code) {
  const auto is_word = [&](uint32_t number) { return number < code.words.size(); };
  for (const uint32_t name : code.functions)
    if (!is_word(name)) return false;
  for (const pass::ComparedPlace& place : code.places)
    if (!is_word(place.file) || !is_word(place.variable)) return false;
  for (const pass::ComparedSegment& segment : code.segments) {
    if (segment.function >= code.functions.size()) return false;
    for (const pass::ComparedSlot& slot : segment.slots)
      if (slot.place >= code.places.size() || !is_word(slot.instruction) || !is_word(slot.callee)) return false;
  }
  return true;
}

}  // namespace

std::string write_comparison_map(const ComparisonTarget& target) {
  fmt::memory_buffer out;
  const auto line = [&](fmt::string_view form, const auto&... values) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(values...));
    out.push_back('\n');
  };
  const pass::ComparedProgram& code = target.code;
  line("{}", kFirstLine);
  for (size_t i = 1; i < code.words.size(); ++i) line("word {}", code.words[i]);
  for (const uint32_t name : code.functions) line("function {}", name);
  for (const pass::ComparedPlace& place : code.places)
    line("place {} {} {} {}", place.file, place.line, place.column, place.variable);
  for (const pass::ComparedSegment& segment : code.segments) {
    line("segment {} {} {}", segment.function, segment.flags, segment.join);
    for (const pass::ComparedSlot& slot : segment.slots) {
      const int kind = static_cast<int>(slot.kind), pointer = slot.is_pointer, local = slot.is_local, bits = slot.bits;
      line("slot {} {} {} {} {} {} {} {} {}", kind, bits, pointer, local, slot.number, slot.place, slot.size,
           slot.instruction, slot.callee);
    }
  }
  for (const std::string& name : code.outside) line("outside {}", name);
  for (const trace::Global& global : target.globals) line("global {} {} {}", global.address, global.size, global.name);
  line("end");
  return fmt::to_string(out);
}

bool read_comparison_map(const std::string& text, ComparisonTarget& target) {
  std::istringstream lines(text);
  std::string line;
  target.code = {};
  target.globals.clear();
  target.code.words.push_back("");
  if (!std::getline(lines, line) || line != kFirstLine) return false;
  while (std::getline(lines, line)) {
    if (line == "end") return is_sound(target.code);
    if (!read_line(line, target)) return false;
  }
  return false;
}

}  // namespace heddle::build
