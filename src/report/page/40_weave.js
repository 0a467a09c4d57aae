// SPDX-License-Identifier: Apache-2.0
//
// The picture behind the rows: lanes, the thread that runs, knots, arrows.
const kArrowColours = { reads: "--arrow-reads", flush: "--arrow-flush", lock: "--arrow-lock", signal: "--arrow-signal", thread: "--arrow-thread", held: "--red" };

// Rows [from, to) and all arrows that begin, end or pass there.
function drawWeave(view, from, to) {
  const { witness, rows } = view;
  const offset = from * kRow, height = Math.max((to - from) * kRow, 1);
  const y = (row) => view.y(row) - offset;
  const layers = { lanes: shape("g"), run: shape("g"), arrows: shape("g"), knots: shape("g") };

  for (const thread of view.lanes) {
    const own = witness.threads[thread].steps;
    const first = rowNear(view, own[0]), last = rowNear(view, own[own.length - 1]);
    const top = Math.max(y(first), 0), bottom = Math.min(y(last), height);
    if (top <= bottom) layers.lanes.append(shape(`path.lane.c${witness.threads[thread].colour}`, { d: `M${view.x(thread)} ${top}V${bottom}` }));
  }
  for (let row = Math.max(from, 1); row < Math.min(to + 1, rows.length); ++row) {
    const a = rows[row - 1], b = rows[row], x1 = view.x(a.thread), x2 = view.x(b.thread);
    if (a.thread === b.thread) {
      layers.run.append(shape(`path.run.c${witness.threads[a.thread].colour}`, { d: `M${x1} ${y(row - 1)}V${y(row)}` }));
    } else {
      const middle = (y(row - 1) + y(row)) / 2;
      layers.run.append(shape("path.crossing", { d: `M${x1} ${y(row - 1)}C${x1} ${middle + 4} ${x2} ${middle - 4} ${x2} ${y(row)}` }));
    }
  }
  for (let row = from; row < to; ++row) layers.knots.append(knot(rows[row], view.x(rows[row].thread), y(row), witness));
  if (view.arrows !== "none") drawArrows(view, from, to, y, layers.arrows);

  const width = parseFloat(view.space.style.width);
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) view.picture.setAttribute(name, value);
  view.picture.style.transform = `translateY(${offset}px)`;
  replace(view.picture, arrowHeads(), layers.lanes, layers.run, layers.arrows, layers.knots);
}

// The row of a step, or where it would be if it were shown.
function rowNear(view, index) {
  const row = view.rowOf.get(index);
  if (row !== undefined) return row;
  let low = 0, high = view.rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.rows[middle].index < index) low = middle + 1; else high = middle;
  }
  return low - 0.5;
}

function drawArrows(view, from, to, y, layer) {
  const chosen = view.selected, strong = [];
  const draw = (step) => {
    if (step.cause === "none" || step.causeStep < 0 || !view.rowOf.has(step.causeStep)) return;
    const cause = view.witness.steps[step.causeStep];
    const matters = step.index === chosen || cause.index === chosen;
    const isPlain = step.cause === "thread" || (cause.thread === step.thread && step.cause !== "flush");
    if (!matters && (view.arrows === "selected" || isPlain)) return;
    const path = arrow(view, cause, step, y, matters);
    if (matters) strong.push(path); else layer.append(path);
  };
  for (let row = from; row < to; ++row) draw(view.rows[row]);
  // Those of the selected step, also when their other end is not on the screen.
  const row = view.rowOf.get(chosen);
  if (row !== undefined && (row < from || row >= to)) draw(view.rows[row]);
  for (const step of effectsOf(view.witness, chosen)) {
    const at = view.rowOf.get(step.index);
    if (at !== undefined && (at < from || at >= to)) draw(step);
  }
  layer.append(...strong);
}

function effectsOf(witness, index) {
  if (!witness.effects) {
    witness.effects = new Map();
    for (const step of witness.steps) {
      if (step.causeStep < 0) continue;
      if (!witness.effects.has(step.causeStep)) witness.effects.set(step.causeStep, []);
      witness.effects.get(step.causeStep).push(step);
    }
  }
  return witness.effects.get(index) || [];
}

function arrow(view, cause, step, y, matters) {
  const x1 = view.x(cause.thread), x2 = view.x(step.thread);
  const y1 = y(view.rowOf.get(cause.index)), y2 = y(view.rowOf.get(step.index));
  let d;
  if (x1 === x2) {
    const bend = Math.min(30, 9 + (y2 - y1) / 14);
    d = `M${x1 - 5} ${y1}C${x1 - bend} ${y1 + 4} ${x1 - bend} ${y2 - 4} ${x2 - 7} ${y2}`;
  } else {
    const side = x2 > x1 ? 1 : -1, pull = Math.min(Math.abs(x2 - x1) * 0.45, 90);
    d = `M${x1 + 6 * side} ${y1 + 2}C${x1 + pull * side} ${y1 + 8} ${x2 - pull * side} ${y2 - 8} ${x2 - 9 * side} ${y2 - 1}`;
  }
  return shape(`path.arrow.${step.cause}${matters ? ".matters" : ""}`, { d, "marker-end": `url(#head-${step.cause})` });
}

function arrowHeads() {
  return shape("defs", null, Object.keys(kArrowColours).map((kind) =>
    shape(`marker.${kind}`, { id: `head-${kind}`, viewBox: "0 0 8 8", refX: 6.5, refY: 4, markerWidth: 6.5, markerHeight: 6.5, orient: "auto", markerUnits: "userSpaceOnUse" },
      shape("path", { d: "M0 .6L7.4 4L0 7.4L1.8 4Z" }))));
}

function knot(step, x, y, witness) {
  const name = knotOf(step), classes = `knot.${name}.c${witness.threads[step.thread].colour}`;
  switch (name) {
    case "ring": return shape(`circle.${classes}`, { cx: x, cy: y, r: 4.5 });
    case "disc": return shape(`circle.${classes}`, { cx: x, cy: y, r: 5 });
    case "half": return shape(`g.${classes}`, null, shape("circle", { cx: x, cy: y, r: 5 }), shape("path", { d: `M${x} ${y - 5}a5 5 0 0 0 0 10z` }));
    case "drop": return shape(`path.${classes}`, { d: `M${x - 5.5} ${y - 4}h11l-5.5 9z` });
    case "square": return shape(`rect.${classes}`, { x: x - 4.5, y: y - 4.5, width: 9, height: 9, rx: 1.5 });
    case "cross": return shape(`g.${classes}`, null, shape("circle", { cx: x, cy: y, r: 8 }), shape("path", { d: `M${x - 3} ${y - 3}l6 6m0-6l-6 6` }));
    default: return shape(`circle.${classes}`, { cx: x, cy: y, r: 3 });
  }
}
