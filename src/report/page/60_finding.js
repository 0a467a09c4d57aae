// SPDX-License-Identifier: Apache-2.0
//
// One finding: what it is, and the run that shows it, with filters and keys.

class FindingView {
  constructor(report, number) {
    this.report = report;
    this.number = number;
    this.finding = report.result.findings[number];
    this.filter = { hidden: new Set(), object: -1, text: "", quiet: false };
    const raw = report.witnesses[number];
    this.witness = raw && raw.steps.length ? new Witness(raw, report.files) : null;
    this.node = element("article.finding", null, this.heading());
    if (!this.witness) {
      const recorded = "A recording has the way of each thread, not what threads did to each other; that is why it costs so little. " +
        (report.replays[number] ? "The command above looks for an order of the threads that explains it, and runs it." : "The recording of this run was not kept.");
      this.node.append(element("p.empty", null, report.result.command === "record" ? recorded : this.finding.doubt || "There is no trace of a run that shows it."));
      return;
    }
    this.lanes = new Lanes(this.witness, (index) => this.select(index, false));
    this.lanes.arrows = this.witness.steps.length > 2000 ? "selected" : "all";
    this.source = new SourcePane(this.witness);
    this.details = element("section.details", { "aria-live": "polite" });
    this.node.append(this.toolbar(), element("div.workplace", null, this.lanes.node, element("aside.beside", null, this.details, this.source.node)));
  }

  heading() {
    const { finding, report } = this;
    const kind = entryOf(report.kinds, finding.kind);
    const state = report.result.command === "record" ? ["recorded", "it happened in a run at production speed"] : finding.confirmed ? ["confirmed", "run again in a fresh process: it happened again"]
      : finding.validated ? ["validated", "the order is possible on the trace; without the program it was not run"] : ["unconfirmed", finding.doubt || "it did not happen again"];
    const at = (place) => `${place.file || "?"}:${place.line}${place.function ? " in " + place.function : ""}`;
    const held = (lock) => `${lock.lock}${lock.shared ? " (shared)" : ""}${lock.taken ? ", taken at " + at(lock.taken) : ""}`;
    const places = (finding.places || []).map((place) => element("span.place", null, element("b", null, place.thread), ` ${place.action ? place.action + " at " : ""}${at(place)}`,
      (place.locks || []).length ? element("i", null, ` holding ${place.locks.map(held).join("; ")}`) : null));
    const ordered = (finding.ordered_by || []).map(({ from, to }) => element("li", null, `${from.thread} ${from.action} at ${at(from)}, then ${to.thread} ${to.action} at ${at(to)}`));
    return element("header.finding-head", null,
      element("div.what", null, element("h1", null, kind ? kind.title : finding.kind), element(`span.state.${state[0]}`, { title: state[1] }, state[0]),
        finding.enabled_at_once ? element("span.state.plain", { title: "both accesses are the next step of their threads at one moment" }, "enabled at once") : null),
      element("p.message", null, finding.message), element("div.places", null, places),
      ordered.length ? element("details.explanation", null, element("summary", null, "In the run that was seen they are ordered by"), element("ul", null, ordered)) : null,
      report.replays[this.number] ? commandLine(report.replays[this.number]) : null,
      kind ? element("details.explanation", null, element("summary", null, "What this is, and what helps"), element("p", null, kind.summary),
        kind.help.split("\n\n").map((text) => element("p", null, text))) : null);
  }

  toolbar() {
    const { witness, filter } = this;
    const chips = witness.threads.map((thread, number) => {
      const chip = element(`button.chip.c${thread.colour}`, { type: "button", "aria-pressed": "true", title: `show or hide ${thread.name}`, "data-thread": number },
        thread.name, element("span", null, thread.function));
      chip.addEventListener("click", () => {
        if (!filter.hidden.delete(number)) filter.hidden.add(number);
        chip.setAttribute("aria-pressed", String(!filter.hidden.has(number)));
        this.refresh();
      });
      return chip;
    });
    const objects = witness.objects.map((object, i) => ({ ...object, i })).sort((a, b) => b.steps - a.steps || a.i - b.i);
    const choose = element("select.objects", { "aria-label": "object", onchange: (event) => { filter.object = Number(event.target.value); this.refresh(); } },
      element("option", { value: -1 }, "all objects"), objects.map((object) => element("option", { value: object.i }, `${object.name} (${object.steps})`)));
    this.search = element("input.search", { type: "search", placeholder: "find steps   /", "aria-label": "find steps", oninput: (event) => { filter.text = event.target.value; this.refresh(); } });
    this.quietBox = element("input", { type: "checkbox", onchange: (event) => { filter.quiet = event.target.checked; this.refresh(); } });
    const arrows = element("select.arrows", { "aria-label": "arrows", onchange: (event) => { this.lanes.arrows = event.target.value; this.lanes.draw(); } },
      [["all", "all arrows"], ["selected", "its arrows"], ["none", "no arrows"]].map(([value, text]) => element("option", { value, selected: value === this.lanes.arrows }, text)));
    const quiet = witness.steps.filter((step) => step.quiet).length;
    this.position = element("span.position", { id: "position" });
    const button = (text, title, act) => element("button.step", { type: "button", title, onclick: act }, text);
    return element("div.toolbar", null, element("div.chips", null, chips), choose, this.search,
      element("label.quiet-box", { title: "steps on memory that no other thread touches (p)" }, this.quietBox, `${grouped(quiet)} private`), arrows, element("span.fill"),
      element("div.steps", null, this.position, button("‹", "step before (k, ↑)", () => this.move(-1)), button("›", "next step (j, ↓)", () => this.move(1)),
        button(this.finding.kind === "race" ? "the race" : "failing step", "where it fails (f)", () => this.select(this.witness.first, true))));
  }

  begin(step) {
    if (!this.witness) return;
    this.refresh();
    this.select(step >= 0 && step < this.witness.steps.length ? step : this.witness.first, true);
    this.lanes.scroller.focus({ preventScroll: true });
  }

  refresh() {
    const shown = this.witness.visible(this.filter);
    const threads = this.witness.threads.map((_, number) => number).filter((number) => !this.filter.hidden.has(number));
    this.lanes.show(shown, threads);
    this.tellPosition();
  }

  move(distance) {
    const step = this.lanes.neighbour(distance);
    if (step) this.select(step.index, true);
  }

  go(direction, test) {
    const step = this.lanes.search(direction, test);
    if (step) this.select(step.index, true);
  }

  select(index, scroll) {
    this.selected = index;
    const step = this.witness.steps[index];
    this.lanes.select(index, scroll);
    this.showDetails(step);
    this.source.show(step);
    this.tellPosition();
    this.report.remember(this.number, index);
  }

  tellPosition() {
    const step = this.witness.steps[this.selected], all = this.witness.steps.length;
    if (step) this.position.textContent = `${step.number ? "step " + grouped(step.number) : "the end"} of ${grouped(all)}` +
      (this.lanes.rows.length < all ? `, ${grouped(this.lanes.rows.length)} shown` : "");
  }

  showDetails(step) {
    const link = (index) => element("button.link", { type: "button", onclick: () => this.reveal(index) }, `${this.witness.steps[index].number || "end"}`);
    const rows = stepFacts(this.witness, step).map(([name, value]) => [element("dt", null, name), element("dd", null, value)]);
    if (step.cause !== "none" && step.causeStep >= 0)
      rows.push([element("dt", null, "cause"), element("dd", null, `${kCauseWords[step.cause]} `, link(step.causeStep), `: ${this.witness.steps[step.causeStep].text}`)]);
    else if (step.kind === "load") rows.push([element("dt", null, "cause"), element("dd", null, "reads what was there before any step wrote it")]);
    const effects = effectsOf(this.witness, step.index);
    if (effects.length) rows.push([element("dt", null, "leads to"), element("dd", null, effects.slice(0, 12).map((effect) => [link(effect.index), " "]).flat(), effects.length > 12 ? `and ${effects.length - 12} more` : null)]);
    replace(this.details, element(`h2.c${this.witness.threads[step.thread].colour}`, null, step.text), element("dl", null, rows));
  }

  // Selects a step that a filter may hide.
  reveal(index) {
    const step = this.witness.steps[index];
    if (!this.lanes.rowOf.has(index)) {
      if (step.quiet) this.filter.quiet = this.quietBox.checked = true;
      this.filter.object = -1;
      this.node.querySelector("select.objects").value = "-1";
      this.filter.text = this.search.value = "";
      this.filter.hidden.clear();
      for (const chip of this.node.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", "true");
      this.refresh();
    }
    this.select(index, true);
  }

  // True: the key meant something.
  key(event) {
    if (!this.witness) return false;
    const step = this.witness.steps[this.selected], page = Math.max(5, Math.floor(this.lanes.scroller.clientHeight / kRow) - 4);
    const keys = {
      j: () => this.move(1), ArrowDown: () => this.move(1), k: () => this.move(-1), ArrowUp: () => this.move(-1),
      PageDown: () => this.move(page), PageUp: () => this.move(-page),
      g: () => this.move(-Infinity), Home: () => this.move(-Infinity), G: () => this.move(Infinity), End: () => this.move(Infinity),
      l: () => this.go(1, (other) => other.thread === step.thread), ArrowRight: () => this.go(1, (other) => other.thread === step.thread),
      h: () => this.go(-1, (other) => other.thread === step.thread), ArrowLeft: () => this.go(-1, (other) => other.thread === step.thread),
      n: () => this.go(1, (other, before) => before && before.thread !== other.thread), b: () => this.go(-1, (other, before) => before && before.thread !== other.thread),
      o: () => step.object >= 0 && this.go(1, (other) => other.object === step.object), O: () => step.object >= 0 && this.go(-1, (other) => other.object === step.object),
      c: () => step.causeStep >= 0 && this.reveal(step.causeStep), Enter: () => step.causeStep >= 0 && this.reveal(step.causeStep),
      d: () => this.go(1, (other) => other.instead), D: () => this.go(-1, (other) => other.instead),
      f: () => this.reveal(this.witness.first), "/": () => this.search.focus(),
      p: () => { this.filter.quiet = this.quietBox.checked = !this.filter.quiet; this.refresh(); this.select(this.selected, true); },
    };
    if (!keys[event.key]) return false;
    keys[event.key]();
    return true;
  }
}
