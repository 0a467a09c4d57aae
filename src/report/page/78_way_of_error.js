// SPDX-License-Identifier: Apache-2.0
//
// The way of the error in one experiment: a line for each thread it reached, below them one for each object that was
// corrupted, and time from left to right. Times only say what followed from what; things of different threads at the
// same time have nothing to do with each other.

const kWayColumn = 84, kWayRow = 40, kWayMost = 40;
const kWayWords = {
  fault: "the fault", value: "another value", path: "another way", end: "ended early", blocked: "waits for ever", crash: "crashed",
  "extra-thread": "only here", "missing-thread": "never began", corrupts: "corrupted",
};

function wayOfError(ways, row) {
  const [name, , , place, instruction, detail, outcome, injected, , , reason] = row;
  const told = ways && entryOf(ways.of, name, null);
  const head = element("h3", null, `The way of ${name}`), ending = `${instruction}, ${detail} at ${place}: ${outcome}` + (reason ? ` (${reason})` : "");
  if (!injected) return element("div.way", null, head, element("p.empty", null, "The run ended before the fault."));
  if (!told) return element("div.way", null, head, element("p.empty", null, `${ending}. This page had no room for its way; the command above shows it.`));
  const word = (number) => (number >= 0 ? ways.names[number] : "");
  const events = told.events.map(([time, thread, kind, index, object, from, through]) => ({ time, thread: word(thread), kind: word(kind), index, object: word(object), from: word(from), through: word(through) }));
  return element("div.way", null, head, element("p.small", null, ending + "."), drawWay(events),
    told.left_out ? element("p.small", null, `${counted(told.left_out, "later event")} left out.`) : null);
}

function drawWay(events) {
  const unique = (list) => [...new Set(list)];
  const threads = unique(events.map((event) => event.thread));
  const all = unique(events.filter((event) => event.object).map((event) => event.object));
  const objects = all.slice(0, kWayMost), rows = [...threads, ...objects];
  const times = unique(events.map((event) => event.time)).sort((a, b) => a - b);
  const left = 14 + Math.min(300, Math.max(70, ...rows.map((name) => 7.4 * name.length)));
  const x = (event) => left + kWayColumn * (times.indexOf(event.time) + 0.5);
  const y = (name) => 26 + kWayRow * (rows.indexOf(name) + 0.5) + (rows.indexOf(name) >= threads.length ? 16 : 0);
  const width = left + kWayColumn * times.length + 20, height = y(rows[rows.length - 1]) + kWayRow;
  const colour = (name) => `c${threads.indexOf(name) % kColours}`;
  const lines = rows.map((name, i) => [
    shape(`path.rail${i < threads.length ? "." + colour(name) : ".object"}`, { d: `M${left} ${y(name)}H${width - 10}` }),
    shape(`text.rail-name${i < threads.length ? "" : ".object"}`, { x: left - 10, y: y(name) + 4 }, shape("title", null, name), name.length > 40 ? name.slice(0, 39) + "…" : name),
  ]);
  const arrows = [], marks = [];
  for (const event of events) {
    const title = `${event.thread}${event.index >= 0 ? ", instruction " + grouped(event.index) : ""}: ${entryOf(kWayWords, event.kind, event.kind)}`;
    const at = [x(event), y(event.thread)];
    if (event.kind === "corrupts") {
      if (!objects.includes(event.object)) continue;
      const to = [x(event), y(event.object)];
      arrows.push(shape(`path.writes.${colour(event.thread)}`, { d: `M${at[0]} ${at[1]}V${to[1]}` }));
      marks.push(shape(`rect.corrupts.${colour(event.thread)}`, { x: to[0] - 6, y: to[1] - 6, width: 12, height: 12, rx: 2 }, shape("title", null, `${title} ${event.object}`)));
      continue;
    }
    const source = event.from ? sourceOf(events, objects, event) : null;
    if (source) {
      const from = [x(source), y(source.object && objects.includes(source.object) ? source.object : source.thread)];
      const bend = Math.max(24, (at[0] - from[0]) / 2);
      arrows.push(shape("path.crosses", { d: `M${from[0]} ${from[1]}C${from[0] + bend} ${from[1]} ${at[0] - bend} ${at[1]} ${at[0] - 11} ${at[1]}` },
        shape("title", null, `from ${event.from} to ${event.thread} through ${event.through}`)));
    }
    const said = event.through ? `${title}; from ${event.from || "an unknown thread"} through ${event.through}` : title;
    marks.push(event.kind === "fault"
      ? shape("path.fault", { d: `M${at[0]} ${at[1] - 10}L${at[0] + 10} ${at[1]}L${at[0]} ${at[1] + 10}L${at[0] - 10} ${at[1]}Z` }, shape("title", null, said))
      : shape(`circle.deviates.${colour(event.thread)}`, { cx: at[0], cy: at[1], r: 7 }, shape("title", null, said)));
    marks.push(shape("text.event-name", { x: at[0], y: at[1] - 13 }, entryOf(kWayWords, event.kind, event.kind)));
  }
  return element("div", null,
    element("div.scrolling", null, shape("svg.way-graph", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "thread, object and time" }, lines, arrows, marks)),
    all.length > objects.length ? element("p.small", null, `${counted(all.length - objects.length, "more object")} corrupted.`) : null);
}

// What a thread has its error from: the corruption it read, else the last thing of the other thread before.
function sourceOf(events, objects, event) {
  const before = events.filter((other) => other.thread === event.from && other.time < event.time);
  const same = before.filter((other) => other.kind === "corrupts" && other.object === event.through && objects.includes(other.object));
  return same[same.length - 1] || before.filter((other) => other.kind !== "corrupts").pop() || before[0] || null;
}
