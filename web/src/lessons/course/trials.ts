/**
 * The trials of an answer that passes its check: the script is run again on other data, and against the adversary.
 *
 * Invariants: the trials begin on the data before the reader's first attempt, and leave the data as they found them;
 * they are the same in the same order every time; the first one that fails is told; a race in which nothing could be
 * tried does not count as stood.
 */
import type { Checked, Made } from "./run.ts";
import { interleavingOf, pointsOf, raceScript, readRaced, type Point, type Race, type Raced } from "./race.ts";
import type { Script, Scripts } from "./scripts.ts";

/** The means of a lesson under way that trials need. */
export interface TrialMeans {
  restore(moment: string): Promise<void>;
  /** Keeps the present under a name, which is free. */
  keep(moment: string): Promise<void>;
  drop(moment: string): Promise<void>;
  /** Declares the names that scripts of trials see; the data are to be put back after this. */
  ready(): Promise<void>;
  /** Runs a script of the author's, which may change the data; a text says why it failed. */
  prepare(source: string): Promise<string | null>;
  /** Runs the reader's script as an attempt does. */
  make(source: string): Promise<Made>;
  /** Runs a script that sees the setup's names; its value without types of numbers, or a text that says why not. */
  evaluate(source: string): Promise<{ readonly value: unknown } | { readonly message: string }>;
  /** Evaluates a check, or another judging script. */
  judge(script: Script, made: Made, facts: JudgeFacts): Promise<Checked>;
}

/** The facts of a trial that a judging script sees. */
export interface JudgeFacts {
  /** The moment of the data on which the script began. */
  readonly before: string;
  /** The data are not the lesson's own. */
  readonly other: boolean;
  /** Null outside races. */
  readonly race: {
    /** Of the task's races, counted from 1. */
    readonly number: number;
    readonly kind: Point["kind"];
    readonly errors: Raced["errors"];
  } | null;
}

const NOW = "before the trials";
const OTHER = "with other data";
const NO_END = { kind: "broken", message: "the race came to no end" } as const;

/** An error of many writes goes on with each of them, which stands in the script's output already. */
export const firstLine = (text: string): string => text.split("\n", 1)[0] as string;

/** Whether a call failed because the script has no function of its name. */
const isMissing = (message: string | null): boolean =>
  message !== null && /is not (?:defined|a function)$/.test(message);

export class Trials {
  readonly #means: TrialMeans;
  readonly #scripts: Pick<Scripts, "others" | "races" | "helds" | "checks">;

  constructor(scripts: Pick<Scripts, "others" | "races" | "helds" | "checks">, means: TrialMeans) {
    this.#scripts = scripts;
    this.#means = means;
  }

  /** Whether a task has any. */
  has(task: string): boolean {
    return (this.#scripts.others.get(task)?.length ?? 0) + (this.#scripts.races.get(task)?.length ?? 0) > 0;
  }

  /** Makes all trials of a task; null where the script stands them. `before`: the moment before the first attempt. */
  async make(task: string, made: Made, before: string): Promise<Checked | null> {
    await this.#means.keep(NOW);
    try {
      await this.#means.ready();
      return (await this.#onOtherData(task, made, before)) ?? (await this.#inRaces(task, made, before));
    } finally {
      await this.#means.restore(NOW);
      await this.#means.drop(NOW);
    }
  }

  async #onOtherData(task: string, { source }: Made, before: string): Promise<Checked | null> {
    const check = this.#scripts.checks.get(task);
    if (check === undefined) return null;
    for (const other of this.#scripts.others.get(task) ?? []) {
      await this.#means.restore(before);
      const failed = await this.#means.prepare(other.source);
      if (failed !== null) return { kind: "broken", message: failed };
      await this.#means.keep(OTHER);
      try {
        const made = await this.#means.make(source);
        const checked = await this.#means.judge(check, made, { before: OTHER, other: true, race: null });
        const { error } = made.outcome;
        if (checked.kind === "hint")
          return { ...checked, other: true, ...(error === null ? {} : { error: firstLine(error.text) }) };
        if (checked.kind === "broken") return checked;
      } finally {
        await this.#means.drop(OTHER);
      }
    }
    return null;
  }

  async #inRaces(task: string, made: Made, before: string): Promise<Checked | null> {
    for (const [at, race] of (this.#scripts.races.get(task) ?? []).entries()) {
      const serial = await this.#race(task, race, at + 1, { kind: "after", at: 0 }, made, before);
      if ("kind" in serial) return serial;
      // Without commands there is no point between two of them, and a race that tries none is no trial.
      if (serial.mine === 0) return { kind: "broken", message: "no command of the first program was seen" };
      for (const point of pointsOf(race, serial.mine)) {
        const met = await this.#race(task, race, at + 1, point, made, before);
        if ("kind" in met) return met;
      }
    }
    return null;
  }

  /** One meeting of the two programs; a `Checked` where it breaks the answer. */
  async #race(
    task: string,
    race: Race,
    number: number,
    point: Point,
    made: Made,
    before: string,
  ): Promise<Raced | Exclude<Checked, { readonly kind: "passed" }>> {
    const judging = this.#scripts.helds.get(task) ?? this.#scripts.checks.get(task);
    const raced = await this.#meet(race, point, made, before, false);
    if ("kind" in raced) return raced;
    if (judging === undefined) return NO_END;
    const [failed] = raced.errors;
    if (race.calls !== null && point.kind === "after" && isMissing(failed))
      return { kind: "hint", key: "uncalled", words: { call: race.calls[0], message: failed ?? "" } };
    const judge = ({ errors }: Raced): Promise<Checked> =>
      this.#means.judge(judging, made, { before, other: false, race: { number, kind: point.kind, errors } });
    const checked = await judge(raced);
    if (checked.kind === "passed") return raced;
    if (checked.kind === "broken") return checked;
    // Only the meeting that is shown is noted, and most break nothing: so they meet there once more.
    const noted = await this.#meet(race, point, made, before, true);
    if ("kind" in noted) return noted;
    const again = await judge(noted);
    return { ...(again.kind === "hint" ? again : checked), shown: interleavingOf(race, point, noted) };
  }

  /** Lets the two programs meet, on the data before the first attempt. */
  async #meet(
    race: Race,
    point: Point,
    { source }: Made,
    before: string,
    notes: boolean,
  ): Promise<Raced | Extract<Checked, { readonly kind: "broken" }>> {
    await this.#means.restore(before);
    const found = await this.#means.evaluate(raceScript(source, race, point, before, notes));
    return "message" in found ? { kind: "broken", message: found.message } : (readRaced(found.value) ?? NO_END);
  }
}
