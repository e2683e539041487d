/**
 * Values as text to read and copy: mongosh's wording, indented so that a line stays short, or Extended JSON.
 *
 * Invariant: pure; text in the shell's format can be pasted back into a script. The beginning of a long text is exactly
 * as in the whole of it, and costs no more than it is long.
 */
import type { Document } from "bson";
import { cutText, firstCharacters, type LongText } from "./long-text.ts";
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

/** Words a value in one of the formats a reader can choose; its lines after the first are moved in by `indent`. */
export function wordAs(format: TextFormat, value: unknown, indent = 0): string {
  if (indent > 0 && format !== "shell") return wordAs(format, value).replaceAll("\n", `\n${" ".repeat(indent)}`);
  switch (format) {
    case "shell":
      return wordValue(value, indent);
    case "relaxed":
      return extendedText(value, { indent: 2 });
    case "canonical":
      return extendedText(value, { indent: 2, canonical: true });
  }
}

/** Words a value in one of the formats; where that is long, the beginning first. */
export function wordStart(format: TextFormat, value: unknown, most = firstCharacters, indent = 0): LongText {
  // A nested value is laid out by its width: the part of it that is left stays broader than a line.
  const room = { left: most + 4 * lineWidth };
  const part = partOf(value, room);
  const text = wordAs(format, part, indent);
  const isWhole = room.left >= 0 && text.length <= most;
  return {
    of: value,
    start: isWhole ? text : cutText(text, most),
    isWhole,
    whole: () => wordAs(format, value, indent),
  };
}

/** The first parts of a value, as many as fit the room, which is below zero where any was left out. */
function partOf(value: unknown, room: { left: number }): unknown {
  if (typeof value === "string") {
    const { left } = room;
    room.left -= value.length + 2;
    return left < 0 ? "" : cutText(value, Math.max(0, left));
  }
  if (!isNested(value)) {
    room.left -= 1;
    return value;
  }
  room.left -= 2;
  const parts: [string, unknown][] = [];
  for (const [name, part] of partsOf(value)) {
    if (room.left < 0) break;
    room.left -= Array.isArray(value) ? 1 : name.length + 1;
    parts.push([name, partOf(part, room)]);
  }
  if (Array.isArray(value)) return parts.map(([, part]) => part);
  return value instanceof Map ? new Map(parts) : (Object.fromEntries(parts) as Document);
}
