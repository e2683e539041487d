/**
 * Which call of a script failed, where QuickJS, which the sandbox has, gives the place of another.
 *
 * QuickJS gives a call the place of the last call before it, which may be one of its own arguments:
 * `db.a.insertOne({ at: new Date() })` fails at `Date`. So the calls around that place are read from the text, and the
 * frames that the stack has above the script's own tell which of them was under way.
 *
 * Invariants: a place is moved only outwards, to a call whose arguments it is among and which is part of the same
 * function; no code of the user's is run; the time is linear to the script.
 */
import { offsetOf, withoutTexts } from "./rewritten.ts";
import type { ErrorPlace, FailedCall } from "./host.ts";

/** Finds the function that a path of names leads to, as `Math.max`; undefined where none is known. */
type FindFunction = (path: readonly string[]) => unknown;

/** Only `db`, the shell's own functions and the language's own values are asked for what they have. */
function functionsOf(scope: Readonly<Record<string, unknown>>): Record<"builtin" | "any", FindFunction> {
  const among =
    (isRoot: (name: string) => boolean): FindFunction =>
    ([root = "", ...path]) => {
      if (!isRoot(root)) return undefined;
      const first = root in scope ? scope[root] : (globalThis as typeof scope)[root];
      return path.reduce<unknown>((inside, name) => (inside as typeof scope | null | undefined)?.[name], first);
    };
  const builtin = (name: string): boolean => name in globalThis;
  return {
    builtin: among(builtin),
    any: among((name) => name === "db" || builtin(name) || typeof scope[name] === "function"),
  };
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
export const failedCall: FailedCall = (source, place, { error, above, scope }) => {
  // The frame next to the script's own is the function that the script called.
  const names = [...above].reverse().flatMap(nameOf);
  const calls = callsAround(source, offsetOf(source, place.line, place.column));
  const atCall = ({ at }: Call): ErrorPlace => {
    const before = source.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  };
  // An error of the script's own was thrown where it was made, and that call has no frame.
  for (const name of [...names, bare(error.constructor.name)]) {
    const named = calls.find(({ path }) => bare(path.at(-1) ?? "") === name);
    if (named !== undefined) return atCall(named);
  }
  const isRefused = names.length === 0 && error.message === "not a function";
  if (!isRefused && names.length === 0 && error.message !== "not a constructor") return place;
  // A builtin function that fails has a frame of its own in the stack, and a value that is a function is never refused
  // as "not a function": so the failed call is one whose path leads to no function.
  const returned = functionsOf(scope)[isRefused ? "any" : "builtin"];
  const failed = calls.find(({ path }) => typeof returned(path) !== "function");
  return failed === undefined || failed === calls[0] ? place : atCall(failed);
};

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\w$]/.test(sign);
const isSpace = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign);
/** Words before a parenthesis that are no names of functions. */
const WORD = /^(?:if|for|while|switch|catch|with|return|typeof|await|in|of|new)$/;

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
      if (name === "" || WORD.test(name)) {
        // An expression stands before the dot, such as `f().x`: an empty name says that the path begins at none.
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
