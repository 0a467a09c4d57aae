// SPDX-License-Identifier: Apache-2.0
#include "execute/request.h"

#include <cstring>
#include <map>
#include <vector>

namespace heddle::execute {
namespace {

// Numbers thread names so that a parent comes before its children; T0 is 0.
class NameTable {
 public:
  NameTable() { names_.push_back({0, 0}); }

  uint32_t number(const schedule::ThreadName& name) {
    uint32_t at = 0;
    for (const uint32_t child : name.path()) {
      const auto [place, is_new] = known_.try_emplace({at, child}, static_cast<uint32_t>(names_.size()));
      if (is_new) names_.push_back({at, child});
      at = place->second;
    }
    return at;
  }

  const std::vector<HeddleName>& names() const { return names_; }

 private:
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known_;
  std::vector<HeddleName> names_;
};

NameTable names_of(const RunRequest& request) {
  NameTable table;
  if (request.prefix)
    for (const schedule::Step& step : request.prefix->steps) table.number(step.thread);
  if (request.avoided)
    for (const schedule::Step& step : *request.avoided) table.number(step.thread);
  if (request.holds)
    for (const schedule::Step& step : *request.holds) table.number(step.thread);
  return table;
}

size_t step_count(const RunRequest& request) { return request.prefix ? request.prefix->steps.size() : 0; }
size_t avoided_count(const RunRequest& request) { return request.avoided ? request.avoided->size() : 0; }

size_t hold_count(const RunRequest& request) { return request.holds ? request.holds->size() : 0; }

size_t total_size(const RunRequest& request, const NameTable& names) {
  return sizeof(HeddleRequest) + names.names().size() * sizeof(HeddleName) +
         (step_count(request) + avoided_count(request) + hold_count(request)) * sizeof(HeddleStep);
}

char* write_steps(const std::vector<schedule::Step>& steps, NameTable& names, char* area) {
  for (const schedule::Step& step : steps) {
    HeddleStep raw{};
    raw.kind = static_cast<uint32_t>(step.kind);
    raw.name = names.number(step.thread);
    raw.index = step.index;
    raw.site = step.site;
    raw.value = static_cast<uint64_t>(step.value);
    std::memcpy(area, &raw, sizeof raw);
    area += sizeof raw;
  }
  return area;
}

}  // namespace

size_t request_size(const RunRequest& request) { return total_size(request, names_of(request)); }

void write_request(const RunRequest& request, uint32_t number, char* area) {
  NameTable names = names_of(request);
  HeddleRequest header{};
  header.bytes = static_cast<uint32_t>(total_size(request, names));
  header.number = number;
  header.strategy = request.strategy;
  header.flags = (request.allow_spurious ? HEDDLE_REQUEST_SPURIOUS : 0) |
                 (request.allow_timeouts ? HEDDLE_REQUEST_TIMEOUTS : 0) | (request.go_on ? HEDDLE_REQUEST_GO_ON : 0) |
                 (request.has_check_rules() || request.local_time ? HEDDLE_REQUEST_LOCAL_TIME : 0) |
                 (request.replaced ? HEDDLE_REQUEST_REPLACED : 0) |
                 (request.has_check_rules() || request.pure_waits ? HEDDLE_REQUEST_PURE_WAITS : 0) |
                 (request.tells_states ? HEDDLE_REQUEST_STATES : 0) | (request.trap ? HEDDLE_REQUEST_TRAP : 0) |
                 (request.lists_options ? HEDDLE_REQUEST_OPTIONS : 0) |
                 (request.is_patient ? HEDDLE_REQUEST_PATIENT : 0);
  header.loop_bound = request.loop_bound;
  header.memory = static_cast<uint32_t>(request.memory_model());
  header.seed = request.seed;
  header.event_limit = request.event_limit;
  header.idle_limit = request.idle_limit;
  header.pct_changes = request.pct_changes;
  header.pct_length = request.pct_length;
  header.names = static_cast<uint32_t>(names.names().size());
  header.steps = static_cast<uint32_t>(step_count(request));
  header.avoided = static_cast<uint32_t>(avoided_count(request));
  header.holds = static_cast<uint32_t>(hold_count(request));
  std::memcpy(area, &header, sizeof header);
  area += sizeof header;
  std::memcpy(area, names.names().data(), names.names().size() * sizeof(HeddleName));
  area += names.names().size() * sizeof(HeddleName);
  if (request.prefix) area = write_steps(request.prefix->steps, names, area);
  if (request.avoided) area = write_steps(*request.avoided, names, area);
  if (request.holds) write_steps(*request.holds, names, area);
}

}  // namespace heddle::execute
