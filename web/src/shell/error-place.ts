/**
 * Where in the user's text an error was thrown, as the stack of its engine tells.
 *
 * QuickJS, which the sandbox has, gives a call the place of the last call before it, which may be one of its own
 * arguments: `db.a.insertOne({ at: new Date() })` fails at `Date`. So the calls around that place are read from the
 * text, and the frames that the stack has above the script's own tell which of them was under way.
 *
 * Invariants: V8's places are taken as they are; a place is moved only outwards, to a call whose arguments it is among
 * and which is part of the same function; the time is linear to the script.
 */
import { offsetOf, originalColumn, withoutTexts, type Rewritten } from "./rewritten.ts";

export interface ErrorPlace {
  readonly line: number;
  readonly column: number;
}

/** Finds the function that a path of names leads to, as `Math.max`; undefined where none is known. */
export type FindFunction = (path: readonly string[]) => unknown;

export interface KnownFunctions {
  /** A function of the language's own, which stands in the stack by its name when it fails. */
  readonly builtin: FindFunction;
  /** Any function that can be found without running the user's code. */
  readonly any: FindFunction;
}

/** The frame of an engine's own text: QuickJS names the script `<input>`, V8 by its URL. */
const isOwn = (frame: string, url: string): boolean =>
  frame.includes(`${url}:`) || (frame.includes("(<input>:") && !frame.includes("anonymous (<input>:3:"));

/** The place of the topmost frame of the user's own text; null where the stack has none. */
export function placeOf(
  error: Error,
  source: string,
  rewritten: Rewritten | null,
  url: string,
  known: KnownFunctions,
): ErrorPlace | null {
  const frames = (error.stack ?? "").split("\n");
  const own = frames.findIndex((frame) => isOwn(frame, url));
  const match = /(?:<input>|\.js):(\d+):(\d+)\)?$/.exec(frames[own]?.trim() ?? "");
  if (match === null) return null;
  const isQuick = frames[own]?.includes("(<input>:") === true;
  const line = Number(match[1]);
  // QuickJS counts the columns of a text's first line from 0, and those of the others from 1.
  const column = Number(match[2]) + (isQuick && line === 1 ? 1 : 0);
  const place = { line, column: rewritten === null ? column : originalColumn(rewritten.shifts, line, column) };
  if (!isQuick) return place;
  // The frame next to the script's own is the function that the script called.
  const names = frames.slice(0, own).reverse().flatMap(nameOf);
  return calledAt(source, place, { names, error }, known);
}

const nameOf = (frame: string): readonly string[] => {
  const name = /^\s*at (?:[^\s(]*\.)?([^\s(.]+) \(/.exec(frame)?.[1];
  return name === undefined ? [] : [bare(name)];
};

/** A name as it is compared: the shell's `ObjectId` may be `_ObjectId` in the stack, and `ISODate` be `isoDate`. */
const bare = (name: string): string => name.replace(/^[_#]+/, "").toLowerCase();

interface Call {
  /** The names that lead to what is called, the last one first called: `db`, `a`, `insertOne`. */
  readonly path: readonly string[];
  readonly at: number;
}

/** The place of the call that failed, of a place among its arguments or its own. */
function calledAt(
  source: string,
  place: ErrorPlace,
  { names, error }: { readonly names: readonly string[]; readonly error: Error },
  { builtin, any }: KnownFunctions,
): ErrorPlace {
  const calls = callsAround(source, offsetOf(source, place.line, place.column));
  const isNamed = ({ path }: Call, name: string): boolean => bare(path.at(-1) ?? "") === name;
  const atCall = ({ at }: Call): ErrorPlace => {
    const before = source.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  };
  // An error of the script's own was thrown where it was made, and that call has no frame.
  for (const name of [...names, bare(error.constructor.name)]) {
    const named = calls.find((call) => isNamed(call, name));
    if (named !== undefined) return atCall(named);
  }
  const isRefused = names.length === 0 && error.message === "not a function";
  if (!isRefused && names.length === 0 && error.message !== "not a constructor") return place;
  const returned = isRefused ? any : builtin;
  // The functions that are known are no part of it: they are there, and are not under way.
  const failed = calls.find(({ path }) => typeof returned(path) !== "function");
  return failed === undefined || failed === calls[0] ? place : atCall(failed);
}

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\w$]/.test(sign);
const isSpace = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign);
/** Words before a parenthesis that are no names of functions. */
const WORDS = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "with",
  "return",
  "typeof",
  "await",
  "in",
  "of",
  "new",
]);

/** The calls whose name or arguments a place is part of, the innermost first, as far as its function or statement. */
function callsAround(source: string, at: number): readonly Call[] {
  const code = withoutTexts(source);
  const calls: Call[] = [];
  let end = code[at] === "." ? at + 1 : at;
  while (isLetter(code[end])) end += 1;
  if (end > at) add(end);
  for (let from = at - 1, depth = 0; from >= 0; from -= 1) {
    const sign = code[from] as string;
    if (")]}".includes(sign)) depth += 1;
    else if ("([{".includes(sign)) {
      if (depth > 0) depth -= 1;
      else if (sign === "{" && isBody(code, from)) break;
      else if (sign === "(") add(from);
    } else if (depth === 0 && (sign === ";" || (sign === ">" && code[from - 1] === "="))) break;
  }
  return calls;

  /** The text of `["name"]` that ends before a place. */
  function quotedBefore(before: number): string {
    const quoted = source.slice(code.lastIndexOf("[", before - 2) + 1, before - 1);
    return /^["'`]([\w$]+)["'`]$/.exec(quoted)?.[1] ?? "";
  }

  /** Notes the call whose callee ends before a place, where a name is there. */
  function add(before: number): void {
    const path: string[] = [];
    let first = -1;
    for (let last = before; ; ) {
      while (isSpace(code[last - 1])) last -= 1;
      if (path.length === 0 && code.slice(last - 2, last) === "?.") last -= 2;
      let start = last;
      while (isLetter(code[start - 1])) start -= 1;
      const name = source.slice(start, last);
      if (name === "" || WORDS.has(name)) {
        // What is before the dot is no name, so that nobody knows where the path begins.
        if (path.length > 0) path.push("");
        break;
      }
      path.push(name);
      if (first < 0) first = start;
      while (isSpace(code[start - 1])) start -= 1;
      if (code[start - 1] !== ".") break;
      last = code[start - 2] === "?" ? start - 2 : start - 1;
    }
    if (first >= 0) calls.push({ path: path.reverse(), at: first });
    else if (/[\])]/.test(code[before - 1] ?? "")) calls.push({ path: ["", quotedBefore(before)], at: before });
  }
}

/** Whether a brace opens a function's body or a block, and no object. */
function isBody(code: string, brace: number): boolean {
  let at = brace;
  while (isSpace(code[at - 1])) at -= 1;
  return at === 0 || /(?:[);{}>]|\b(?:else|do|try|finally))$/.test(code.slice(Math.max(0, at - 8), at));
}
