/**
 * The one engine of all snippets of a page that have the same topology, in one worker and in memory. Fetched on the
 * first focus or Run.
 *
 * Invariants: the steps of one Run (dropping, setup, script) are not interleaved with another's; a shared database's
 * setup runs once between two of its beginnings; an isolated database begins anew with every Run; when the worker was
 * lost, every database has begun anew, and says so by its generation. A setup that leaves nothing but data runs once:
 * its data is kept as a moment, which later beginnings go back to.
 */
import type { CursorBatch, QuireClient, ScriptRun } from "../client/client.ts";
import { openClient } from "../client/reading.ts";
import type { Topology } from "../engine/topology.ts";
import type { RunOutcome, ScriptError, ScriptValue } from "../protocol/run.ts";
import type { Changer, Commander } from "../state/data/ask.ts";
import { startOfLast } from "../state/model.ts";
import type { QuireStage } from "./events.ts";

/** A script that comes before the snippet's own. */
export interface Step {
  readonly stage: QuireStage;
  /** The id of the snippet whose script it is; empty for a setup. */
  readonly name: string;
  readonly source: string;
}

/** The work of one press of Run: the scripts before the snippet's own, and that one. */
export interface Job {
  readonly database: string;
  /** Begins with an empty database and no names. */
  readonly isolated: boolean;
  readonly steps: readonly Step[];
  readonly source: string;
  /** Have the commands of shown cursors observed. Default false. */
  readonly observed?: boolean;
}

export type Phase = "waiting" | "setting" | "running";

/** How a job ended. */
export interface Finished {
  readonly stage: QuireStage;
  /** The name of the step that failed; empty when the snippet's own script ended. */
  readonly name: string;
  /** The script that ended. */
  readonly source: string;
  readonly outcome: Pick<
    RunOutcome,
    "value" | "statements" | "statementsLeftOut" | "printed" | "leftOut" | "error" | "failed" | "statistics"
  >;
  /** Stopping ended the worker, and with it went all data. */
  readonly lost: boolean;
}

export interface Running {
  readonly finished: Promise<Finished>;
  stop(): void;
}

interface SharedDatabase {
  generation: number;
  prepared: Set<string>;
  /** A script ran since the beginning: the data is not the setups' alone any more. */
  touched: boolean;
  /** The moment after these setups ran in a database that was empty before. */
  mark: { readonly sources: string; readonly number: number } | null;
}

/** Words of a setup that may leave more than data: names for the scripts after it, the database in use, the clock. */
const LEAVES_NAMES = /\b(?:const|let|var|function|class|use|clock|it|globalThis)\b/;
const ASSIGNS = /(?:^|[^\w$.=!<>])[\w$]+\s*(?:[-+*/%&|^?]{0,3}=(?![=>])|\+\+|--)/m;
const TEXTS = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/** Whether a setup leaves nothing but data, as far as its text tells: one that only may leave more runs again. */
function leavesOnlyData(source: string): boolean {
  const code = source.replace(TEXTS, '""');
  return !LEAVES_NAMES.test(code) && !ASSIGNS.test(code);
}

/** The members of an engine's client that the snippets call. */
export type BackendClient = Pick<QuireClient, "run" | "command" | "commandBytes" | "more"> & {
  readonly state: Pick<QuireClient["state"], "gentleStop">;
};

/** The snippets' databases in one engine, which `open` opens. */
export class Backend {
  readonly #openClient: () => Promise<BackendClient>;
  #client: Promise<BackendClient> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #databases = new Map<string, SharedDatabase>();
  #touched = new WeakMap<ScriptValue, Uint32Array>();

  constructor(openClient: () => Promise<BackendClient>) {
    this.#openClient = openClient;
  }

  /** Opens the engine, once. */
  open(): Promise<BackendClient> {
    if (this.#client === null) {
      const client = this.#openClient();
      this.#client = client;
      client.catch(() => this.#forget(client));
    }
    return this.#client;
  }

  #shared(database: string): SharedDatabase {
    let shared = this.#databases.get(database);
    if (shared === undefined)
      this.#databases.set(database, (shared = { generation: 1, prepared: new Set(), touched: false, mark: null }));
    return shared;
  }

  /** Counts a database's beginnings: data of a script that ran in another generation is gone. */
  generation(database: string): number {
    return this.#shared(database).generation;
  }

  #begin(shared: SharedDatabase): void {
    shared.generation += 1;
    shared.prepared.clear();
    shared.touched = false;
  }

  /** Brings back the data of these setups, where a moment of it is kept; false where they have to run. */
  async #goBack(client: BackendClient, database: string, { mark }: SharedDatabase, sources: string): Promise<boolean> {
    if (mark === null || mark.sources !== sources) return false;
    try {
      await client.command("admin", { quireRestore: mark.number, database });
      return true;
    } catch {
      // The moment was dropped, by the engine for want of room or by a script.
      return false;
    }
  }

  /** Keeps the data of these setups as a moment, and drops the moment of other setups. */
  async #keepMark(client: BackendClient, shared: SharedDatabase, sources: string): Promise<void> {
    const before = shared.mark;
    try {
      const { number } = await client.command("admin", { quireMoment: 1, what: "setup of a snippet" });
      shared.mark = { sources, number: Number(number) };
      if (before !== null && before.number !== shared.mark.number)
        await client.command("admin", { quireDropMoment: before.number });
    } catch {
      // No moment could be kept: the setups run again the next time.
    }
  }

  #forget(client: Promise<BackendClient> | null): void {
    if (client !== null && this.#client === client) this.#client = null;
    // The next engine counts pages anew, so the numbers kept so far mean other pages.
    this.#touched = new WeakMap();
    for (const shared of this.#databases.values()) {
      this.#begin(shared);
      shared.mark = null;
    }
  }

  /** Does the work after all that was queued before it. */
  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Empties a database; setups and dependencies run again before the next script in it. */
  reset(database: string): Promise<void> {
    return this.#queue(async () => {
      this.#begin(this.#shared(database));
      const client = await this.open();
      await client.command(database, { dropDatabase: 1 });
      // An empty script, so that the names go too.
      await client.run("", { database, names: database, fresh: true }).outcome;
    });
  }

  /** `onPrinted` gets the kept lines of all that the script printed so far. */
  run(job: Job, onPhase: (phase: Phase) => void, onPrinted: (printed: Printed) => void): Running {
    let stops = 0;
    let current: ScriptRun | null = null;
    const started = performance.now();
    const one = async (
      client: BackendClient,
      source: string,
      fresh: boolean,
      told: (printed: Printed) => void,
      observed = false,
    ): Promise<RunOutcome & Printed> => {
      let kept: Printed = { printed: [], leftOut: 0 };
      const gather = (more: Printed): Printed => (kept = joined(kept, more));
      const options = {
        database: job.database,
        names: job.database,
        fresh,
        observed,
        plans: observed,
        pages: observed,
      };
      current = client.run(source, options, (progress) => told(gather(progress)));
      try {
        const outcome = await current.outcome;
        const { value, touched } = outcome;
        if (touched !== undefined) this.#touched.set(value, touched);
        return { ...outcome, ...gather(outcome) };
      } finally {
        current = null;
      }
    };
    const stoppedBefore = (): Finished => ({
      stage: "script",
      name: "",
      source: job.source,
      outcome: {
        value: { kind: "none" },
        statements: [],
        statementsLeftOut: 0,
        printed: [],
        leftOut: 0,
        error: STOPPED,
        failed: null,
        statistics: { commands: 0, engineMillis: 0, elapsedMillis: performance.now() - started },
      },
      lost: false,
    });

    const work = async (): Promise<Finished> => {
      if (stops > 0) return stoppedBefore();
      const opened = this.open();
      const client = await opened;
      /** Whether a run that was stopped took the worker with it. */
      const ended = (outcome: RunOutcome): boolean => {
        const lost = outcome.error?.name === STOPPED.name && (stops > 1 || !client.state.gentleStop);
        if (lost) this.#forget(null);
        return lost;
      };
      try {
        const shared = this.#shared(job.database);
        if (job.isolated) {
          this.#begin(shared);
          await client.command(job.database, { dropDatabase: 1 });
        }
        let fresh = job.isolated;
        const sources = JSON.stringify(job.steps.map(({ source }) => source));
        const isPlain =
          !shared.touched && job.steps.length > 0 && job.steps.every(({ source }) => leavesOnlyData(source));
        const isStart = isPlain && shared.prepared.size === 0;
        const isBack = isStart && (await this.#goBack(client, job.database, shared, sources));
        if (isBack) for (const { source } of job.steps) shared.prepared.add(source);
        for (const { stage, name, source } of job.steps) {
          if (isBack || (!job.isolated && shared.prepared.has(source))) continue;
          if (stops > 0) return stoppedBefore();
          onPhase("setting");
          shared.touched = true;
          const outcome = await one(client, source, fresh, () => undefined);
          fresh = false;
          if (outcome.error !== null) return { stage, name, source, outcome, lost: ended(outcome) };
          shared.prepared.add(source);
        }
        if (isStart && !isBack) await this.#keepMark(client, shared, sources);
        shared.touched = true;
        if (stops > 0) return stoppedBefore();
        onPhase("running");
        const outcome = await one(client, job.source, fresh, onPrinted, job.observed);
        return { stage: "script", name: "", source: job.source, outcome, lost: ended(outcome) };
      } catch (error) {
        // The worker is gone for good; the next Run opens another.
        this.#forget(opened);
        throw error;
      }
    };
    onPhase("waiting");
    const stop = (): void => {
      stops += 1;
      current?.stop();
    };
    return { finished: this.#queue(work), stop };
  }

  /** The pages that the script of an observed value touched (`RunOutcome.touched`); null once its engine is gone. */
  touchedBy(value: ScriptValue): Uint32Array | null {
    return this.#touched.get(value) ?? null;
  }

  /** The commands of the drawings of the insides, some of which change data: they leave no moment. */
  readonly changer: Changer = {
    commandBytes: (command) => this.#command(command),
    changeBytes: (command) => this.#command(command),
  };

  /** Commands that only read. */
  readonly reader: Commander = {
    commandBytes: (command) => this.#queue(async () => (await this.open()).commandBytes(command)),
  };

  #command(command: Uint8Array): Promise<Uint8Array> {
    return this.#queue(async () => {
      for (const shared of this.#databases.values()) shared.touched = true;
      return (await this.open()).commandBytes(command);
    });
  }

  /** The next batch of a cursor that a script handed out, with the engine's counters for its `getMore`. */
  more(batch: CursorBatch): Promise<CursorBatch> {
    return this.#queue(async () => (await this.open()).more(batch, undefined, true));
  }
}

/** The kept lines: the last ones, and how many came before. */
type Printed = Pick<RunOutcome, "printed" | "leftOut">;

/** How much a snippet keeps. */
const MOST_LINES = 1000;
const MOST_CHARACTERS = 100_000;

function joined(before: Printed, more: Printed): Printed {
  const lines = more.leftOut > 0 ? more.printed : [...before.printed, ...more.printed];
  const from = startOfLast(lines, MOST_LINES, MOST_CHARACTERS);
  return {
    printed: lines.slice(from),
    leftOut: before.leftOut + more.leftOut + from + (more.leftOut > 0 ? before.printed.length : 0),
  };
}

const STOPPED: ScriptError = {
  name: "ScriptStopped",
  message: "the script was stopped",
  text: "ScriptStopped: the script was stopped",
  code: null,
  codeName: null,
  line: null,
  column: null,
};

const backends = new Map<Topology, Backend>();

/** The backend of all snippets of the page with this topology, made with the first of them. */
export function backendOf(topology: Topology): Backend {
  let backend = backends.get(topology);
  if (backend === undefined) {
    backend = new Backend(() => openClient({ deployment: { name: "snippets", storage: "memory", topology } }));
    backends.set(topology, backend);
  }
  return backend;
}
