// SPDX-License-Identifier: Apache-2.0
//
// What a check explored: executions as a tree, parting where another thread goes on
// or a read sees something else, with how many there are below each branch and how
// they end. Branches open and close by click and by keys.

const kFirstRows = 40, kMostBranches = 1500;

class ExplorationView {
  constructor(report) {
    const { branches, left_out: leftOut } = report.exploration;
    const product = report.result.stats && report.result.stats.product_states;
    this.branches = branches.map(([parent, step, steps, thread, text, place, executions, blocked, failed], number) =>
      ({ number, parent, step, steps, thread, text, place, executions, blocked, failed, children: [], depth: 0, isOpen: false }));
    this.threads = new Map();
    for (const branch of this.branches) {
      if (branch.thread && !this.threads.has(branch.thread)) this.threads.set(branch.thread, this.threads.size % kColours);
      if (branch.number === 0) continue;
      const parent = this.branches[branch.parent];
      parent.children.push(branch);
      branch.depth = parent.depth + 1;
    }
    this.root = this.branches[0];
    this.selected = this.root;
    this.openSome();
    this.list = element("div.branches", { role: "tree" });
    const failed = this.root.failed ? `, ${grouped(this.root.failed)} failed` : "", blocked = this.root.blocked ? `, ${grouped(this.root.blocked)} blocked` : "";
    this.node = element("article.exploration", null, element("header", null, element("h1", null, "What was explored"),
      element("p", null, `${counted(this.root.executions, "execution")}${failed}${blocked}. Executions share their beginnings; a branch is where another thread goes on, or a read sees something else. Bars show how many executions lie below.`),
      product ? element("p", null, `They showed what each thread does; all other orders were explored without running the program, as ${counted(product, "state")} of the threads together.`) : null,
      leftOut ? element("p", null, `${counted(leftOut, "later execution")} are not in this tree.`) : null), this.list);
    this.draw();
  }

  // From the top, level by level, while the page stays short; and the way to what fails.
  openSome() {
    let rows = 1;
    for (let level = [this.root]; level.length && rows + level.length <= kFirstRows; level = level.flatMap((branch) => branch.children)) {
      for (const branch of level) {
        if (rows + branch.children.length > kFirstRows) break;
        branch.isOpen = true;
        rows += branch.children.length;
      }
    }
    for (let branch = this.root; branch; branch = branch.children.find((child) => child.failed || child.blocked)) branch.isOpen = branch.failed > 0 || branch.blocked > 0 || branch.isOpen;
  }

  shown() {
    const rows = [], open = [this.root];
    while (open.length && rows.length < kMostBranches) {
      const branch = open.pop();
      rows.push(branch);
      if (branch.isOpen) open.push(...[...branch.children].reverse());
    }
    return rows;
  }

  draw() {
    this.rows = this.shown();
    replace(this.list, this.rows.map((branch) => this.row(branch)));
  }

  row(branch) {
    const share = element("i.share", { title: `${branch.executions} of ${this.root.executions} executions` });
    share.style.width = `${(100 * branch.executions) / this.root.executions}%`;
    const what = element("span.what", null, element("span.fold", null, branch.children.length ? (branch.isOpen ? "▾" : "▸") : "·"), element("span.at", null, `${branch.step + 1}`),
      element("b", null, branch.thread), element("code", { title: `then ${counted(branch.steps, "step")} in the same way` }, branch.number ? branch.text : "all begin alike"), element("span.where", null, branch.place));
    what.style.paddingLeft = `${Math.min(branch.depth, 40) * 14}px`;
    const ends = [branch.failed ? `${grouped(branch.failed)} failed` : "", branch.blocked ? `${grouped(branch.blocked)} blocked` : ""].filter(Boolean).join(", ");
    const tone = branch.failed ? ".fails" : branch.blocked ? ".blocks" : "";
    return element(`div.branch.c${this.threads.get(branch.thread) || 0}${tone}${branch === this.selected ? ".selected" : ""}`,
      { role: "treeitem", "data-branch": branch.number, "aria-expanded": branch.children.length ? String(branch.isOpen) : null, onclick: () => this.choose(branch, !branch.isOpen) },
      what, element("span", null, share), element("span.count", null, grouped(branch.executions)), element("span.ends", null, ends));
  }

  choose(branch, isOpen) {
    this.selected = branch;
    branch.isOpen = isOpen;
    this.draw();
    const row = this.list.children[this.rows.indexOf(branch)];
    if (row) row.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const at = this.rows.indexOf(this.selected), branch = this.selected;
    const go = (place) => { if (this.rows[place]) this.choose(this.rows[place], this.rows[place].isOpen); };
    const next = () => go(at + 1), before = () => go(at - 1);
    const open = () => (branch.isOpen || !branch.children.length ? next() : this.choose(branch, true));
    const close = () => (branch.isOpen && branch.children.length ? this.choose(branch, false) : go(this.rows.indexOf(this.branches[branch.parent])));
    const keys = { j: next, ArrowDown: next, k: before, ArrowUp: before, l: open, ArrowRight: open, h: close, ArrowLeft: close, g: () => go(0), G: () => go(this.rows.length - 1),
      Enter: () => this.choose(branch, !branch.isOpen), f: () => go(this.rows.findIndex((row, place) => place > at && row.failed && !row.children.length)) };
    if (!keys[event.key]) return false;
    keys[event.key]();
    return true;
  }

  begin() {}
}
