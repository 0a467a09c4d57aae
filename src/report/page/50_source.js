// SPDX-License-Identifier: Apache-2.0
//
// The source beside the run: the line of the selected step, and in the margin
// where each other thread is at that moment.

const kWords = new Set(("alignas alignof auto bool break case catch char class co_await co_return co_yield concept const consteval constexpr constinit continue decltype " +
  "default delete do double else enum explicit extern false final float for friend goto if inline int int16_t int32_t int64_t int8_t long mutable namespace new noexcept nullptr " +
  "operator override private protected public register requires restrict return short signed size_t sizeof static static_assert struct switch template this thread_local throw true " +
  "try typedef typename uint16_t uint32_t uint64_t uint8_t union unsigned using virtual void volatile while _Atomic _Bool NULL").split(" "));
const kTokens = /(\/\/.*$)|(\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#\s*\w+)|([A-Za-z_]\w*)|(\b\d[\w.']*)/g;

// One line as pieces with classes. `open`: the line begins inside a comment; returns whether the next one does.
function colourLine(node, text, open) {
  let rest = text;
  if (open) {
    const end = text.indexOf("*/");
    const length = end < 0 ? text.length : end + 2;
    node.append(element("span.comment", null, text.slice(0, length)));
    if (end < 0) return true;
    rest = text.slice(length);
  }
  let at = 0, stays = false;
  for (const match of rest.matchAll(kTokens)) {
    const [token, line, block, string, directive, word, number] = match;
    const name = line || block ? "comment" : string ? "string" : directive ? "directive" : number ? "number" : kWords.has(word) ? "word" : "";
    if (!name) continue;
    node.append(rest.slice(at, match.index), element(`span.${name}`, null, token));
    at = match.index + token.length;
    stays = Boolean(block) && !block.endsWith("*/");
  }
  node.append(rest.slice(at));
  return stays;
}

class SourcePane {
  constructor(witness) {
    this.witness = witness;
    this.title = element("div.source-title");
    this.code = element("div.code", { tabindex: -1 });
    this.node = element("section.source", { "aria-label": "source" }, this.title, this.code);
    this.file = undefined;
    this.marked = [];
  }

  show(step) {
    this.open(step.site.file);
    for (const line of this.marked) line.className = "line", line.querySelector(".marks").replaceChildren();
    this.marked = [];
    for (const [thread, at] of this.positions(step)) {
      if (at.site.file !== step.site.file) continue;
      const line = this.mark(at.site.line);
      if (!line) continue;
      const { colour, name } = this.witness.threads[thread];
      line.querySelector(".marks").append(element(`i.mark.c${colour}`, { title: `${name}: ${at.text}` }));
      if (thread !== step.thread) continue;
      line.classList.add("current", `c${colour}`);
      if (this.witness.culprits.has(step.index)) line.classList.add("culprit");
      this.scrollTo(line);
    }
  }

  // The last step of each thread up to this one.
  positions(step) {
    const found = new Map();
    this.witness.threads.forEach((thread, number) => {
      let low = 0, high = thread.steps.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (thread.steps[middle] <= step.index) low = middle + 1; else high = middle;
      }
      if (low > 0) found.set(number, this.witness.steps[thread.steps[low - 1]]);
    });
    return found;
  }

  mark(number) {
    const line = this.lines.get(number);
    if (line) this.marked.push(line);
    return line;
  }

  scrollTo(line) {
    const top = line.offsetTop - this.code.offsetTop, view = this.code;
    if (top < view.scrollTop + 40 || top > view.scrollTop + view.clientHeight - 60) view.scrollTop = top - view.clientHeight / 2;
  }

  open(number) {
    if (number === this.file) return;
    this.file = number;
    this.lines = new Map();
    this.marked = [];
    const file = this.witness.files[number];
    replace(this.title, element("span.path", null, file ? file.name : "no source place"),
      file && file.changed ? element("span.changed", { title: "the file was changed after the run; lines may not be those that ran" }, "changed since") : null);
    replace(this.code);
    if (!file) return;
    if (!file.parts.length) this.code.append(element("p.missing", null, "The source could not be read when this report was made."));
    for (const [first, lines] of file.parts) {
      if (this.lines.size) this.code.append(element("div.gap", null, "…"));
      let open = false;
      lines.forEach((text, i) => {
        const body = element("span.text");
        open = colourLine(body, text, open);
        const line = element("div.line", null, element("span.marks"), element("span.line-number", null, String(first + i)), body);
        this.lines.set(first + i, line);
        this.code.append(line);
      });
    }
  }
}

// What is known about a step, as [name, value].
function stepFacts(witness, step) {
  const facts = [["thread", `${witness.threads[step.thread].name} ${witness.threads[step.thread].function}`]];
  const value = valueText(step);
  if (value) facts.push(["value", value]);
  if (step.instead) facts.push(["passing", step.instead]);
  if (step.object >= 0) facts.push(["object", witness.objects[step.object].name]);
  if (step.order) facts.push(["order", step.order === "not_atomic" ? "not atomic" : step.order]);
  if (step.size && value) facts.push(["size", counted(step.size, "byte")]);
  const place = witness.placeOf(step);
  if (place) facts.push(["place", `${place}${step.site.function ? " in " + step.site.function : ""}`]);
  return facts;
}
