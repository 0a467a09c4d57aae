// SPDX-License-Identifier: Apache-2.0
//
// A campaign of faults: how many deviated and how they ended, who passed errors
// to whom, which functions are sensitive, and each experiment.

const kOutcomes = ["benign", "sdc", "detected", "crash", "hang", "refused"];
const kOutcomeWords = {
  benign: "ended as without the fault", sdc: "silent data corruption: other output, no sign", detected: "the program noticed",
  crash: "ended by a signal", hang: "did not end", refused: "asked for what no run may do, and was ended there",
};
const kMostRows = 400;

class CampaignView {
  constructor(report) {
    this.report = report;
    this.campaign = report.campaign;
    this.faults = (report.result.stats && report.result.stats.faults) || [];
    this.filter = { outcome: "", text: "" };
    this.node = element("article.campaign", null, element("header", null, element("h1", null, "Where errors went"),
      element("p", null, "Each experiment is a run with one fault, compared with the run without. A thread deviates when it does something else than without the fault; coverage is the share of injected faults after which one did.")),
      this.legend(), this.coverage(), this.campaign ? [this.graph(), this.functions(), this.experiments()] : element("p.empty", null, "The experiments could not be read."));
  }

  legend() {
    return element("div.legend", null, kOutcomes.map((name) => element("span", { title: kOutcomeWords[name] }, element(`i.swatch.${name}`), name)));
  }

  coverage() {
    const rows = this.faults.map((fault) => {
      const share = (count) => `${(100 * count) / Math.max(fault.injected, 1)}%`;
      const bar = element("div.bar");
      for (const name of kOutcomes) {
        const count = (fault.deviated_by_outcome || {})[name] || 0;
        if (!count) continue;
        const piece = element(`i.${name}`, { title: `${name}: ${count} of ${fault.injected}` });
        piece.style.width = share(count);
        bar.append(piece);
      }
      if (typeof fault.coverage_low === "number" && fault.injected) {
        const whisker = element("em", { title: `95 % interval: ${(100 * fault.coverage_low).toFixed(1)} to ${(100 * fault.coverage_high).toFixed(1)} %` });
        whisker.style.left = `${100 * fault.coverage_low}%`;
        whisker.style.width = `${100 * (fault.coverage_high - fault.coverage_low)}%`;
        bar.append(whisker);
      }
      return element("div.bar-row", null, element("span.name", null, fault.fault), bar,
        element("span.share", null, typeof fault.coverage === "number" ? `${(100 * fault.coverage).toFixed(1)} %` : "none"), element("span.of", null, `of ${grouped(fault.injected)}`));
    });
    return element("section", null, element("h2", null, "Coverage by fault"), element("div.bars", null, rows));
  }

  // Threads on a line; an arc from left to right above it, back below it.
  graph() {
    const { threads, crossings } = this.campaign;
    const shown = crossings.filter((edge) => edge.from && edge.from !== edge.to);
    const unknown = crossings.filter((edge) => !edge.from);
    const gap = Math.max(120, Math.min(220, 900 / Math.max(threads.length, 1))), width = gap * threads.length, reach = Math.min(240, 60 + 26 * threads.length);
    const x = new Map(threads.map((thread, i) => [thread.name, gap * (i + 0.5)]));
    const most = Math.max(1, ...shown.map((edge) => edge.count)), middle = reach + 10;
    const detail = element("div.edge-detail", null, "Point at an arc to see through which objects errors passed.");
    const describe = (edge) => replace(detail, element("b", null, `${edge.from || "unknown"} → ${edge.to}`), ` ${counted(edge.count, "experiment")}, through `,
      edge.through.map(([object, count], i) => [i ? ", " : "", element("code", null, object), ` ${count}`]));
    const arcs = shown.filter((edge) => x.has(edge.from) && x.has(edge.to)).map((edge) => {
      const a = x.get(edge.from), b = x.get(edge.to), side = b > a ? -1 : 1;
      const lift = Math.min(reach, Math.abs(b - a) * 0.55) * side, y = middle + 20 * side;
      const path = shape("path.arc", { d: `M${a} ${y}C${a} ${y + lift} ${b} ${y + lift} ${b} ${y}`, "stroke-width": 1.5 + 7 * Math.sqrt(edge.count / most), tabindex: 0 });
      for (const kind of ["pointerenter", "focus"]) path.addEventListener(kind, () => describe(edge));
      const label = shape("text.arc-label", { x: (a + b) / 2, y: y + lift * 0.75 + (side < 0 ? -6 : 14) }, grouped(edge.count));
      return [path, label, shape("path.arc-head", { d: `M${b - 5} ${y + 9 * side}L${b} ${y}L${b + 5} ${y + 9 * side}` })];
    });
    const nodes = threads.map((thread, i) => shape(`g.node.c${i % kColours}`, null, shape("title", null, `${thread.name}: ${thread.faults} faults, reached by ${thread.reached} errors`),
      shape("rect", { x: x.get(thread.name) - 46, y: middle - 18, width: 92, height: 36, rx: 18 }),
      shape("text", { x: x.get(thread.name), y: middle - 2 }, thread.name), shape("text.small", { x: x.get(thread.name), y: middle + 11 }, `${thread.faults} in, ${thread.reached} hit`)));
    return element("section", null, element("h2", null, "Errors between threads"),
      threads.length ? element("div.scrolling", null, shape("svg.graph", { width, height: 2 * middle, viewBox: `0 0 ${width} ${2 * middle}`, role: "img" }, arcs.flat(), nodes)) : element("p.empty", null, "No fault was injected."),
      detail, unknown.length ? element("p.small", null, `${counted(unknown.reduce((sum, edge) => sum + edge.count, 0), "crossing")} on ways that are not known (a thread that took another path wrote what it would not have written).`) : null);
  }

  functions() {
    const rows = this.campaign.functions.slice(0, 40).map((one) => {
      const bar = element("div.bar");
      for (const name of kOutcomes) {
        if (!one.outcomes[name]) continue;
        const piece = element(`i.${name}`, { title: `${name}: ${one.outcomes[name]} of ${one.injected}` });
        piece.style.width = `${(100 * one.outcomes[name]) / one.injected}%`;
        bar.append(piece);
      }
      return element("div.bar-row", null, element("span.name", { title: one.name }, one.name || "unknown"), bar, element("span.share", null, grouped(one.injected)), element("span.of", null, "faults"));
    });
    return element("section", null, element("h2", null, "How faults in each function ended"), element("div.bars", null, rows));
  }

  experiments() {
    const body = element("tbody"), note = element("p.small"), command = element("div.chosen");
    const choose_row = (row, node) => {
      for (const other of body.children) other.classList.toggle("selected", other === node);
      replace(command, commandLine(this.injectCommand(row[0])), wayOfError(this.campaign.ways, row));
    };
    const fill = () => {
      const words = this.filter.text.toLowerCase();
      const wanted = this.campaign.experiments.filter((row) => (!this.filter.outcome || row[6] === this.filter.outcome) && (!words || row.join(" ").toLowerCase().includes(words)));
      replace(body, wanted.slice(0, kMostRows).map((row) => {
        const [name, thread, called, place, instruction, detail, outcome, injected, deviated, until, reason] = row;
        const open = (event) => choose_row(row, event.currentTarget);
        return element("tr", { tabindex: 0, onclick: open, onkeydown: (event) => { if (event.key === "Enter") open(event); } }, element("td.mono", null, name), element("td.mono", null, thread), element("td.mono", { title: place }, called),
          element("td", { title: place }, `${instruction}, ${detail}`), element("td", { title: reason }, element(`i.swatch.${outcome}`), injected ? outcome : "not injected"), element("td.right", null, deviated ? grouped(until) : ""));
      }));
      note.textContent = `${counted(wanted.length, "experiment")}` + (wanted.length > kMostRows ? `, the first ${kMostRows} shown` : "") + ". A click shows the way of the error, and the command that runs it again.";
    };
    const choose = element("select", { "aria-label": "outcome", onchange: (event) => { this.filter.outcome = event.target.value; fill(); } }, element("option", { value: "" }, "all outcomes"), kOutcomes.map((name) => element("option", { value: name }, name)));
    const search = element("input.search", { type: "search", placeholder: "find experiments", "aria-label": "find experiments", oninput: (event) => { this.filter.text = event.target.value; fill(); } });
    fill();
    return element("section", null, element("h2", null, "Experiments"), element("div.toolbar", null, choose, search), command, element("div.scrolling.tall", null,
      element("table.experiments", null, element("thead", null, element("tr", null, ["experiment", "thread", "function", "fault", "outcome", "instructions until it deviates"].map((name) => element("th", null, name)))), body)), note);
  }

  injectCommand(name) {
    const invocation = this.report.result.invocation || {};
    const quoted = (word) => (/^[\w./:=+-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
    const options = this.report.result.options || {};
    const given = ["optimised", "function", "file", "instruction", "thread", "bits"].filter((name) => Object.hasOwn(options, name))
      .map((name) => (name === "optimised" ? "--optimised" : `--${name}=${quoted(String(options[name]))}`));
    const flags = (invocation.cflags || []).map((text) => `--cflags=${quoted(text)}`);
    const rest = (invocation.arguments || []).length ? ["--", ...invocation.arguments.map(quoted)] : [];
    return ["heddle inject", ...(invocation.inputs || []).map(quoted), ...flags, ...given, `--experiment=${name}`, this.report.result.seed ? `--seed=${this.report.result.seed}` : "", ...rest].filter(Boolean).join(" ");
  }

  begin() {}
  key() { return false; }
}
