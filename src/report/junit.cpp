// SPDX-License-Identifier: Apache-2.0
#include "report/junit.h"

#include <fmt/format.h>

#include "report/counterexample_text.h"
#include "report/markup.h"

namespace heddle::report {
namespace {

std::string failure_text(const RunResult& run, size_t number) {
  const property::Finding& finding = run.findings[number];
  std::string text;
  for (const property::Place& place : finding.places)
    text += fmt::format("{} at {}:{} in {}\n", place.thread, place.file, place.line, place.function);
  if (finding.trace && finding.trace->header.mode == trace::Mode::kControlled)
    text += "\n" + counterexample_text(*finding.trace, {120, false}) + "\n";
  return text + "replay: " + replay_command(run, number) + "\n";
}

bool passes(const std::string& verdict) {
  return verdict == "holds" || verdict == "nothing-predicted" || verdict == "done" || verdict == "not-reproduced";
}

}  // namespace

std::string junit_text(const RunResult& run) {
  const std::string suite = escaped_markup(fmt::format("heddle {} {}", run.command, run.program));
  std::string cases;
  size_t count = 0, failures = 0, errors = 0;
  const auto open = [&](const std::string& name) {
    ++count;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", suite, escaped_markup(name));
  };
  for (size_t i = 0; i < run.findings.size(); ++i) {
    const property::Finding& finding = run.findings[i];
    if (!finding.confirmed && !finding.validated) continue;
    ++failures;
    open(fmt::format("{} {}", finding.kind, run.ids[i]));
    cases += fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                         escaped_markup(finding.kind), escaped_markup(finding.message),
                         escaped_markup(failure_text(run, i)));
  }
  if (count == 0) {
    open(run.verdict);
    std::string why;
    for (const Reason& reason : run.reasons) why += (why.empty() ? "" : "; ") + reason.text;
    if (passes(run.verdict)) {
      cases += "/>\n";
    } else {
      ++errors;
      cases += fmt::format(">\n      <error type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                           escaped_markup(run.verdict), escaped_markup(why));
    }
  }
  const double seconds = run.json.contains("stats") ? real_at(run.json["stats"], "seconds") : 0;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\">\n{}  "
      "</testsuite>\n</testsuites>\n",
      suite, count, failures, errors, seconds, cases);
}

}  // namespace heddle::report
