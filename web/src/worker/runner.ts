/**
 * Runs scripts: sandbox, progress, and the value on its way to the page as bytes.
 *
 * Invariant: documents that are only shown never enter the sandbox: a cursor's command comes out of it, and its batch
 * goes from the engine to the page untouched.
 */
import { EJSON, type Document } from "bson";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { accountOf, NO_TOTALS } from "../engine/account.ts";
import type { Engine } from "../engine/engine.ts";
import type { RunOptions, RunOutcome, RunProgress, ScriptValue, Written } from "../protocol/run.ts";
import { operatorPlace } from "../shell/operator-place.ts";
import type { EvaluatedError, EvaluatedValue } from "../shell/shell.ts";
import { callWatch } from "./function-realm.ts";
import { Printed } from "./printed.ts";
import { Moments, type ScriptMoments } from "./moments.ts";
import type { LayImage } from "./realm.ts";
import { Sandbox, sandboxLoader, type SandboxHost } from "./sandbox.ts";
import { NOT_JOURNALED } from "./persistence.ts";
import { member, rawField, withDocument } from "../codec/members.ts";
import { Statements, type Totals } from "./statements.ts";
import { Slices, type SliceOptions } from "./slices.ts";
import { StatementPlan } from "./statement-plan.ts";
import { StopWatch } from "./stop.ts";
import { Traveller } from "./travel.ts";
import { readWritten } from "./written.ts";

/** Progress is told at most so often, in milliseconds. */
const PROGRESS_EVERY_MILLIS = 50;

/** A run's outcome but for `saved`, which only the keeper knows. */
export type UnsavedOutcome = Omit<RunOutcome, "saved">;

/** Keeps moments, of scripts and of a page's other actions, and goes back to them. */
export const makeMoments = (engine: () => Engine): { readonly moments: Moments; readonly traveller: Traveller } => {
  const moments = new Moments(engine);
  return { moments, traveller: new Traveller(moments) };
};

export class Runner {
  /** Asked for when a script runs: the sandbox is made while the engine is still being opened. */
  readonly #opened: () => Engine;
  readonly #sandbox: Sandbox;
  readonly #printed = new Printed();
  #statements = new Statements(accountOf(NO_TOTALS));
  #printedLines = 0;
  /** How many top-level statements came to their end. */
  #endedStatements = 0;
  #commands = 0;
  #engineMillis = 0;
  #started = 0;
  #told = 0;
  #slices: Slices | null = null;
  readonly #moments: Moments;
  /** Null where the script's changes are not to be kept. */
  #kept: ScriptMoments | null = null;
  /** A command is at work: it may be calling a function of the script's. */
  #inEngine = false;
  /** A command began since a function was called. */
  #begun = true;
  /** The cursors that are shown are observed. */
  #observing = false;
  /** Null where nobody asked for the plans of statements. */
  #plan: StatementPlan | null = null;
  #watch: StopWatch | null = null;
  #onProgress: (progress: RunProgress) => void = () => undefined;

  private constructor(opened: () => Engine, sandbox: (host: SandboxHost) => Sandbox) {
    this.#opened = opened;
    this.#moments = new Moments(opened);
    this.#sandbox = sandbox({
      command: (text) => this.#command(text),
      commandBytes: (command) => this.#commandBytes(command),
      ended: (number, value) => this.#ended(number, value),
      print: (text) => this.#print(text),
      tick: () => this.#tick(),
    });
  }

  /** Loads the sandbox; most of the first Run's time before its script begins is spent here. */
  static async load(opened: () => Engine, wasm: WebAssembly.Module, image: LayImage | null): Promise<Runner> {
    const runner = new Runner(opened, (host) => new Sandbox(sandboxLoader(wasm, image), host));
    await runner.#sandbox.ready();
    return runner;
  }

  /** The slices of a script that is about to run. */
  slices(options: SliceOptions): Slices {
    return new Slices(this.#engine, options);
  }

  get #engine(): Engine {
    return this.#opened();
  }

  async run(
    source: string,
    options: RunOptions,
    stopUrl: string | null,
    slices: Slices,
    onProgress: (progress: RunProgress) => void,
  ): Promise<UnsavedOutcome> {
    // A script's commands are synchronous: nothing can be fetched while it runs.
    await Promise.all([this.#sandbox.ready(options.memoryLimitBytes), this.#engine.resident()]);
    this.#slices = slices;
    this.#printed.take();
    this.#statements = new Statements(this.#engine.account());
    this.#engine.takeWritten(true);
    this.#printedLines = 0;
    this.#endedStatements = 0;
    this.#commands = 0;
    this.#engineMillis = 0;
    this.#started = performance.now();
    this.#told = this.#started;
    this.#onProgress = onProgress;
    this.#observing = options.observed === true;
    this.#plan = options.plans === true ? new StatementPlan() : null;
    this.#sandbox.setClockOffset(Number(this.#engine.status().clockOffsetMillis ?? 0));
    this.#watch = new StopWatch(stopUrl, options.timeLimitMillis, this.#started);
    this.#engine.takeTouched(options.pages === true);
    this.#kept = options.moment === undefined ? null : this.#moments.script(options.moment);
    const evaluated = this.#sandbox.evaluate(
      source,
      {
        database: options.database,
        numbersAsDouble: options.numbersAsDouble === true,
        batchSize: options.batchSize ?? 20,
        fresh: options.fresh === true,
        names: options.names ?? "",
      },
      this.#watch,
    );
    this.#slices = null;
    this.#watch = null;
    const elapsedMillis = performance.now() - this.#started;
    const touched = this.#engine.takeTouched(false);
    const failed = this.#failed(source, evaluated.error, readWritten(this.#engine.takeWritten(false)));
    const kept = await this.#kept?.after();
    this.#kept = null;
    return {
      ...this.#statements.take(this.#sandbox.places),
      ...failed,
      kept: kept ?? null,
      ...(options.pages === true ? { touched } : {}),
      ...this.#printed.take(),
      database: evaluated.database,
      statistics: {
        commands: this.#commands,
        elapsedMillis,
        engineMillis: this.#engineMillis,
      },
    };
  }

  /** The error of the run as the page is told it, and the statement that it ended in, which had written `written`. */
  #failed(
    source: string,
    error: EvaluatedError | null,
    written: readonly Written[],
  ): Pick<RunOutcome, "error" | "failed"> {
    const place = error === null ? undefined : this.#sandbox.places[this.#endedStatements];
    if (error === null || place === undefined) return { error, failed: null };
    const failed = { ...place, ...this.#statements.failed(written, this.#totals()) };
    return { error: { ...error, ...operatorPlace(source, place, error) }, failed };
  }

  #totals(): Totals {
    return {
      elapsedMillis: performance.now() - this.#started,
      engineMillis: this.#engineMillis,
      commands: this.#commands,
      printed: this.#printedLines,
      account: this.#engine.account(),
    };
  }

  close(): void {
    try {
      this.#sandbox.close();
    } catch {
      // QuickJS aborts when a script left something it cannot free; the worker ends anyway.
    }
  }

  #command(text: string): string {
    if (this.#plan !== null && !NUMBERED.test(text)) {
      const reply = this.#commandBytes(encode(EJSON.parse(text, { relaxed: false }) as Document));
      return EJSON.stringify(decode(reply, { numbers: "typed" }), { relaxed: false });
    }
    this.#plan?.passed();
    const reply = this.#timed(() => this.#engine.runJson(text));
    return this.#done() ? reply : notJournaled(reply);
  }
  #commandBytes(command: Uint8Array): Uint8Array {
    if (this.#plan?.wants(command) === true) return this.#observed(command).reply;
    const reply = this.#timed(() => this.#engine.runBytes(command, Infinity));
    this.#plan?.saw(command, reply);
    return this.#done() ? reply : unjournaled(reply);
  }
  /**
   * Runs a cursor's command inside `quireObserve`, so that the engine gives its counters and its plan with the reply.
   * The command runs once, as it would by itself.
   */
  #observed(command: Uint8Array): { readonly reply: Uint8Array; readonly observed?: Uint8Array } {
    const both = this.#timed(() => this.#engine.runBytes(observing(command), Infinity));
    const reply = member(both, "reply")?.slice() ?? both;
    const observed = member(both, "observed")?.slice();
    this.#plan?.saw(command, reply, observed);
    if (!this.#done()) return { reply: unjournaled(reply) };
    return observed === undefined ? { reply } : { reply, observed };
  }
  #timed<Reply>(run: () => Reply): Reply {
    const before = performance.now();
    const reply = this.#atWork(run);
    this.#commands += 1;
    this.#engineMillis += performance.now() - before;
    return reply;
  }
  /** The work due after each command of a script; false where it was not journaled as it asked. */
  #done(): boolean {
    let journaled = true;
    if (this.#slices !== null) {
      if (this.#engine.askedJournal) journaled = this.#slices.journal(this.#watch);
      this.#slices.afterCommand();
    }
    this.#maybeTell();
    return journaled;
  }

  #atWork<Reply>(command: () => Reply): Reply {
    this.#inEngine = true;
    try {
      return command();
    } finally {
      this.#inEngine = false;
    }
  }

  /** Tells that a command begins: values that functions of earlier commands left must be gone. */
  begin(): void {
    this.#begun = true;
  }

  /** Whether the script under way, and so its command, should end. */
  shouldStop(): boolean {
    return this.#watch?.shouldStop() ?? false;
  }

  /** A function inside a command, of the running script or of a command from outside. */
  callFunction(
    source: string,
    thisJson: string | undefined,
    argumentsJson: readonly string[],
    limitMillis: number | undefined,
    outside: StopWatch | null,
  ): string {
    const { functions } = this.#sandbox;
    if (this.#begun) functions.begin();
    this.#begun = false;
    // The realm is made before the function's time begins.
    return functions.call(source, thisJson, argumentsJson, callWatch(this.#watch ?? outside, limitMillis));
  }

  #tick(): void {
    if (this.#inEngine) return;
    this.#slices?.afterCommand();
    if (!this.#printed.isEmpty) this.#maybeTell();
  }

  #print(text: string): void {
    this.#printedLines += 1;
    this.#printed.add(text);
    this.#maybeTell();
  }

  #maybeTell(): void {
    const now = performance.now();
    if (now - this.#told < PROGRESS_EVERY_MILLIS) return;
    this.#told = now;
    this.#onProgress({ ...this.#printed.take(), commands: this.#commands, elapsedMillis: now - this.#started });
  }

  /** Keeps the value of a statement that ended; see `SandboxHost`. */
  #ended(number: number, evaluated: EvaluatedValue): string {
    const made = this.#value(evaluated);
    if ("failure" in made) return `!${made.failure}`;
    const plan = this.#plan?.take() ?? {};
    this.#endedStatements = number + 1;
    this.#statements.ended(
      number,
      made.value,
      { written: readWritten(this.#engine.takeWritten(true)), ...plan },
      this.#totals(),
    );
    return made.cursorId;
  }

  /** The value as it goes to the page, with the id of a cursor; or the reply of a cursor's command that failed. */
  #value(evaluated: EvaluatedValue): { value: ScriptValue; cursorId: string } | { failure: string } {
    switch (evaluated.kind) {
      case "none":
      case "text":
        return { value: evaluated, cursorId: "" };
      case "shown":
        return { value: { kind: "value", bytes: this.#sandbox.takeShown() }, cursorId: "" };
      case "value": {
        const value = EJSON.parse(evaluated.json, { relaxed: false }) as unknown;
        return { value: { kind: "value", bytes: encode({ value }) }, cursorId: "" };
      }
      case "cursor": {
        const command = encode(EJSON.parse(evaluated.command, { relaxed: false }) as Document);
        const { reply, ...rest } = this.#observing ? this.#observed(command) : { reply: this.#commandBytes(command) };
        if (rawField(reply, "ok") !== 1)
          return { failure: EJSON.stringify(decode(reply, { numbers: "typed" }), { relaxed: false }) };
        return {
          value: { kind: "cursor", command, reply, ...rest },
          cursorId: String(rawField(reply, "cursor", "id")),
        };
      }
    }
  }
}

/** A field that an object would put before the others; so a text with one stays a text. */
const NUMBERED = /"\d+":/;

/** A command as the field `command` of a `quireObserve`. */
function observing(command: Uint8Array): Uint8Array {
  return withDocument(encode({ quireObserve: 1, $db: rawField(command, "$db") }), "command", command);
}

/** A reply to a command that was done, but not journaled as it asked. */
function unjournaled(reply: Uint8Array): Uint8Array {
  return encode({ ...decode(reply, { numbers: "typed" }), writeConcernError: NOT_JOURNALED });
}

/** A reply in Extended JSON to a command that was done, but not journaled as it asked. */
function notJournaled(reply: string): string {
  const error = { ...NOT_JOURNALED, code: { $numberInt: String(NOT_JOURNALED.code) } };
  return reply.replace(/\}$/, `,"writeConcernError":${JSON.stringify(error)}}`);
}
