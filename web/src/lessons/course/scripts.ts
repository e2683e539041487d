/**
 * `scripts.md`: every script of a lesson, once, in no language.
 *
 * Invariants: pure; a script's kind and name are the info words of its block; the runs that a value or a chart waits
 * for are read from its text; the text between the blocks is the authors' own.
 */
import { fencedBlocks, scriptInside } from "./blocks.ts";
import { Faults, type Fault } from "./faults.ts";
import type { Race } from "./race.ts";

export interface Script {
  /** Empty for a setup. */
  readonly id: string;
  readonly source: string;
  /** Where its text begins in `scripts.md`. */
  readonly line: number;
}

/** A wrong answer, and the hint that the check has to give for it. */
export interface Wrong extends Script {
  readonly key: string;
}

/** An expression whose value stands in the text. */
export interface Computed extends Script {
  /**
   * The runs and tasks after which it is computed; where there are none, it is computed at the start and after every
   * script, so that it tells of the data as they are.
   */
  readonly needs: readonly string[];
}

/** All scripts of a lesson, by their names. */
export interface Scripts {
  readonly setups: readonly Script[];
  readonly runs: ReadonlyMap<string, Script>;
  readonly starts: ReadonlyMap<string, Script>;
  readonly checks: ReadonlyMap<string, Script>;
  /** Scripts that change the data on which an answer is run again. */
  readonly others: ReadonlyMap<string, readonly Script[]>;
  /** Two programs that call at the same time. */
  readonly races: ReadonlyMap<string, readonly Race[]>;
  /** Judges the data after a race, in the check's place. */
  readonly helds: ReadonlyMap<string, Script>;
  readonly solutions: ReadonlyMap<string, Script>;
  readonly wrongs: ReadonlyMap<string, readonly Wrong[]>;
  readonly values: ReadonlyMap<string, Computed>;
  readonly charts: ReadonlyMap<string, Computed>;
}

export const SCRIPTS_FILE = "scripts.md";
/** More answers for the checks to be tried with, which no page reads. */
export const ANSWERS_FILE = "answers.md";

/** Answers to the tasks of a lesson, besides those in `scripts.md`. */
export interface Answers {
  readonly rights: ReadonlyMap<string, readonly Script[]>;
  readonly wrongs: ReadonlyMap<string, readonly Wrong[]>;
}

export const NO_ANSWERS: Answers = { rights: new Map(), wrongs: new Map() };

/** Hints that a page words itself, since any script can need them. */
export const GENERAL_HINTS: readonly string[] = ["syntax", "failed", "uncalled"];

/** A name of a script: a word of letters, digits and hyphens. */
export const NAME = /^[A-Za-z][\w-]*$/;

/** Whether a script is there to show an error: a comment of it says so. */
export const showsError = (source: string): boolean => /^\s*\/\/.*\berror\b/im.test(source);

/** The runs whose accounts an expression reads. */
function namedRuns(source: string): readonly string[] {
  const found = source.matchAll(/\bruns\s*(?:\?\.|\.)\s*([A-Za-z_]\w*)|\bruns\s*(?:\?\.)?\[\s*["']([\w-]+)["']\s*\]/g);
  return [...new Set([...found].map(([, dotted, quoted]) => dotted ?? quoted ?? ""))];
}

const KINDS = [
  "setup",
  "run",
  "start",
  "check",
  "other",
  "race",
  "held",
  "solution",
  "wrong",
  "value",
  "chart",
] as const;

/** Reads a race: the calls of two programs, a line each; an empty one has each run the reader's whole script. */
function readRace(text: string, words: readonly string[], line: number, faults: Faults): Race | null {
  const calls = text.split("\n").filter((one) => one.trim() !== "");
  const kinds = words.length === 0 ? ["between"] : words;
  if (!kinds.every((kind) => kind === "between" || kind === "cut"))
    faults.add(line, "a race names its task, and behind it `between`, `cut` or both");
  else if (calls.length !== 0 && calls.length !== 2)
    faults.add(line, "a race has two lines, the calls of two programs, or none: then each runs the whole script");
  else {
    const [first, second] = calls;
    const both: Race["calls"] = first === undefined || second === undefined ? null : [first.trim(), second.trim()];
    return { line: line + 1, calls: both, between: kinds.includes("between"), cut: kinds.includes("cut") };
  }
  return null;
}

/** Reads the scripts of a lesson. */
export function readScripts(markdown: string, file: string): { scripts: Scripts; faults: readonly Fault[] } {
  const faults = new Faults(file);
  const setups: Script[] = [];
  const maps = {
    run: new Map<string, Script>(),
    start: new Map<string, Script>(),
    check: new Map<string, Script>(),
    held: new Map<string, Script>(),
    solution: new Map<string, Script>(),
    value: new Map<string, Computed>(),
    chart: new Map<string, Computed>(),
  };
  const wrongs = new Map<string, Wrong[]>();
  const others = new Map<string, Script[]>();
  const races = new Map<string, Race[]>();
  for (const block of fencedBlocks(markdown)) {
    const { words, text, line } = block;
    const [language, kind, id, ...more] = words;
    if (language !== "js" && language !== "javascript") continue;
    const inside = scriptInside(block);
    if (inside !== null) faults.add(inside, `this block begins inside that of line ${line}, which is not closed`);
    const script = { id: id ?? "", source: text, line: line + 1 };
    if (kind === undefined) {
      faults.add(line, "this script does not say what it is: a block begins with ```js run ID, ```js check ID, …");
      continue;
    }
    if (kind === "setup") {
      if (id !== undefined) faults.add(line, "a setup has no name");
      setups.push(script);
      continue;
    }
    const isComputed = kind === "value" || kind === "chart";
    if (!(kind in maps) && kind !== "wrong" && kind !== "other" && kind !== "race") {
      faults.add(line, `\`${kind}\` is no kind of script: ${KINDS.join(", ")}`);
      continue;
    }
    if (id === undefined || !NAME.test(id)) {
      faults.add(line, `this ${kind} needs a name of letters, digits and hyphens`);
      continue;
    }
    if (kind === "wrong") {
      const [key, ...rest] = more;
      if (key === undefined || rest.length > 0) faults.add(line, "a wrong answer names its task and one hint's key");
      else wrongs.set(id, [...(wrongs.get(id) ?? []), { ...script, key }]);
      continue;
    }
    if (kind === "race") {
      const race = readRace(text, more, line, faults);
      if (race !== null) races.set(id, [...(races.get(id) ?? []), race]);
      continue;
    }
    if (kind === "other" && more.length === 0) {
      others.set(id, [...(others.get(id) ?? []), script]);
      continue;
    }
    const isAfter = isComputed && more[0] === "after" && more.length > 1;
    if (more.length > 0 && !isAfter) {
      faults.add(line, `\`${more.join(" ")}\` means nothing behind \`${kind} ${id}\``);
      continue;
    }
    const map = maps[kind as keyof typeof maps] as Map<string, Script>;
    if (map.has(id)) faults.add(line, `there are two scripts \`${kind} ${id}\``);
    else if (isComputed) {
      const needs = [...new Set([...namedRuns(text), ...more.slice(1)])];
      map.set(id, { ...script, needs } as Computed);
    } else map.set(id, script);
  }
  // One name is one thing in the text and in `runs`.
  const taken = new Map<string, string>();
  for (const [kind, map] of [
    ["run", maps.run],
    ["check", maps.check],
    ["value", maps.value],
    ["chart", maps.chart],
  ] as const) {
    for (const [id, { line }] of map) {
      const other = taken.get(id);
      if (other === undefined) taken.set(id, kind);
      else if (kind === "chart" || other === "chart") continue;
      else faults.add(line - 1, `\`${id}\` names a ${other} already`);
    }
  }
  for (const [kind, map] of [
    ["start", maps.start],
    ["solution", maps.solution],
    ["held", maps.held],
    ["other", others],
    ["race", races],
    ["wrong", wrongs],
  ] as const) {
    for (const [id, found] of map) {
      const { line } = (Array.isArray(found) ? found[0] : found) as { readonly line: number };
      if (!maps.check.has(id)) faults.add(line - 1, `\`${kind} ${id}\` has no \`check ${id}\``);
    }
  }
  for (const [id, { line }] of maps.check) {
    if (!maps.solution.has(id)) faults.add(line - 1, `\`check ${id}\` has no \`solution ${id}\``);
    const count = wrongs.get(id)?.length ?? 0;
    if (count < 2) faults.add(line - 1, `\`check ${id}\` needs at least two wrong answers, and has ${count}`);
  }
  for (const { id, needs, line } of [...maps.value.values(), ...maps.chart.values()]) {
    for (const need of needs)
      if (!maps.run.has(need) && !maps.check.has(need))
        faults.add(line, `\`${id}\` waits for \`${need}\`, which is no run`);
  }
  return {
    scripts: {
      setups,
      runs: maps.run,
      starts: maps.start,
      checks: maps.check,
      others,
      races,
      helds: maps.held,
      solutions: maps.solution,
      wrongs,
      values: maps.value,
      charts: maps.chart,
    },
    faults: faults.found,
  };
}

/** Reads `answers.md`: blocks `js right ID` and `js wrong ID KEY`. */
export function readAnswers(
  markdown: string,
  file: string,
  { checks }: Pick<Scripts, "checks">,
): { readonly answers: Answers; readonly faults: readonly Fault[] } {
  const faults = new Faults(file);
  const rights = new Map<string, Script[]>();
  const wrongs = new Map<string, Wrong[]>();
  for (const block of fencedBlocks(markdown)) {
    const { words, text, line } = block;
    const [language, kind, id = "", key, ...more] = words;
    if (language !== "js" && language !== "javascript") continue;
    const script = { id, source: text, line: line + 1 };
    if (!checks.has(id)) faults.add(line, `\`${words.slice(1).join(" ")}\` has no \`check ${id}\``);
    else if (kind === "right" && key === undefined) rights.set(id, [...(rights.get(id) ?? []), script]);
    else if (kind === "wrong" && key !== undefined && more.length === 0)
      wrongs.set(id, [...(wrongs.get(id) ?? []), { ...script, key }]);
    else faults.add(line, "an answer is `js right ID` or `js wrong ID KEY`");
  }
  return { answers: { rights, wrongs }, faults: faults.found };
}
