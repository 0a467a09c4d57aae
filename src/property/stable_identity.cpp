// SPDX-License-Identifier: Apache-2.0
#include "property/stable_identity.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::property {

namespace {

// Of a line: the variables that it names.
using Doing = std::set<std::string>;

std::string text_of(const Doing& doing) {
  std::string text;
  for (const std::string& variable : doing) text += "," + variable;
  return text;
}

std::string stable_place(const Place& place, std::span<const trace::Site> sites) {
  std::map<uint32_t, Doing> lines;  // of the place's function
  for (const trace::Site& site : sites) {
    if (site.file != place.file || site.function != place.function) continue;
    Doing& doing = lines[site.line];
    if (!site.variable.empty()) doing.insert(site.variable);
  }
  const Doing& here = lines[place.line];
  size_t number = 0;
  for (const auto& [line, doing] : lines) number += line < place.line && doing == here;
  const std::string file = place.file.substr(place.file.rfind('/') + 1);
  return file + "|" + place.function + "|" + text_of(here) + "|" + std::to_string(number);
}

}  // namespace

std::string stable_identity(const Finding& finding, std::span<const trace::Site> sites) {
  std::vector<std::string> places;
  for (const Place& place : finding.places) places.push_back(stable_place(place, sites));
  std::sort(places.begin(), places.end());
  std::string identity = finding.kind;
  for (const std::string& place : places) identity += "\n" + place;
  return finding.kind == "exit-code" ? identity + "\n" + finding.message : identity;
}

}  // namespace heddle::property
