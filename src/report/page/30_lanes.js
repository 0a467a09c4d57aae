// SPDX-License-Identifier: Apache-2.0
//
// The interleaving: one lane per thread, one row per step. The thread that runs
// is drawn strong, a switch as a crossing thread, and arrows lead from where a
// value or a turn comes from. Only rows on the screen exist as elements, so a run
// may have any length.
const kRow = 28, kNumbers = 60, kSpare = 12, kMap = 18;

class Lanes {
  constructor(witness, onSelect) {
    this.witness = witness;
    this.onSelect = onSelect;
    this.rows = [];
    this.rowOf = new Map();
    this.selected = -1;
    this.arrows = "all";
    this.head = element("div.lane-heads");
    this.picture = shape("svg.weave", { "aria-hidden": "true" });
    this.list = element("div.rows", { role: "listbox", "aria-label": "steps of the run" });
    this.space = element("div.space", null, this.picture, this.list);
    this.scroller = element("div.lanes", { tabindex: 0 }, this.head, this.space);
    this.map = element("canvas.map", { title: "the whole run" });
    this.hint = element("div.hint", { role: "tooltip" });
    this.node = element("div.weaving", null, this.scroller, this.map, this.hint);
    this.scroller.addEventListener("scroll", () => this.soon());
    this.map.addEventListener("pointerdown", (event) => this.jump(event));
    this.map.addEventListener("pointermove", (event) => event.buttons && this.jump(event));
    new ResizeObserver(() => { this.layout(); this.bring(this.selected); }).observe(this.scroller);
  }

  show(steps, lanes) {
    this.rows = steps;
    this.rowOf = new Map(steps.map((step, row) => [step.index, row]));
    this.lanes = lanes;  // numbers of threads, from left to right
    this.layout();
  }

  layout() {
    if (!this.lanes || !this.scroller.clientWidth) return;
    const count = Math.max(this.lanes.length, 1);
    this.width = Math.max(count > 4 ? 116 : 150, Math.min(300, (this.scroller.clientWidth - kNumbers - 60) / count));
    this.laneOf = new Map(this.lanes.map((thread, lane) => [thread, lane]));
    const whole = kNumbers + this.width * count + 60;
    replace(this.head, element("div.lane-head.number", null, "step"), this.lanes.map((thread) => this.laneHead(thread)));
    this.head.style.width = this.space.style.width = `${whole}px`;
    this.space.style.height = `${this.rows.length * kRow + 8}px`;
    this.paintMap();
    this.draw();
  }

  laneHead(thread) {
    const { name, function: called, colour } = this.witness.threads[thread];
    const head = element(`div.lane-head.c${colour}`, { title: `${name} ${called}` }, element("b", null, name), element("span", null, called));
    head.style.width = `${this.width}px`;
    return head;
  }

  x(thread) { return kNumbers + this.laneOf.get(thread) * this.width + 16; }
  y(row) { return row * kRow + kRow / 2; }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  draw() {
    const height = this.scroller.clientHeight, top = this.scroller.scrollTop - this.head.offsetHeight;
    const from = Math.max(0, Math.floor(top / kRow) - kSpare);
    const to = Math.min(this.rows.length, Math.ceil((top + height) / kRow) + kSpare);
    replace(this.list, this.rows.slice(from, to).map((step, i) => this.rowElement(step, from + i)));
    this.list.style.transform = `translateY(${from * kRow}px)`;
    drawWeave(this, from, to);
    this.drawMap();
  }

  rowElement(step, row) {
    const { colour } = this.witness.threads[step.thread];
    const before = this.rows[row - 1];
    const classes = [`c${colour}`, step.mark];
    if (step.index === this.selected) classes.push("selected");
    if (before && before.thread !== step.thread) classes.push("switch");
    if (step.quiet) classes.push("quiet");
    if (this.witness.culprits.has(step.index)) classes.push("culprit");
    const text = element("span.action", null, step.text);
    if (step.instead) text.append(element("i.instead", { title: `a passing run: ${step.instead}` }, "≠"));
    text.style.marginLeft = `${this.x(step.thread) - kNumbers + 12}px`;
    const node = element("div.row." + classes.join("."), { role: "option", "aria-selected": step.index === this.selected, "data-step": step.index },
      element("span.number", null, step.number ? grouped(step.number) : "…"), text);
    node.addEventListener("click", () => { this.onSelect(step.index); this.scroller.focus({ preventScroll: true }); });
    node.addEventListener("pointerenter", (event) => this.explain(step, event));
    node.addEventListener("pointerleave", () => this.hint.classList.remove("shown"));
    return node;
  }

  explain(step, event) {
    const box = this.node.getBoundingClientRect();
    const facts = stepFacts(this.witness, step).filter(([name]) => name !== "thread");
    replace(this.hint, element("b", null, step.text), facts.map(([name, value]) => element("div", null, element("i", null, name), element("span", null, String(value)))));
    this.hint.classList.add("shown");
    this.hint.style.left = `${Math.min(event.clientX - box.left + 18, box.width - 300)}px`;
    const below = event.clientY - box.top + 18;
    this.hint.style.top = `${below + this.hint.offsetHeight > box.height ? below - this.hint.offsetHeight - 30 : below}px`;
  }

  select(index, scroll) {
    this.selected = index;
    if (scroll) this.bring(index);
    this.draw();
  }

  // Scrolls only if the step is not on the screen, or at its edge.
  bring(index) {
    const row = this.rowOf.get(index), view = this.scroller;
    if (row === undefined) return;
    const room = view.clientHeight - this.head.offsetHeight, y = row * kRow;
    if (y < view.scrollTop + kRow * 2 || y > view.scrollTop + room - kRow * 3) view.scrollTop = y - room / 2;
    const x = this.x(this.rows[row].thread);
    if (x < view.scrollLeft + kNumbers || x > view.scrollLeft + view.clientWidth - 140) view.scrollLeft = x - view.clientWidth / 2;
  }

  // The step `distance` rows away from the selected one, or from where it would be.
  neighbour(distance) {
    let row = this.rowOf.get(this.selected);
    if (row === undefined) {
      const after = this.rows.findIndex((step) => step.index > this.selected);
      row = (after < 0 ? this.rows.length : after) - (distance > 0 ? 1 : 0);
    }
    return this.rows[Math.max(0, Math.min(this.rows.length - 1, row + distance))];
  }

  // The next step in a direction for which `test` holds.
  search(direction, test) {
    const start = this.rowOf.get(this.selected);
    if (start === undefined) return null;
    for (let row = start + direction; row >= 0 && row < this.rows.length; row += direction)
      if (test(this.rows[row], this.rows[row - 1])) return this.rows[row];
    return null;
  }

  // The whole run, painted once; `drawMap` adds what is on the screen.
  paintMap() {
    const height = this.scroller.clientHeight, width = kMap, scale = devicePixelRatio || 1;
    this.map.hidden = !height || this.space.offsetHeight <= height;
    if (this.map.hidden) return;
    this.map.width = width * scale;
    this.map.height = height * scale;
    this.map.style.height = `${height}px`;
    this.whole = element("canvas", { width: this.map.width, height: this.map.height });
    const pen = this.whole.getContext("2d"), style = getComputedStyle(document.documentElement);
    const colours = Array.from({ length: kColours }, (_, i) => style.getPropertyValue(`--thread-${i}`));
    this.ink = style.getPropertyValue("--ink");
    pen.scale(scale, scale);
    const each = height / Math.max(this.rows.length, 1), lane = (width - 4) / Math.max(this.lanes.length, 1);
    this.rows.forEach((step, row) => {
      pen.fillStyle = colours[this.witness.threads[step.thread].colour];
      pen.fillRect(2 + this.laneOf.get(step.thread) * lane, row * each, Math.max(lane, 1.5), Math.max(each, 0.7));
    });
    pen.fillStyle = style.getPropertyValue("--red");
    for (const index of this.witness.culprits) if (this.rowOf.has(index)) pen.fillRect(0, this.rowOf.get(index) * each - 1, width, Math.max(each, 3));
  }

  drawMap() {
    if (this.map.hidden || !this.whole) return;
    const pen = this.map.getContext("2d"), scale = devicePixelRatio || 1, height = this.map.height;
    const all = this.space.offsetHeight || 1, top = (this.scroller.scrollTop / all) * height;
    pen.clearRect(0, 0, this.map.width, height);
    pen.drawImage(this.whole, 0, 0);
    pen.lineWidth = scale;
    pen.strokeStyle = this.ink;
    pen.strokeRect(0.5, top + 0.5, this.map.width - 1, Math.max(6, (this.scroller.clientHeight / all) * height - 1));
  }

  jump(event) {
    const share = event.offsetY / this.map.clientHeight;
    this.scroller.scrollTop = share * this.space.offsetHeight - this.scroller.clientHeight / 2;
  }
}
