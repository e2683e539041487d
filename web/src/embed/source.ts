/**
 * The script inside an element, as a page's author or a generator of pages wrote it.
 *
 * Invariants: reads the page and never changes it, so that a framework finds its own nodes again; asks for no class of
 * the browser's by name, since the check of built pages reads them without a browser.
 */

const HTML = "http://www.w3.org/1999/xhtml";

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

/** Line numbers and buttons which generators put among the code. */
const NO_CODE = ".linenos, .lineno, .line-number, .line-numbers, button, [aria-hidden='true']";

/** A block of code without its common indentation and its outer empty lines. */
export function tidy(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*\n|\s+$/g, "")
    .split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(common)).join("\n");
}

/** The text of one block: a `<pre>`, a `<script>` of data, a `<template>`. */
function textOf(block: Element): string {
  if (block.localName === "template") return (block as HTMLTemplateElement).content.textContent ?? "";
  const copy = block.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll(NO_CODE)) part.remove();
  // Some generators end lines with an element and no line break.
  for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
  return copy.textContent ?? "";
}

/** The script an element holds: in its code block, or else all its text. */
export function sourceIn(element: Element): string {
  const block = element.querySelector("pre code") ?? element.querySelector("pre, script, template, textarea");
  if (block !== null) return tidy(textOf(block));
  if (element.children.length === 0 || element.namespaceURI !== HTML) return tidy(textOf(element));
  const own = [...element.childNodes].filter((node) => !(isElement(node) && isFallback(node)));
  return tidy(own.map((node) => (isElement(node) ? textOf(node) : (node.textContent ?? ""))).join(""));
}

/** Whether a child is the output to show before the first run. */
export function isFallback(child: Element): boolean {
  return child.localName === "output" || child.slot === "output";
}

/** The author's output, or null where the element holds none. */
export function outputIn(element: Element): string | null {
  const outputs = [...element.children].filter(isFallback);
  return outputs.length === 0 ? null : tidy(outputs.map((output) => textOf(output)).join("\n"));
}
