/**
 * Words a value as mongosh prints it: `{ _id: ObjectId('…'), n: 1 }`.
 *
 * The layout follows Node's `util.inspect` with `compact: 3` and a break length of 80, as mongosh calls it. Invariant:
 * pure, and blind to which family a BSON value comes from (the shell's classes or js-bson's): it looks at `_bsontype`
 * only, so the page words decoded bytes exactly as a script's `print` does.
 */
import { isDate, isError, isMap, isRegExp, isSet } from "../codec/brand.ts";
import { formatBson } from "./format-bson.ts";

export interface FormatOptions {
  /** Levels shown before `[Object]`. Default 6, as in mongosh; Infinity shows all. */
  readonly depth?: number;
  /** Columns before a line is broken. Default 80 (about 72 of content). */
  readonly breakLength?: number;
  /** Innermost levels that may share one line. Default 3; 0 breaks every object, as `pretty` collapse off does. */
  readonly compact?: number;
}

/** A value that words itself: cursors, results and help texts of the shell. */
export const SHELL_TEXT = Symbol.for("quire.shell.text");

interface Context {
  readonly depth: number;
  readonly breakLength: number;
  readonly compact: number;
  readonly seen: object[];
  indentation: number;
  currentDepth: number;
}

/** A string in single quotes where it can be, as Node does. */
export function quote(text: string): string {
  let mark = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) mark = '"';
    else if (!text.includes("`") && !text.includes("${")) mark = "`";
  }
  const escaped = text.replace(
    /[\u0000-\u001f\u007f-\u009f'\\]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => {
      const named: Readonly<Record<string, string>> = {
        "\b": "\\b",
        "\t": "\\t",
        "\n": "\\n",
        "\f": "\\f",
        "\r": "\\r",
        "\\": "\\\\",
      };
      if (character === "'") return mark === "'" ? "\\'" : "'";
      const code = character.charCodeAt(0);
      return (
        named[character] ??
        (code > 255
          ? `\\u${code.toString(16).toUpperCase()}`
          : `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`)
      );
    },
  );
  return mark + escaped + mark;
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function formatKey(key: string): string {
  return /^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key) ? key : quote(key);
}

function fits(output: readonly string[], start: number, breakLength: number): boolean {
  let total = output.length + start;
  if (total + output.length > breakLength) return false;
  for (const part of output) {
    total += part.length;
    if (total > breakLength) return false;
  }
  return true;
}

/** A long text of several lines is set as a sum of its lines. */
function formatString(text: string, context: Context): string {
  if (text.length > 16 && text.length > context.breakLength - context.indentation - 4 && text.includes("\n")) {
    const lines = text.split(/(?<=\n)/);
    return lines.map(quote).join(` +\n${" ".repeat(context.indentation + 2)}`);
  }
  return quote(text);
}

/** Node's `reduceToSingleString`: one line where it fits and is not too deep, else one entry a line. */
function join(
  context: Context,
  output: readonly string[],
  open: string,
  close: string,
  isArray: boolean,
  level: number,
): string {
  if (context.compact > 0) {
    const entries = output.length;
    const grouped = isArray && entries > 6 ? groupElements(context, output) : output;
    if (context.currentDepth - level < context.compact && entries === grouped.length) {
      const start = grouped.length + context.indentation + open.length + 10;
      if (fits(grouped, start, context.breakLength)) {
        const joined = grouped.join(", ");
        if (!joined.includes("\n")) return `${open}${joined ? ` ${joined} ` : ""}${close}`;
      }
    }
    const indent = `\n${" ".repeat(context.indentation)}`;
    return `${open}${indent}  ${grouped.join(`,${indent}  `)}${indent}${close}`;
  }
  const indent = `\n${" ".repeat(context.indentation)}`;
  return `${open}${indent}  ${output.join(`,${indent}  `)}${indent}${close}`;
}

/** Node's `groupArrayElements`: many short entries are set in columns. */
function groupElements(context: Context, output: readonly string[]): readonly string[] {
  const separator = 2;
  const lengths = output.map((entry) => entry.length + separator);
  let total = 0;
  let longest = 0;
  for (const length of lengths) {
    total += length;
    longest = Math.max(longest, length);
  }
  if (longest * 3 + context.indentation >= context.breakLength) return output;
  if (!(total / longest > 5 || longest <= 8)) return output;
  const biased = Math.max(longest - 3 - Math.sqrt(longest - total / output.length), 1);
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * biased * output.length) / biased),
    Math.floor((context.breakLength - context.indentation) / longest),
    context.compact * 4,
    15,
  );
  if (columns <= 1) return output;
  const widths: number[] = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let index = column; index < output.length; index += columns) width = Math.max(width, lengths[index] ?? 0);
    widths.push(width);
  }
  const numeric = output.every((entry) => /^-?(\d|Infinity|NaN)/.test(entry));
  const rows: string[] = [];
  for (let index = 0; index < output.length; index += columns) {
    const last = Math.min(index + columns, output.length);
    let row = "";
    let at = index;
    for (; at < last - 1; at++) {
      const cell = `${output[at]}, `;
      const width = widths[at - index] ?? 0;
      row += numeric ? cell.padStart(width) : cell.padEnd(width);
    }
    row += numeric ? (output[at] ?? "").padStart((widths[at - index] ?? 0) - separator) : (output[at] ?? "");
    rows.push(row);
  }
  return rows;
}

function formatFunction(value: (...parts: never[]) => unknown): string {
  const source = Function.prototype.toString.call(value);
  const kind = source.startsWith("class") ? "class" : source.startsWith("async") ? "AsyncFunction" : "Function";
  const name = value.name;
  if (kind === "class") return name ? `[class ${name}]` : "[class (anonymous)]";
  return name ? `[${kind}: ${name}]` : `[${kind} (anonymous)]`;
}

function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return "[Object: null prototype] ";
  const name = (prototype as { constructor?: { name?: string } }).constructor?.name;
  return name === undefined || name === "Object" || name === "" ? "" : `${name} `;
}

function formatMembers(value: object, context: Context, level: number): string {
  if (context.seen.includes(value)) return "[Circular *1]";
  const isArray = Array.isArray(value);
  if (level > context.depth) return isArray ? "[Array]" : `[${className(value).trim() || "Object"}]`;
  // Empty ones do not count as a level, as in Node.
  if (!isMap(value) && !isSet(value) && Object.keys(value).length === 0)
    return isArray ? "[]" : `${className(value)}{}`;
  context.seen.push(value);
  context.currentDepth = level;
  const output: string[] = [];
  let open = "{";
  let close = "}";
  if (isArray) {
    open = "[";
    close = "]";
    for (const item of value as readonly unknown[]) output.push(child(item, context, level, 2));
  } else if (isMap(value)) {
    open = `Map(${value.size}) {`;
    for (const [key, item] of value)
      output.push(`${child(key, context, level, 2)} => ${child(item, context, level, 2)}`);
  } else if (isSet(value)) {
    open = `Set(${value.size}) {`;
    for (const item of value) output.push(child(item, context, level, 2));
  } else {
    open = `${className(value)}{`;
  }
  if (!isArray) {
    for (const key of Object.keys(value)) {
      output.push(`${formatKey(key)}: ${child((value as Record<string, unknown>)[key], context, level, 2)}`);
    }
  }
  context.seen.pop();
  if (output.length === 0) return open + close;
  return join(context, output, open, close, isArray, level);
}

function child(value: unknown, context: Context, level: number, indent: number): string {
  context.indentation += indent;
  const text = formatAny(value, context, level + 1);
  context.indentation -= indent;
  return text;
}

function formatAny(value: unknown, context: Context, level: number): string {
  switch (typeof value) {
    case "string":
      return formatString(value, context);
    case "number":
      return formatNumber(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return value.toString();
    case "function":
      return formatFunction(value as (...parts: never[]) => unknown);
    case "boolean":
    case "undefined":
      return String(value);
  }
  if (value === null || typeof value !== "object") return "null";
  const worded = (value as { [SHELL_TEXT]?: () => string })[SHELL_TEXT];
  if (typeof worded === "function") return worded.call(value);
  if (isDate(value)) return Number.isNaN(value.getTime()) ? "Invalid Date" : `ISODate('${value.toISOString()}')`;
  if (isRegExp(value)) return String(value);
  if (isError(value)) return value.stack?.startsWith(value.name) ? value.stack : `${value.name}: ${value.message}`;
  if (value instanceof Promise) return "Promise { }";
  if ("_bsontype" in value && typeof value._bsontype === "string") {
    const text = formatBson(value as { _bsontype: string }, (inner) => formatAny(inner, context, level + 1));
    if (text !== null) return text;
  }
  return formatMembers(value, context, level);
}

/** Words any value as mongosh prints it inside a result: strings are quoted. */
export function format(value: unknown, options: FormatOptions = {}): string {
  return formatAny(
    value,
    {
      depth: options.depth ?? 6,
      breakLength: options.breakLength ?? 80,
      compact: options.compact ?? 3,
      seen: [],
      indentation: 0,
      currentDepth: 0,
    },
    0,
  );
}

/** Words a value as the shell prints it by itself: a string stands without quotes. */
export function formatTop(value: unknown, options: FormatOptions = {}): string {
  return typeof value === "string" ? value : format(value, options);
}
