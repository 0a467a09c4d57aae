// SPDX-License-Identifier: Apache-2.0
//
// The frame: head, list of findings, the view that is open, keys.

const kKeys = [
  ["j  k  ↓  ↑", "next step, step before"], ["l  h  →  ←", "the same of this thread"], ["n  b", "next switch between threads, switch before"],
  ["o  O", "next, last access to the same object"], ["c  Enter", "go to where the value or the turn comes from"], ["d  D", "next, last difference from a run that passes"], ["f", "the failing step"],
  ["g  G", "first, last step"], ["p", "show or hide private steps"], ["/", "find"], ["[  ]", "finding before, next finding"], ["s", "the result as a whole"], ["e", "what was explored"], ["?", "this help"],
];

class Report {
  constructor(data) {
    Object.assign(this, data);
    document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.views = new Map();
    this.main = element("main");
    this.entries = this.listEntries();
    this.help = element("div.help", { role: "dialog", "aria-label": "keys", hidden: true, onclick: () => this.showHelp(false) },
      element("div.card", null, element("h2", null, "Keys"), element("dl", null, kKeys.map(([keys, text]) => [element("dt", null, keys.split(/\s+/).map((key) => element("kbd", null, key))), element("dd", null, text)]))));
    replace(document.getElementById("app"), this.header(), element("div.frame", null, this.sidebar(), this.main), this.help);
    document.addEventListener("keydown", (event) => this.key(event));
    this.openFromAddress();
    document.body.dataset.ready = "true";
  }

  header() {
    const { result } = this, verdict = entryOf(kVerdicts, result.verdict, ["open"]);
    const dark = element("button.step", { type: "button", title: "light or dark", onclick: () => this.changeTheme() }, "◐");
    return element("header.top", null, sign(), element("strong", null, "heddle"), element("span.command-name", null, result.command),
      element("span.program", null, (result.program && result.program.name) || ""), element(`span.pill.${verdict[0]}`, { id: "verdict" }, result.verdict), element("span.fill"),
      element("span.small", null, `${this.memoryText()}heddle ${result.version || ""}`), dark, element("button.step", { type: "button", title: "keys (?)", onclick: () => this.showHelp(true) }, "?"));
  }

  memoryText() {
    const memory = this.result.options && this.result.options.memory;
    return memory ? `memory model ${memory.toUpperCase()}  ·  ` : "";
  }

  listEntries() {
    const entries = (this.result.findings || []).map((finding, number) => ({ name: `finding-${number + 1}`, finding, make: () => new FindingView(this, number) }));
    if (this.result.command === "propagate") entries.push({ name: "campaign", title: "Campaign", make: () => new CampaignView(this) });
    if (this.exploration && this.exploration.branches.length > 1) entries.push({ name: "exploration", title: "What was explored", make: () => new ExplorationView(this) });
    entries.push({ name: "result", title: "Result and figures", make: () => new SummaryView(this) });
    return entries;
  }

  sidebar() {
    const findings = this.entries.filter((entry) => entry.finding);
    const card = (entry) => {
      const { finding } = entry, kind = entryOf(this.kinds, finding.kind), place = (finding.places || [])[0];
      return element("button.entry", { type: "button", "data-entry": entry.name, onclick: () => this.open(entry.name) },
        element("span.kind", null, kind ? kind.title : finding.kind, finding.confirmed || finding.validated || this.result.command === "record" ? null : element("i", null, "unconfirmed")),
        element("span.text", null, finding.message), place ? element("span.where", null, `${String(place.file).split("/").pop() || "?"}:${place.line}`) : null);
    };
    return element("nav.side", { "aria-label": "findings" },
      element("h2", null, findings.length ? counted(findings.length, "finding") : this.result.command === "propagate" ? "A campaign of faults" : "No findings"), findings.map(card),
      element("div.others", null, this.entries.filter((entry) => !entry.finding).map((entry) =>
        element("button.entry.plain", { type: "button", "data-entry": entry.name, onclick: () => this.open(entry.name) }, entry.title))));
  }

  open(name, step) {
    const first = this.entries.find((one) => one.finding || one.name === "campaign") || this.entries[this.entries.length - 1];
    const entry = this.entries.find((one) => one.name === name) || first;
    if (!this.views.has(entry.name)) this.views.set(entry.name, entry.make());
    this.current = entry.name;
    this.view = this.views.get(entry.name);
    replace(this.main, this.view.node);
    for (const button of document.querySelectorAll(".entry")) button.setAttribute("aria-current", String(button.dataset.entry === entry.name));
    this.setAddress(entry.name);
    this.view.begin(step === undefined ? -1 : step);
  }

  // "#finding-2.17": a step of a finding, so that a place in a report can be sent to others.
  openFromAddress() {
    const [name, step] = decodeURIComponent(location.hash.slice(1)).split(".");
    this.open(name, step === undefined ? -1 : Number(step));
  }

  // When one rests at a step; browsers object to an address that changes with every key.
  remember(number, step) {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.setAddress(`finding-${number + 1}.${step}`), 300);
  }

  setAddress(name) {
    clearTimeout(this.later);
    try { history.replaceState(null, "", `#${name}`); } catch { /* some viewers forbid it; the page works without */ }
  }

  changeTheme() {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    if (this.view.lanes) this.view.lanes.layout();
  }

  showHelp(show) { this.help.hidden = !show; }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      this.showHelp(false);
      if (document.activeElement) document.activeElement.blur();
      return;
    }
    const at = event.target;
    if (at instanceof HTMLInputElement && at.type === "search" || at instanceof HTMLSelectElement) return;
    if (event.key === "Enter" && at instanceof HTMLElement && at.matches("button, summary, tr")) return;
    const own = { "?": () => this.showHelp(this.help.hidden), "[": () => this.turn(-1), "]": () => this.turn(1), s: () => this.open("result") };
    if (this.entries.some((entry) => entry.name === "exploration")) own.e = () => this.open("exploration");
    if (own[event.key]) own[event.key]();
    else if (!this.view.key(event)) return;
    event.preventDefault();
  }

  turn(distance) {
    const at = this.entries.findIndex((entry) => entry.name === this.current) + distance;
    if (at >= 0 && at < this.entries.length) this.open(this.entries[at].name);
  }
}

new Report(JSON.parse(document.getElementById("data").textContent));
