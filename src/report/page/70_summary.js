// SPDX-License-Identifier: Apache-2.0
//
// The result as a whole: what the verdict means, why it is not better, figures.

const kVerdicts = {
  holds: ["good", "No execution fails", "Every causally different execution was explored, under this memory model and for this input."],
  violated: ["bad", "An execution fails", "Each confirmed finding was run again in a fresh process and failed in the same way."],
  undecided: ["open", "Undecided", "Not all executions could be explored, or something stands in the way of a verdict."],
  found: ["bad", "The run implies bugs", "Other orders of the events of one run have these bugs; each confirmed one was run."],
  "nothing-predicted": ["good", "Nothing predicted", "No other order of the events of this one run has a bug of the kinds that were looked for. Other runs may."],
  reproduced: ["bad", "Reproduced", "A schedule that leads to the recorded failure was found and run."],
  "not-reproduced": ["open", "Not reproduced", "No schedule that leads to the recorded failure was found."],
  done: ["good", "Complete", "All that was asked for was done."],
  partial: ["open", "Not complete", "It ended early; what is there is kept."],
  refused: ["open", "Refused", "The question has no meaning for this program; the reason says why."],
};

const kStatistics = [
  ["executions", "executions", "complete and blocked runs of the search"], ["blocked", "of them blocked", "deadlock, assumption or bound"],
  ["states", "states", "different vectors of what threads read, among complete executions"], ["events", "events", "in all of them"],
  ["other_runs", "other runs", "to confirm and to shorten"], ["windows", "windows", "parts of the trace that were looked at together"],
  ["candidates", "candidates", "pairs that no filter kept apart"], ["solver_queries", "solver queries", "questions for an order of events"],
  ["decided_without_search", "without search", "questions that forced edges decided"], ["histories", "histories", "of threads that were learned"],
  ["product_states", "product states", "of learned threads"], ["experiments", "experiments", "runs with one fault each"], ["threads", "threads", "of the fault-free run"],
  ["instructions", "instructions", "of the fault-free run"], ["fault_free_runs", "fault-free runs", "that were compared before"],
  ["branches", "branches", "that were recorded"], ["notes", "notes", "inputs and calls that were recorded beside them"], ["stretches", "stretches", "of threads on a core"], ["bytes", "bytes", "of the recording"],
  ["seconds", "seconds", "in all"], ["cpu_seconds", "CPU seconds", "of Heddle and the program"], ["solver_seconds", "solver seconds", ""],
];

function singular(name) {
  return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}

class SummaryView {
  constructor(report) {
    const { result } = report;
    const [tone, title, meaning] = entryOf(kVerdicts, result.verdict, ["open", result.verdict, ""]);
    const stats = result.stats || {};
    const cards = kStatistics.filter(([key]) => typeof stats[key] === "number" && (stats[key] !== 0 || key === "blocked")).map(([key, name, hint]) =>
      element("div.figure", { title: hint }, element("b", null, grouped(stats[key])), element("span", null, stats[key] === 1 ? singular(name) : name)));
    this.node = element("article.summary", null,
      element(`header.verdict.${tone}`, null, element("h1", null, title), element("p", null, meaning)),
      this.list("Why not more", (result.reasons || []).map((reason) => [reason.code, reason.help ? `${reason.text} (what helps: ${reason.help})` : reason.text])),
      this.list("Notes", (result.notes || []).map((note) => ["", note])),
      this.list("What could not be read", report.remarks.map((remark) => ["", remark])),
      element("section", null, element("h2", null, "Figures"), element("div.figures", null, cards)),
      this.outcomes(result.outcomes || []),
      this.table("Options", { ...(result.options || {}), seed: result.seed }),
      this.table("Program", this.program(result)),
      element("p.small", null, "What each verdict means and what none of them covers (compiler reorderings, code without bitcode, reuse of addresses) is in docs/explanation/verdicts.md."));
  }

  program(result) {
    const invocation = result.invocation || {};
    const list = (items) => (items || []).join(" ") || "none";
    return { name: result.program && result.program.name, hash: result.program && result.program.hash, inputs: list(invocation.inputs), arguments: list(invocation.arguments), cflags: list(invocation.cflags) };
  }

  list(title, items) {
    if (!items.length) return null;
    return element("section", null, element("h2", null, title), element("ul.reasons", null, items.map(([code, text]) => element("li", null, code ? element("code", null, code) : null, text))));
  }

  table(title, values) {
    return element("section", null, element("h2", null, title), element("dl.facts", null,
      Object.entries(values).map(([name, value]) => [element("dt", null, name), element("dd", null, value === undefined || value === null ? "unknown" : value === "" ? "not given" : String(value))])));
  }

  outcomes(outcomes) {
    const named = outcomes.filter((outcome) => Object.keys(outcome).length);
    if (!named.length) return null;
    const names = [...new Set(named.flatMap(Object.keys))].sort();
    return element("section", null, element("h2", null, `Outcomes: ${counted(outcomes.length, "combination")} of what was observed`),
      element("div.scrolling", null, element("table.outcomes", null, element("thead", null, element("tr", null, names.map((name) => element("th", null, name)))),
        element("tbody", null, named.slice(0, 2000).map((outcome) => element("tr", null, names.map((name) => element("td", null, name in outcome ? String(outcome[name]) : "")))))),
        named.length > 2000 ? element("p.small", null, `and ${grouped(named.length - 2000)} more in result.json`) : null));
  }

  begin() {}
  key() { return false; }
}
