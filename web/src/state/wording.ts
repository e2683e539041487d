/**
 * Values as text to read and copy: mongosh's wording, indented so that a line stays short, or Extended JSON.
 *
 * Invariant: pure; text in the shell's format can be pasted back into a script.
 */
import { extendedText } from "./extended-text.ts";
import type { TextFormat } from "./settings.ts";
import { isNested, partsOf, wordKey, wordLeaf } from "./values.ts";

/** The most characters of a line that holds a whole nested value, its indentation included. */
const lineWidth = 72;

/** Words a value as mongosh prints it. */
export function wordValue(value: unknown, indent = 0): string {
  if (!isNested(value)) return wordLeaf(value);
  const flat = wordFlat(value, lineWidth - indent);
  if (flat !== null) return flat;
  const isArray = Array.isArray(value);
  const pad = " ".repeat(indent + 2);
  const lines = partsOf(value).map(
    ([name, part]) => `${pad}${isArray ? "" : `${wordKey(name)}: `}${wordValue(part, indent + 2)}`,
  );
  return `${isArray ? "[" : "{"}\n${lines.join(",\n")}\n${" ".repeat(indent)}${isArray ? "]" : "}"}`;
}

/** The value on one line, or null when it would be wider than `width`. */
function wordFlat(value: unknown, width: number): string | null {
  if (width <= 0) return null;
  if (!isNested(value)) {
    const leaf = wordLeaf(value);
    return leaf.length <= width && !leaf.includes("\n") ? leaf : null;
  }
  const isArray = Array.isArray(value);
  const parts = partsOf(value);
  if (parts.length === 0) return isArray ? "[]" : "{}";
  let text = isArray ? "[ " : "{ ";
  for (const [index, [name, part]] of parts.entries()) {
    if (index > 0) text += ", ";
    if (!isArray) text += `${wordKey(name)}: `;
    const worded = wordFlat(part, width - text.length - 2);
    if (worded === null) return null;
    text += worded;
  }
  text += isArray ? " ]" : " }";
  return text.length <= width ? text : null;
}

/** Words a value in one of the formats a reader can choose. */
export function wordAs(format: TextFormat, value: unknown): string {
  switch (format) {
    case "shell":
      return wordValue(value);
    case "relaxed":
      return extendedText(value, { indent: 2 });
    case "canonical":
      return extendedText(value, { indent: 2, canonical: true });
  }
}
