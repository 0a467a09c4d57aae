// SPDX-License-Identifier: Apache-2.0
#include "report/graphml.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>

#include "abi/version.h"
#include "base/files.h"
#include "base/sha256.h"
#include "naming/names.h"
#include "report/markup.h"
#include "report/source_path.h"
#include "trace/kinds.h"

namespace heddle::report {
namespace {

struct Property {
  const char* kind;
  const char* formula;
};
constexpr std::array kProperties = {Property{"assertion", "G ! call(reach_error())"},
                                    Property{"race", "G ! data-race"},
                                    Property{"use-after-free", "G valid-deref"},
                                    Property{"null-dereference", "G valid-deref"},
                                    Property{"out-of-bounds", "G valid-deref"},
                                    Property{"double-free", "G valid-free"},
                                    Property{"bad-free", "G valid-free"}};

const char* formula_of(const std::string& kind) {
  const auto found = std::find_if(kProperties.begin(), kProperties.end(),
                                  [&](const Property& property) { return kind == property.kind; });
  return found == kProperties.end() ? nullptr : found->formula;
}

struct Edge {
  uint32_t thread = 0, line = 0;
  std::string enters, creates, leaves;  // "" where it does not
};

// The path, made of the events of a trace.
class PathMaker {
 public:
  PathMaker(const trace::Trace& trace, const std::string& file) : trace_(trace), names_(trace), file_(file) {}

  std::vector<Edge> edges() {
    edges_.push_back({0, 0, "main", "0", ""});
    for (const trace::Event& event : trace_.events)
      if (trace::is_visible(event.record) || event.record.kind == HEDDLE_FAIL) take(event);
    return std::move(edges_);
  }

 private:
  void take(const trace::Event& event) {
    const HeddleRecord& record = event.record;
    const trace::Site& site = trace_.sites[record.site < trace_.sites.size() ? record.site : 0];
    const bool creates = record.kind == HEDDLE_THREAD_CREATE && !(record.flags & HEDDLE_FLAG_FAILED);
    const uint32_t line = site.file == file_ ? site.line : 0;
    if (line == 0 && !creates) return;
    const bool is_first = !seen_[record.thread]++ && record.thread != 0;
    if (creates || is_first || edges_.back().thread != record.thread || edges_.back().line != line ||
        !edges_.back().creates.empty())
      edges_.push_back(
          {record.thread, line, is_first ? site.function : "", creates ? std::to_string(record.value) : "", ""});
    if (trace::wrote_memory(record)) note_value(event, site);
  }

  // Only what means the same whatever the type of the variable is.
  void note_value(const trace::Event& event, const trace::Site& site) {
    const HeddleRecord& record = event.record;
    edges_.back().leaves.clear();
    const bool replaces = record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS;
    if (record.size > 8 || record.size == 0 || (replaces && record.flags & HEDDLE_FLAG_FAILED)) return;
    const uint64_t value = replaces ? record.value2 : record.value;
    const bool may_be_negative = value >> (8 * record.size - 1) & 1;
    const std::string place = names_.object_at(event, record.address);
    if (!may_be_negative && !site.variable.empty() && place.starts_with("global ") &&
        place.ends_with(":" + site.variable))
      edges_.back().leaves = fmt::format("{} == {};", site.variable, value);
  }

  const trace::Trace& trace_;
  const naming::Names names_;
  const std::string& file_;
  std::map<uint32_t, size_t> seen_;
  std::vector<Edge> edges_;
};

std::string data(const char* key, std::string_view value) {
  return value.empty() ? "" : fmt::format("<data key=\"{}\">{}</data>", key, escaped_markup(value));
}

std::string edge_text(const Edge& edge, size_t number) {
  const std::string line = edge.line ? std::to_string(edge.line) : "";
  return fmt::format("  <node id=\"N{0}\"/>\n  <edge source=\"N{0}\" target=\"N{1}\">{2}{3}{4}{5}{6}{7}</edge>\n",
                     number, number + 1, data("threadId", std::to_string(edge.thread)),
                     data("createThread", edge.creates), data("enterFunction", edge.enters), data("startline", line),
                     data("endline", line), data("assumption", edge.leaves));
}

std::string keys() {
  std::string text;
  const auto add = [&](const char* domain, std::initializer_list<const char*> names) {
    for (const char* name : names)
      text += fmt::format("<key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" attr.type=\"string\"/>\n", name, domain);
  };
  add("graph", {"witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash",
                "architecture", "creationtime"});
  add("node", {"entry", "violation"});
  add("edge", {"threadId", "createThread", "enterFunction", "startline", "endline", "assumption"});
  return text;
}

// When the result was written: the same each time a witness is made of it.
std::string time_of(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) return "1970-01-01T00:00:00Z";
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(facts.st_mtime));
}

}  // namespace

base::Result<std::string> graphml_text(const RunResult& run) {
  const auto found = std::find_if(run.findings.begin(), run.findings.end(), [](const property::Finding& finding) {
    return finding.confirmed && finding.trace && finding.trace->header.mode == trace::Mode::kControlled &&
           !finding.places.empty();
  });
  if (found == run.findings.end())
    return base::Error{run.directory + " has no confirmed finding to make a witness of",
                       "a witness leads to a violation; heddle list shows which runs found one"};
  const char* formula = formula_of(found->kind);
  if (!formula)
    return base::Error{"SV-COMP has no property that a finding of the kind " + found->kind + " violates",
                       "other forms: --format=json, --format=sarif"};
  if (found->trace->header.memory_model != "sc")
    return base::Error{"witnesses of SV-COMP speak of sequential consistency, and this finding needs " +
                           found->trace->header.memory_model,
                       "other forms: --format=json, --format=sarif"};
  const std::string& file = found->places[0].file;
  if (!file.ends_with(".c") && !file.ends_with(".i"))
    return base::Error{"witnesses of SV-COMP are of C programs, and " + file + " is none",
                       "other forms: --format=json, --format=sarif"};
  const std::string path = source_path(file);
  auto source = base::read_file(path);
  if (!source) return source.error();

  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n{}<graph "
      "edgedefault=\"directed\">\n",
      keys());
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"witness-type", "violation_witness"},
           {"sourcecodelang", "C"},
           {"producer", std::string("Heddle ") + HEDDLE_VERSION},
           {"specification", fmt::format("CHECK( init(main()), LTL({}) )", formula)},
           {"programfile", path},
           {"programhash", base::sha256(*source)},
           {"architecture", "64bit"},
           {"creationtime", time_of(run.directory + "/result.json")}})
    text += "  " + data(key, value) + "\n";
  text += "  <node id=\"N0\"><data key=\"entry\">true</data></node>\n";
  size_t number = 0;
  for (const Edge& edge : PathMaker(*found->trace, file).edges()) {
    const std::string both = edge_text(edge, number);
    text += number == 0 ? both.substr(both.find('\n') + 1) : both;  // the first node stands above
    ++number;
  }
  return text +
         fmt::format("  <node id=\"N{}\"><data key=\"violation\">true</data></node>\n</graph>\n</graphml>\n", number);
}

}  // namespace heddle::report
