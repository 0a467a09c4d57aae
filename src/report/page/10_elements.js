// SPDX-License-Identifier: Apache-2.0
//
// Small helpers to make elements. Whatever comes from a run is put on the screen
// as text (textContent) or as an attribute without meaning to the browser, never
// as markup.
"use strict";

const kSvg = "http://www.w3.org/2000/svg";

// element("div.card.wide", {title: "..."}, child, "text", ...)
function element(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  return filled(document.createElement(tag || "div"), classes, attributes, children);
}

function shape(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  return filled(document.createElementNS(kSvg, tag), classes, attributes, children);
}

function filled(node, classes, attributes, children) {
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) node.append(child);
  return node;
}

function replace(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// The entry of that name, and never what every object inherits.
function entryOf(table, name, otherwise) {
  return Object.hasOwn(table, name) ? table[name] : otherwise;
}

function counted(count, one, many) {
  return `${grouped(count)} ${count === 1 ? one : many || one + "s"}`;
}

// 20000 as "20 000".
function grouped(number) {
  if (typeof number !== "number") return String(number);
  if (!Number.isInteger(number)) return number < 0.001 ? "< 0.001" : number >= 100 ? number.toFixed(0) : number.toPrecision(3);
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// A command, with a button that copies it.
function commandLine(text) {
  const button = element("button.copy", { type: "button", title: "copy" }, "copy");
  button.addEventListener("click", () => {
    const done = () => {
      button.textContent = "copied";
      setTimeout(() => (button.textContent = "copy"), 1200);
    };
    const byHand = () => {
      const selection = getSelection();
      selection.selectAllChildren(button.previousSibling);
      if (document.execCommand("copy")) done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
    else byHand();
  });
  return element("div.command", null, element("code", null, text), button);
}

// The sign of Heddle: threads, and the eye of a heddle that lifts one of them.
function sign() {
  return shape("svg.sign", { viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true" },
    shape("path", { d: "M5 2v20M19 2v20", "stroke-width": 1.6 }),
    shape("path", { d: "M12 2v6.2M12 15.8V22", "stroke-width": 1.6 }),
    shape("ellipse", { cx: 12, cy: 12, rx: 2.7, ry: 3.9, "stroke-width": 1.6 }),
    shape("path.weft", { d: "M1 15c3 0 4.5-3 11-3s8-3 11-3", "stroke-width": 1.8 }));
}
