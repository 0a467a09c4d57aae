// SPDX-License-Identifier: Apache-2.0
#include "report/witness_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/action_text.h"
#include "report/causes.h"
#include "report/differences.h"
#include "report/narration.h"
#include "trace/kinds.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

namespace {

// Texts by number, in the order in which they first occur.
class Texts {
 public:
  int number(const std::string& text) {
    const auto [place, is_new] = numbers_.emplace(text, static_cast<int>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  const Json& all() const { return texts_; }

 private:
  std::map<std::string, int> numbers_;
  Json texts_ = Json::array();
};

class WitnessWriter {
 public:
  WitnessWriter(const trace::Trace& trace, SourceExcerpts& excerpts)
      : trace_(trace), names_(trace), excerpts_(excerpts) {}

  Json write(const property::Finding& finding, const trace::Trace* passing) {
    const std::vector<NarratedStep> steps = narrate(names_);
    const std::vector<Cause> causes = causes_of(trace_, steps);
    add_threads(steps);
    const std::vector<std::string> differences =
        passing ? differences_from(names_, steps, naming::Names(*passing)) : std::vector<std::string>(steps.size());
    Json rows = Json::array();
    for (size_t i = 0; i < steps.size(); ++i) {
      rows.push_back(row(steps[i], causes[i]));
      rows.back().push_back(differences[i].empty() ? -1 : texts_.number(differences[i]));
    }
    Json witness;
    witness["memory"] = trace_.header.memory_model;
    witness["threads"] = std::move(threads_);
    witness["objects"] = objects_.all();
    witness["kinds"] = kinds_.all();
    witness["orders"] = orders_.all();
    witness["texts"] = texts_.all();
    witness["sites"] = std::move(sites_);
    witness["steps"] = std::move(rows);
    witness["culprits"] = culprits(finding, steps);
    return witness;
  }

 private:
  Json row(const NarratedStep& step, const Cause& cause) {
    const trace::Event& event = trace_.events[step.event];
    const HeddleRecord& record = event.record;
    const trace::KindInfo* info = trace::find_kind(record.kind);
    const bool has_value =
        info && (info->reads || info->writes || record.kind == HEDDLE_FLUSH) && record.size > 0 && record.size <= 8;
    const char* order = info && info->has_order ? trace::order_name(record.order) : nullptr;
    return Json::array(
        {step.number, thread_numbers_.at(step.thread), object_number(event, info),
         kinds_.number(trace::kind_name(record.kind)), static_cast<int>(step.mark), step.is_quiet ? 1 : 0,
         texts_.number(step.action), site_number(step.site), static_cast<int>(cause.kind),
         cause.kind == CauseKind::kNone ? -1 : static_cast<int>(cause.step), order ? orders_.number(order) : -1,
         record.size, has_value ? Json(fmt::format("{:#x}", record.value)) : Json(nullptr)});
  }

  // In the order of their creation, with the function in which each begins.
  void add_threads(const std::vector<NarratedStep>& steps) {
    for (const auto& [thread, function] : first_functions(trace_, steps)) {
      thread_numbers_[thread] = static_cast<int>(threads_.size());
      threads_.push_back({{"name", trace_.thread_name(thread)}, {"function", function}});
    }
  }

  int object_number(const trace::Event& event, const trace::KindInfo* info) {
    const bool is_place =
        event.record.kind != HEDDLE_NONDET && event.record.kind != HEDDLE_OBSERVE && event.record.kind != HEDDLE_FAIL;
    if (!info || !info->has_address || !is_place || event.record.address == 0) return -1;
    return objects_.number(object_text(names_, event, event.record.address));
  }

  int site_number(uint32_t site) {
    const auto [place, is_new] = site_numbers_.emplace(site, static_cast<int>(sites_.size()));
    if (is_new) {
      const trace::Site& where = trace_.sites[site];
      sites_.push_back({excerpts_.refer(where.file, where.line), where.line, where.column, where.function});
    }
    return place->second;
  }

  // The steps that fail or wait for ever; of a race, its two accesses.
  Json culprits(const property::Finding& finding, const std::vector<NarratedStep>& steps) const {
    std::set<size_t> found;
    for (size_t i = 0; i < steps.size(); ++i)
      if (steps[i].mark == Mark::kFails || steps[i].mark == Mark::kWaits) found.insert(i);
    if (finding.kind == "race" && finding.places.size() == 2) {
      size_t nearest = SIZE_MAX;
      std::pair<size_t, size_t> race;
      for (const size_t one : steps_at(finding.places[0], steps)) {
        for (const size_t other : steps_at(finding.places[1], steps)) {
          const size_t distance = one < other ? other - one : one - other;
          // A line may both read and write (counter++); of several pairs those that are next to each other race, the
          // last ones if there are more.
          if (distance > nearest || !conflict(steps[one], steps[other])) continue;
          nearest = distance;
          race = {one, other};
        }
      }
      if (nearest != SIZE_MAX) found.insert({race.first, race.second});
    }
    return Json(found);
  }

  std::vector<size_t> steps_at(const property::Place& place, const std::vector<NarratedStep>& steps) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < steps.size(); ++i) {
      const trace::Site& site = trace_.sites[steps[i].site];
      if (site.line == place.line && site.file == place.file && trace_.thread_name(steps[i].thread) == place.thread)
        found.push_back(i);
    }
    return found;
  }

  bool conflict(const NarratedStep& one, const NarratedStep& other) const {
    const HeddleRecord& first = trace_.events[one.event].record;
    const HeddleRecord& second = trace_.events[other.event].record;
    const trace::KindInfo* kinds[] = {trace::find_kind(first.kind), trace::find_kind(second.kind)};
    if (!kinds[0] || !kinds[1] || !kinds[0]->has_address || !kinds[1]->has_address || one.thread == other.thread)
      return false;
    const bool overlap = first.address < second.address + second.size && second.address < first.address + first.size;
    return overlap && (kinds[0]->writes || kinds[1]->writes);
  }

  const trace::Trace& trace_;
  const naming::Names names_;
  SourceExcerpts& excerpts_;
  Texts objects_, kinds_, orders_, texts_;
  Json threads_ = Json::array(), sites_ = Json::array();
  std::map<uint32_t, int> thread_numbers_, site_numbers_;
};

}  // namespace

Json witness_json(const property::Finding& finding, const trace::Trace* passing, SourceExcerpts& excerpts) {
  return WitnessWriter(*finding.trace, excerpts).write(finding, passing);
}

}  // namespace heddle::report
