// SPDX-License-Identifier: Apache-2.0
#include "build/target_map.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <string_view>

#include "base/files.h"

namespace heddle::build {
namespace {

constexpr std::string_view kFirstLine = "heddle-map 1";
constexpr uint64_t kMostSites = 1u << 26;

// Cuts the text up to the first `end` off and returns it.
std::string_view cut(std::string_view& text, char end) {
  const size_t at = text.find(end);
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return piece;
}

bool number(std::string_view text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string clean(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n') c = ' ';
  return text;
}

bool read_site(std::string_view line, Target& target) {
  uint64_t site = 0, line_number = 0, column = 0;
  std::string_view numbers = cut(line, '\t');
  if (!number(cut(numbers, ' '), site) || !number(cut(numbers, ' '), line_number) || !number(cut(numbers, ' '), column))
    return false;
  if (site == 0 || site >= kMostSites) return false;
  if (target.sites.size() <= site) target.sites.resize(site + 1);
  trace::Site& place = target.sites[site];
  place.line = static_cast<uint32_t>(line_number);
  place.column = static_cast<uint32_t>(column);
  place.file = cut(line, '\t');
  place.function = cut(line, '\t');
  place.variable = cut(line, '\t');
  return true;
}

bool read_global(std::string_view line, Target& target) {
  trace::Global global;
  std::string_view numbers = cut(line, '\t');
  if (!number(cut(numbers, ' '), global.address) || !number(cut(numbers, ' '), global.size)) return false;
  global.name = line;
  target.globals.push_back(std::move(global));
  return true;
}

}  // namespace

std::string write_map(const Target& target) {
  std::string text = fmt::format("{}\nexecutable {}\naccesses {} {}\n", kFirstLine, target.executable_bytes,
                                 target.accesses, target.private_accesses);
  for (size_t i = 1; i < target.sites.size(); ++i) {
    const trace::Site& site = target.sites[i];
    if (site.file.empty() && site.function.empty()) continue;
    text += fmt::format("site {} {} {}\t{}\t{}\t{}\n", i, site.line, site.column, clean(site.file),
                        clean(site.function), clean(site.variable));
  }
  for (const trace::Global& global : target.globals)
    text += fmt::format("global {} {}\t{}\n", global.address, global.size, clean(global.name));
  for (const std::string& name : target.unknown_functions) text += fmt::format("unknown\t{}\n", clean(name));
  for (const std::string& name : target.outside_functions) text += fmt::format("outside\t{}\n", clean(name));
  return text + "end\n";
}

base::Result<void> read_map(const std::string& text, Target& target) {
  const base::Error damaged{"the map of a cached target is damaged", "remove heddle's cache directory"};
  std::string_view rest = text;
  if (cut(rest, '\n') != kFirstLine) return damaged;
  target.sites.resize(1);
  while (!rest.empty()) {
    std::string_view line = cut(rest, '\n');
    if (line == "end") return {};
    const size_t space = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, space);
    line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
    bool good = true;
    if (word == "site") {
      good = read_site(line, target);
    } else if (word == "global") {
      good = read_global(line, target);
    } else if (word == "unknown") {
      target.unknown_functions.emplace_back(line);
    } else if (word == "outside") {
      target.outside_functions.emplace_back(line);
    } else if (word == "executable") {
      good = number(line, target.executable_bytes);
    } else if (word == "accesses") {
      good = number(cut(line, ' '), target.accesses) && number(line, target.private_accesses);
    } else {
      good = false;
    }
    if (!good) return damaged;
  }
  return damaged;  // no "end"
}

Target named_target(const program::WholeProgram& program, const std::string& directory) {
  Target target;
  target.program_name = program.name();
  target.module_hash = program.hash();
  target.executable = directory + "/target";
  return target;
}

std::optional<Target> read_target(const program::WholeProgram& program, const std::string& directory) {
  Target target = named_target(program, directory);
  auto map = base::read_file(directory + "/map");
  if (!map || ::access(target.executable.c_str(), X_OK) != 0 || !read_map(*map, target)) return std::nullopt;
  std::error_code unreadable;
  if (std::filesystem::file_size(target.executable, unreadable) != target.executable_bytes) return std::nullopt;
  target.from_cache = true;
  return target;
}

std::vector<trace::Site> site_table(const std::vector<pass::SitePlace>& places) {
  std::vector<trace::Site> sites(places.empty() ? 1 : places.back().site + 1);
  for (const pass::SitePlace& place : places)
    sites[place.site] = {place.file, place.line, place.column, place.function, place.variable};
  return sites;
}

}  // namespace heddle::build
