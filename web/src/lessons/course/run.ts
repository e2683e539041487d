/**
 * A lesson under way in an engine of its own: its setup, the scripts that the reader runs, its checks, and the numbers
 * that its text wants.
 *
 * Invariants: one thing at a time, in the order asked for; a check, a value and a question's answer are evaluated with
 * names of their own, so that no script of the reader's can change their meaning; all figures of a run are those that
 * the run itself reported. Going back is done by moments.
 */
import { EJSON, type Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { rawField } from "../../codec/members.ts";
import type { QuireClient, ScriptRun } from "../../client/client.ts";
import { decodeCommand, decodeScriptValue } from "../../state/decode.ts";
import type { RunOptions, RunOutcome, RunProgress, ScriptError } from "../../protocol/run.ts";
import { accountOfRun, plainValue, type RunAccount } from "./account.ts";
import { atPath } from "./figures.ts";
import { questionsOfRun, type Lesson } from "./lesson.ts";
import type { Question, Task } from "./parts.ts";
import { raceScript, readRaced, type Interleaving } from "./race.ts";
import { showsError, type Computed, type Script } from "./scripts.ts";
import { firstLine, Trials, type JudgeFacts } from "./trials.ts";

/** The calls of an engine's client that a lesson makes. */
export type LessonHost = Pick<QuireClient, "run" | "command">;

/** A script that a reader ran. */
export interface Made {
  readonly source: string;
  readonly outcome: RunOutcome;
  readonly printed: readonly string[];
  /** How many lines before those were not kept. */
  readonly leftOut: number;
  readonly account: RunAccount;
}

/** The outcome of a check. */
export type Checked =
  /** `alone`: the last script passed alone, after the writes of the attempts before it had been taken back. */
  | { readonly kind: "passed"; readonly alone?: true; readonly words: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "hint";
      readonly key: string;
      readonly words: Readonly<Record<string, unknown>>;
      /** The script passed with the lesson's data, and this is of its run with other data. */
      readonly other?: true;
      /** The meeting of two programs that broke the answer. */
      readonly shown?: Interleaving;
      /** The script ended with an error, which is told before the hint. */
      readonly error?: string;
    }
  /** The check itself went wrong, which is its author's fault. */
  | { readonly kind: "broken"; readonly message: string };

/** The true answer to a question, known after its run. */
export type Answered =
  | { readonly kind: "figure"; readonly truth: unknown }
  /** Which of the choices are true. */
  | { readonly kind: "choices"; readonly right: readonly boolean[] }
  | { readonly kind: "broken"; readonly message: string };

/** The costs of a reader's script and of the author's solution, each on the data before the first attempt. */
export interface Comparison {
  readonly yours: RunAccount;
  readonly solution: RunAccount;
  /** Whether the reader's script passes by itself; its cost leaves out what earlier tries did otherwise. */
  readonly whole: boolean;
}

/** The value of an expression, or why there is none. */
export type Value = { readonly value: unknown } | { readonly message: string };

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** A chart's bars: one row for each label, one bar for each series (a chart without has the one series ""). */
export interface Chart {
  readonly series: readonly string[];
  readonly rows: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

const EMPTY = "before the lesson";
const START = "start of the lesson";
const TRIES = "with earlier tries";
const CHECKED = "as it was checked";
const COMPARED = "as it was compared";
const before = (task: string): string => `before ${task}`;
/** A script that took longer is not run a second time without being asked. */
const MOST_ALONE_MILLIS = 5000;
/** A trial's script that takes longer ends, unless all scripts may take longer. */
const TRIAL_MILLIS = 10_000;
/** A larger value of a reader's script is not looked at by checks. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Lines of a script's output that are kept, the last ones. */
const MOST_LINES = 1000;

export class LessonRun {
  readonly lesson: Lesson;
  readonly database: string;
  readonly #host: LessonHost;
  readonly #limit: Pick<RunOptions, "timeLimitMillis">;
  readonly #made = new Map<string, Made>();
  readonly #answered = new Map<string, Answered>();
  readonly #values = new Map<string, Value>();
  readonly #charts = new Map<string, Value>();
  readonly #moments = new Set<string>();
  /** Tasks whose data hold writes of attempts before the last one. */
  readonly #earlier = new Set<string>();
  /** Tasks since whose first attempt a snippet or another task wrote. */
  readonly #disturbed = new Set<string>();
  readonly #trials: Trials;
  #hasTrialNames = false;
  /** What is done is taken back, and nobody looks at figures and charts meanwhile. */
  #isAside = false;
  /** How far the clock was ahead at the start of the lesson. */
  #clockMillis = 0;
  #last: Promise<unknown> = Promise.resolve();
  #current: ScriptRun | null = null;

  /** `limit`: how long each script may take; none where a reader can press Stop. */
  constructor(lesson: Lesson, database: string, host: LessonHost, limit: Pick<RunOptions, "timeLimitMillis"> = {}) {
    this.#limit = limit;
    this.lesson = lesson;
    this.database = database;
    this.#host = host;
    this.#trials = new Trials(lesson.scripts, {
      restore: (moment) => this.#restore(moment),
      keep: (moment) => this.#keep(moment),
      drop: (moment) => this.#dropMoments([moment]),
      ready: () => this.#readyTrials(),
      prepare: async (source) => {
        const { outcome } = await this.#evaluate(source, { names: "trials" });
        return outcome.error?.text ?? null;
      },
      make: (source) => this.#make(source),
      evaluate: (source) => this.#tried(source),
      judge: (script, made, facts) => this.#ruled(script, made, facts),
    });
  }

  /** The last run of a script or task. */
  made(id: string): Made | null {
    return this.#made.get(id) ?? null;
  }

  /** The true answer to a question, by its key; null before its run. */
  answered(key: string): Answered | null {
    return this.#answered.get(key) ?? null;
  }

  /** A number of the text, by its name; undefined while it is not known. `task` is whose text it stands in. */
  figure(name: string, task: string | null = null): unknown {
    const value = this.#values.get(name);
    if (value !== undefined) return "value" in value ? value.value : undefined;
    const [first = "", ...path] = name.split(".");
    const account = this.#made.get(first === "account" && task !== null ? task : first)?.account;
    return atPath(account, path);
  }

  /** Why a value is not known, where it went wrong. */
  valueFault(id: string): string | null {
    const value = this.#values.get(id);
    return value !== undefined && "message" in value ? value.message : null;
  }

  /** A chart's bars; null while they are not known, a text where the value is none of a chart. */
  chart(id: string): Chart | string | null {
    const found = this.#charts.get(id);
    if (found === undefined) return null;
    if ("message" in found) return found.message;
    return readChart(found.value);
  }

  /** Runs the setup and keeps the state. Rejects where the setup fails: a lesson cannot be had then. */
  begin(): Promise<void> {
    return this.#queue(async () => {
      await this.#keep(EMPTY);
      await this.#setUp();
      await this.#keep(START);
      this.#clockMillis = await this.#clock({});
      await this.#compute(null);
    });
  }

  /** Back to the start of the lesson: data, indexes, clock and names. */
  reset(): Promise<void> {
    return this.#queue(async () => {
      await this.#renewNames();
      await this.#restore(START);
      await this.#clock({ reset: true });
      if (this.#clockMillis !== 0) await this.#clock({ advanceMillis: this.#clockMillis });
      for (const known of [this.#made, this.#answered, this.#values, this.#charts]) known.clear();
      for (const tasks of [this.#earlier, this.#disturbed]) tasks.clear();
      await this.#dropMoments([...this.#moments].filter((name) => name !== EMPTY && name !== START));
      await this.#compute(null);
    });
  }

  /** Runs a snippet as its author wrote it, or as the reader changed it. */
  run(id: string, source?: string, onPrinted?: (lines: readonly string[]) => void): Promise<Made> {
    const script = this.lesson.scripts.runs.get(id);
    if (script === undefined) throw new Error(`the lesson has no run ${id}`);
    return this.#queue(async () => {
      const made = await this.#make(source ?? script.source, onPrinted);
      this.#made.set(id, made);
      this.#disturb(id, made);
      // A script that failed has no cost to speak of, unless its error is the answer to the question.
      if (made.outcome.error === null || showsError(script.source)) await this.#judge(id, made);
      await this.#compute(id);
      return made;
    });
  }

  /** Runs a reader's answer to a task. */
  attempt(id: string, source: string, onPrinted?: (lines: readonly string[]) => void): Promise<Made> {
    return this.#queue(async () => {
      await this.#keep(before(id));
      // A transaction that an earlier attempt left open would be in this one's way.
      if (this.#made.has(id)) await this.#endTransactions();
      if ((this.#made.get(id)?.account.pagesWritten ?? 0) > 0) this.#earlier.add(id);
      const made = await this.#make(source, onPrinted);
      this.#made.set(id, made);
      this.#disturb(id, made);
      await this.#compute(id);
      return made;
    });
  }

  /** Takes back all writes since the first attempt at a task. */
  retry(id: string): Promise<void> {
    return this.#queue(async () => {
      if (!this.#moments.has(before(id))) return;
      await this.#restore(before(id));
      // Tasks that were tried after it are undone, too, and will begin from another state.
      await this.#dropSince(id);
      this.#made.delete(id);
      await this.#compute(id);
    });
  }

  /**
   * Does something with a task and takes it back, as if it had never been: figures and charts are not computed for it.
   */
  async aside<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    this.#isAside = true;
    try {
      return await work();
    } finally {
      await this.retry(id);
      this.#isAside = false;
    }
  }

  /** Checks a task by the data and its last run. */
  check(task: Task): Promise<Checked> {
    return this.#queue(() => this.#check(task, this.#made.get(task.id) ?? null));
  }

  /** Whether the data hold writes of attempts at a task before the last one. */
  hasEarlier(id: string): boolean {
    return this.#earlier.has(id);
  }

  /**
   * Checks a task's last script on the data before the first attempt, for a reader who has mended a script and run it
   * again. Where it passes, its data stay; otherwise all is as it was. Null where it does not pass, or cannot be tried
   * alone.
   */
  alone(task: Task): Promise<Checked | null> {
    return this.#queue(async () => {
      const { id } = task;
      const last = this.#made.get(id);
      if (last === undefined || !this.#earlier.has(id) || this.#disturbed.has(id)) return null;
      if (!isRepeatable(last)) return null;
      await this.#keep(TRIES);
      await this.#restore(before(id));
      const made = await this.#make(last.source);
      const checked = await this.#check(task, made);
      if (checked.kind === "passed") {
        await this.#dropSince(id);
        this.#made.set(id, made);
        await this.#compute(id);
        return { ...checked, alone: true };
      }
      await this.#restore(TRIES);
      await this.#dropMoments([TRIES]);
      return null;
    });
  }

  /**
   * The costs of a reader's script and of the solution, on the same data; those of the lesson stay as they are. Null
   * where there is nothing to compare, or one of them cannot be run again.
   */
  compare(task: Task): Promise<Comparison | null> {
    return this.#queue(async () => {
      const { id } = task;
      const start = before(id);
      const last = this.#made.get(id);
      const solution = this.lesson.scripts.solutions.get(id)?.source;
      if (last === undefined || solution === undefined || !this.#moments.has(start)) return null;
      if (!isRepeatable(last) || /\bclock\b/.test(solution)) return null;
      await this.#keep(COMPARED);
      try {
        const model = await this.#apart(solution, start);
        if (model.outcome.error !== null && !showsError(solution)) return null;
        if (!this.#earlier.has(id)) return { yours: last.account, solution: model.account, whole: true };
        const again = await this.#apart(last.source, start);
        const checked = await this.#ruled(task.check, again, { before: start, other: false, race: null }, id);
        const whole = checked.kind === "passed";
        return { yours: whole ? again.account : last.account, solution: model.account, whole };
      } finally {
        await this.#restore(COMPARED);
        await this.#dropMoments([COMPARED]);
      }
    });
  }

  /** Runs a script on the data of a moment with names of its own; the data are to be put back after this. */
  async #apart(source: string, moment: string): Promise<Made> {
    if (this.#declaresNames) await this.#setUpAt("apart");
    await this.#restore(moment);
    const options = { names: "apart", fresh: !this.#declaresNames, observed: true, plans: true };
    const evaluated = await this.#evaluate(source, { ...options, timeLimitMillis: TRIAL_MILLIS });
    return { source, ...evaluated, account: accountOfRun(evaluated.outcome) };
  }

  /** Leaves the data as they are to the lesson that goes on with them, which keeps moments of its own. */
  leave(): Promise<void> {
    return this.#queue(() => this.#dropMoments([...this.#moments]));
  }

  async #check(task: Task, made: Made | null): Promise<Checked> {
    const slip = made === null ? null : syntaxSlip(made);
    if (slip !== null) return slip;
    const start = before(task.id);
    const checked = await this.#ruled(task.check, made, { before: start, other: false, race: null }, task.id);
    if (checked.kind === "hint") {
      const error = made?.outcome.error ?? null;
      const isTold = /\berror\b/.test(withoutTexts(task.check.source));
      if (made === null || error === null || isTold) return checked;
      const text = firstLine(error.text);
      // Of a script that did nothing the check sees the data alone, and its hint would tell of another mistake.
      return made.account.pagesWritten === 0 && made.outcome.statementsLeftOut === 0
        ? { kind: "hint", key: "failed", words: { message: text } }
        : { ...checked, error: text };
    }
    if (checked.kind !== "passed" || made === null || !this.#moments.has(start)) return checked;
    return this.#trials.has(task.id) ? ((await this.#trials.make(task.id, made, start)) ?? checked) : checked;
  }

  /** What a check, or another judging script, says about a run. */
  async #ruled(script: Script, made: Made | null, facts: JudgeFacts, task = script.id): Promise<Checked> {
    const runs = { ...this.#accounts(), ...(made === null ? {} : { [task]: made.account }) };
    const commands =
      made !== null && facts.race === null && /\breader\s*\.\s*commands\b/.test(script.source)
        ? await this.#commandsOf(made, facts.before)
        : [];
    const { race, other, before: start } = facts;
    const reader = { ...this.#readerOf(made), commands, before: this.#moments.has(start) ? start : null };
    const more = /\breader\s*\.\s*more\b/.test(script.source) && (await this.#hasMore(made));
    const answer = await this.#ask(script.source, { reader: { ...reader, more }, runs, other, race });
    if ("message" in answer) return { kind: "broken", message: answer.message };
    if (answer.written) return { kind: "broken", message: "the check changed the data, and has only to read them" };
    return readChecked(answer.value);
  }

  /** Whether a script's value is a cursor with more documents than its first batch has; the cursor is left as it is. */
  async #hasMore(made: Made | null): Promise<boolean> {
    const value = made?.outcome.value;
    if (value?.kind !== "cursor" || String(rawField(value.reply, "cursor", "id")) === "0") return false;
    const { $db, ...command } = decode(value.command);
    const batchSize = ((plainValue(value) as readonly unknown[]).length || 0) + 1;
    const again = "find" in command ? { ...command, batchSize } : { ...command, cursor: { batchSize } };
    const { cursor } = await this.#host.command(String($db), again);
    return (cursor as { readonly firstBatch: readonly unknown[] }).firstBatch.length === batchSize;
  }

  /** The commands of a script, with what each gave: it is run once more, alone, on the data that it began on. */
  async #commandsOf({ source, outcome }: Made, start: string): Promise<readonly unknown[]> {
    if (!this.#moments.has(start)) return [];
    await this.#keep(CHECKED);
    await this.#readyTrials();
    await this.#restore(start);
    const found = await this.#tried(raceScript(source, { calls: null }, { kind: "alone", at: 0 }, start, true));
    await this.#restore(CHECKED);
    await this.#dropMoments([CHECKED]);
    const steps = "message" in found ? [] : (readRaced(found.value)?.steps ?? []);
    // A cursor that a statement gives is run where it is shown.
    const shown = [...outcome.statements.map(({ value }) => value), outcome.value].flatMap((value) =>
      value.kind === "cursor" ? [{ by: "first", command: decodeCommand(value), reply: {} }] : [],
    );
    return [...steps, ...shown];
  }

  /** Declares the setup's names for trials, which see none of the reader's; the data are to be put back after this. */
  async #readyTrials(): Promise<void> {
    if (this.#hasTrialNames) return;
    this.#hasTrialNames = true;
    if (this.#declaresNames) await this.#setUpAt("trials");
  }

  /** Declares the setup's names once more; the clock stays, and the data are to be put back after this. */
  async #setUpAt(names: string): Promise<void> {
    const ahead = await this.#clock({});
    await this.#setUpAnew(names);
    await this.#clock({ reset: true });
    if (ahead !== 0) await this.#clock({ advanceMillis: ahead });
  }

  /** Runs a script of a trial. */
  async #tried(source: string): Promise<{ readonly value: unknown } | { readonly message: string }> {
    const timeLimitMillis = Math.max(TRIAL_MILLIS, this.#limit.timeLimitMillis ?? 0);
    const { outcome } = await this.#evaluate(source, { names: "trials", timeLimitMillis });
    return outcome.error === null ? { value: plainValue(outcome.value) } : { message: outcome.error.text };
  }

  /** Notes for the tasks that were begun that something else wrote. */
  #disturb(by: string, { account }: Made): void {
    if (account.pagesWritten === 0) return;
    for (const id of this.lesson.scripts.checks.keys())
      if (id !== by && this.#moments.has(before(id))) this.#disturbed.add(id);
  }

  /**
   * The data are those before a task's first attempt: forgets the moments after that one, and the attempts at their
   * tasks.
   */
  async #dropSince(id: string): Promise<void> {
    const names = [...this.#moments];
    const later = names.slice(names.indexOf(before(id)) + 1);
    await this.#dropMoments(later);
    for (const task of this.lesson.scripts.checks.keys())
      if (task === id || later.includes(before(task)))
        for (const tasks of [this.#earlier, this.#disturbed]) tasks.delete(task);
  }

  /** Whether the lesson's data are there still: ending a script may have taken the engine with it. */
  isThere(): Promise<boolean> {
    return this.#queue(async () => {
      const { moments } = await this.#host.command("admin", { quireMoments: 1 });
      return (moments as readonly Document[]).some(({ name }) => name === START);
    });
  }

  /** Ends the script under way. */
  stop(): void {
    this.#current?.stop();
  }

  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Runs a reader's script, with its account. */
  async #make(source: string, onPrinted?: (lines: readonly string[]) => void): Promise<Made> {
    const evaluated = await this.#evaluate(source, { names: "lesson", observed: true, plans: true }, onPrinted);
    return { source, ...evaluated, account: accountOfRun(evaluated.outcome) };
  }

  async #evaluate(
    source: string,
    options: Pick<RunOptions, "names" | "fresh" | "observed" | "plans" | "timeLimitMillis">,
    onPrinted: (lines: readonly string[]) => void = () => undefined,
  ): Promise<Pick<Made, "outcome" | "printed" | "leftOut">> {
    let printed: readonly string[] = [];
    let leftOut = 0;
    const gather = (more: Pick<RunProgress, "printed" | "leftOut">): void => {
      const lines = more.leftOut > 0 ? [...more.printed] : [...printed, ...more.printed];
      const over = Math.max(0, lines.length - MOST_LINES);
      leftOut += more.leftOut + over + (more.leftOut > 0 ? printed.length : 0);
      printed = lines.slice(over);
    };
    this.#current = this.#host.run(source, { database: this.database, ...this.#limit, ...options }, (progress) => {
      gather(progress);
      onPrinted(printed);
    });
    try {
      const outcome = await this.#current.outcome;
      gather(outcome);
      return { outcome, printed, leftOut };
    } finally {
      this.#current = null;
    }
  }

  /**
   * Evaluates an author's expression, which sees the values in `given` under their names. Those that it does not name
   * stay outside: the accounts of a long lesson take longer on their way than a check does.
   */
  async #ask(
    source: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly value: unknown; readonly written: boolean } | { readonly message: string }> {
    const named = Object.entries(given).filter(([name]) => new RegExp(`\\b${name}\\b`).test(source));
    const names = named.map(([name, value]) => `const ${name} = ${literal(value)};`);
    const { outcome } = await this.#evaluate(`${names.join(" ")}\n${source}`, { names: "checks", fresh: true });
    if (outcome.error !== null) return { message: outcome.error.text };
    return {
      value: plainValue(outcome.value),
      // Where the profiler is on, a check that reads is noted by it.
      written: outcome.statements.some(({ written }) =>
        written.some(({ namespace }) => !namespace.endsWith(".system.profile")),
      ),
    };
  }

  #accounts(): Readonly<Record<string, RunAccount>> {
    return Object.fromEntries([...this.#made].map(([id, { account }]) => [id, account]));
  }

  #readerOf(made: Made | null): Readonly<Record<string, unknown>> {
    if (made === null) return { printed: [], error: null, value: null, account: null };
    const { printed, outcome, account } = made;
    const { error, value } = outcome;
    const told =
      error === null ? null : { name: error.name, message: error.message, code: error.code, codeName: error.codeName };
    return { printed, error: told, value: typedValue(value) ?? null, account };
  }

  async #judge(run: string, made: Made): Promise<void> {
    for (const question of questionsOfRun(this.lesson, run)) {
      this.#answered.set(question.key, await this.#answer(question, made));
    }
  }

  async #answer({ answer }: Question, made: Made): Promise<Answered> {
    const given = { account: made.account, runs: this.#accounts(), value: typedValue(made.outcome.value) ?? null };
    if (answer.kind === "figure") {
      const found = await this.#ask(`(${answer.expression})`, given);
      return "message" in found ? { kind: "broken", message: found.message } : { kind: "figure", truth: found.value };
    }
    const expressions = answer.choices.map(({ expression }) => `Boolean(${expression})`);
    const found = await this.#ask(`[${expressions.join(", ")}]`, given);
    return "message" in found
      ? { kind: "broken", message: found.message }
      : { kind: "choices", right: (found.value as readonly unknown[]).map((one) => one === true) };
  }

  /**
   * Computes the values and charts that wait for this run and have all their runs now, and those that need none and
   * tell of the data as they are.
   */
  async #compute(ran: string | null): Promise<void> {
    if (this.#isAside) return;
    const due = ({ needs }: Computed): boolean =>
      needs.length === 0 || (ran !== null && needs.includes(ran) && needs.every((need) => this.#made.has(need)));
    const { values, charts } = this.lesson.scripts;
    for (const [computed, known] of [
      [values, this.#values],
      [charts, this.#charts],
    ] as const) {
      for (const one of computed.values()) {
        if (!due(one)) continue;
        const found = await this.#ask(one.source, { runs: this.#accounts() });
        known.set(one.id, found);
      }
    }
  }

  /**
   * Goes back to a moment. Transactions that a script left open end before that: they hold their documents. So does
   * the profiler, which is no data and would stay on.
   */
  async #restore(moment: string): Promise<void> {
    await this.#endTransactions();
    await this.#host.command(this.database, { profile: 0, slowms: 100, sampleRate: 1, filter: "unset" });
    await this.#host.command("admin", { quireRestore: moment });
  }

  async #endTransactions(): Promise<void> {
    await this.#host.command("admin", { killAllSessions: [] });
  }

  async #keep(name: string): Promise<void> {
    if (this.#moments.has(name)) return;
    await this.#host.command("admin", { quireMoment: 1, name });
    this.#moments.add(name);
  }

  async #dropMoments(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#host.command("admin", { quireDropMoment: name });
      this.#moments.delete(name);
    }
  }

  async #setUp(names = "lesson"): Promise<void> {
    for (const [at, { source, line }] of this.lesson.scripts.setups.entries()) {
      const { outcome } = await this.#evaluate(source, { names, fresh: at === 0 });
      if (outcome.error !== null) throw new SetupError(outcome.error, line);
    }
  }

  get #declaresNames(): boolean {
    const declares = ({ source }: Script): boolean => /\b(?:const|let|var|function|class)\b/.test(source);
    return this.lesson.scripts.setups.some(declares);
  }

  /** Runs the setup for its names; data are to be put back after this, and the clock is as at the lesson's start. */
  async #setUpAnew(names: string): Promise<void> {
    await this.#restore(EMPTY);
    await this.#clock({ reset: true });
    await this.#setUp(names);
  }

  /** Forgets the names that scripts declared, but for the setup's; the data are to be put back after this. */
  async #renewNames(): Promise<void> {
    if (this.#declaresNames) await this.#setUpAnew("lesson");
    else await this.#evaluate("", { names: "lesson", fresh: true });
  }

  /** Moves the engine's clock, and gives how far it is ahead. */
  async #clock(fields: Document): Promise<number> {
    const { offsetMillis } = await this.#host.command("admin", { quireClock: 1, ...fields });
    return Number(offsetMillis);
  }
}

/** A check's source without what it quotes: `"error"` may be a value that it compares, and not the reader's error. */
const withoutTexts = (source: string): string => source.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");

/** Whether a script that came to its end can be run once more on other data; a clock that it moved would move again. */
function isRepeatable({ source, outcome: { error, statistics } }: Made): boolean {
  const ended = error?.name === "ScriptStopped" || error?.name === "ScriptTimeout";
  return !ended && statistics.elapsedMillis <= MOST_ALONE_MILLIS && !/\bclock\b/.test(source);
}

/** A lesson's setup failed. */
export class SetupError extends Error {
  /** In `scripts.md`. */
  readonly line: number;
  constructor(error: ScriptError, line: number) {
    super(error.text);
    this.name = "SetupError";
    this.line = line + (error.line ?? 1) - 1;
  }
}

/** A value as an expression in a script's text; members that BSON cannot hold are left out. */
function literal(value: unknown): string {
  return `EJSON.parse(${JSON.stringify(EJSON.stringify(value ?? null, { relaxed: true }))})`;
}

/** A script's value with the types of its numbers, as much of it as a check looks at. */
function typedValue(value: RunOutcome["value"]): unknown {
  if (value.kind === "value" && value.bytes.length > MOST_BYTES) return null;
  return value.kind === "value" ? decodeScriptValue(value.bytes) : plainValue(value);
}

function readChecked(value: unknown): Checked {
  const [says, given]: readonly unknown[] = Array.isArray(value) ? value : [value];
  const told: unknown = given ?? {};
  if (typeof told === "object" && told !== null) {
    const words = told as Readonly<Record<string, unknown>>;
    if (says === true) return { kind: "passed", words };
    if (typeof says === "string") return { kind: "hint", key: says, words };
  }
  return {
    kind: "broken",
    message: "a check ends with true, a hint's key, or either of them with values: [key, { name: value }]",
  };
}

/** The hint for a script that could not be read, and of which nothing was run; null for any other. */
function syntaxSlip({ outcome: { error, statistics } }: Made): Checked | null {
  // The text of a fault in the script itself ends with its place; that of a `SyntaxError` which a statement threw
  // does not.
  if (error?.name !== "SyntaxError" || statistics.commands > 0 || !/\(\d+:\d+\)$/.test(error.text)) return null;
  return { kind: "hint", key: "syntax", words: { message: error.message, line: error.line ?? 1 } };
}

/** Reads a chart's value; a text instead says why it is no chart. */
export function readChart(value: unknown): Chart | string {
  const shape = "a chart is [{ label, value }] or [{ label, series: { name: value } }]";
  if (!Array.isArray(value) || value.length === 0) return shape;
  const series: string[] = [];
  const rows: { label: string; values: Map<string, number> }[] = [];
  for (const entry of value as readonly unknown[]) {
    if (typeof entry !== "object" || entry === null) return shape;
    const { label, value: single, series: several, ...rest } = entry as Document;
    if (Object.keys(rest).length > 0 || (single === undefined) === (several === undefined)) return shape;
    if (typeof label !== "string" && typeof label !== "number") return shape;
    const values = new Map<string, number>();
    for (const [name, one] of Object.entries((several as Document | undefined) ?? { "": single as unknown })) {
      if (one === null) continue;
      if (typeof one !== "number" || !Number.isFinite(one) || one < 0) return `${shape}, of numbers from 0 on`;
      if (!series.includes(name)) series.push(name);
      values.set(name, one);
    }
    rows.push({ label: String(label), values });
  }
  return {
    series,
    rows: rows.map(({ label, values }) => ({ label, values: series.map((name) => values.get(name) ?? null) })),
  };
}
