// SPDX-License-Identifier: Apache-2.0
//
// The data of a run, made convenient: steps as objects, filters, and how to go
// from one step to another.
const kMarks = ["plain", "buffered", "memory", "fails", "waits"];
const kCauses = ["none", "reads", "flush", "lock", "signal", "thread", "held"];
const kCauseWords = {
  reads: "reads what was written at step",
  flush: "was issued at step",
  lock: "could happen after the unlock at step",
  signal: "was let go by step",
  thread: "follows from step",
  held: "waits for what was taken, and is kept, since step",
};
const kColours = 8;

class Witness {
  constructor(raw, files) {
    this.memory = raw.memory;
    this.files = files;
    this.threads = raw.threads.map((thread, i) => ({ name: thread.name, function: thread.function, colour: i % kColours, steps: [] }));
    this.objects = raw.objects.map((name) => ({ name, steps: 0 }));
    this.sites = raw.sites.map(([file, line, column, name]) => ({ file, line, column, function: name }));
    this.steps = raw.steps.map((row, index) => this.decode(raw, row, index));
    this.culprits = new Set(raw.culprits);
    for (const index of raw.culprits) this.steps[index].quiet = false;
  }

  decode(raw, row, index) {
    const [number, thread, object, kind, mark, quiet, text, site, cause, causeStep, order, size, value, instead] = row;
    const step = {
      index, number, thread, object, kind: raw.kinds[kind], mark: kMarks[mark], quiet: quiet === 1, text: raw.texts[text],
      site: this.sites[site], cause: kCauses[cause], causeStep, order: order < 0 ? null : raw.orders[order], size, value,
      instead: instead < 0 ? "" : raw.texts[instead],
    };
    this.threads[thread].steps.push(index);
    if (object >= 0) this.objects[object].steps++;
    return step;
  }

  placeOf(step) {
    const file = this.files[step.site.file];
    return file ? `${file.name}:${step.site.line}` : "";
  }

  // The step to begin with: what fails, else the last one.
  get first() {
    return this.culprits.size ? Math.max(...this.culprits) : this.steps.length - 1;
  }

  // Steps that a filter shows, in order.
  visible(filter) {
    const words = filter.text.toLowerCase();
    return this.steps.filter((step) => {
      if (this.culprits.has(step.index)) return !filter.hidden.has(step.thread);
      if (filter.hidden.has(step.thread)) return false;
      if (step.quiet && !filter.quiet) return false;
      if (filter.object >= 0 && step.object !== filter.object) return false;
      return !words || step.text.toLowerCase().includes(words) || this.placeOf(step).toLowerCase().includes(words);
    });
  }
}

// What a step looks like: the knot on its thread.
function knotOf(step) {
  if (step.mark === "fails" || step.mark === "waits") return "cross";
  if (step.kind === "load" || step.kind === "await") return "ring";
  if (step.kind === "flush") return "drop";
  if (step.mark === "buffered") return "half";
  if (/^(store|rmw|cas|extern_write)$/.test(step.kind)) return "disc";
  if (/^(mutex|rwlock|cond|sem|barrier|once)/.test(step.kind)) return "square";
  return "dot";
}

// 0x1 of 4 bytes as "1 (0x1)"; with its sign.
function valueText(step) {
  if (!step.value) return "";
  let number = BigInt(step.value);
  if (step.size > 0 && step.size <= 8) number = BigInt.asIntN(8 * step.size, number);
  return `${number} (${step.value})`;
}
