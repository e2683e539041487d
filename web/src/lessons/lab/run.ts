/**
 * Runs a lab: each design in an engine of its own, its data at a scale, then every operation on those same data.
 *
 * Invariants: nothing is estimated: each cost is reported by the run of that operation's script; every operation finds
 * the data as the design's script left them, since the writes of each are taken back before the next; a script that
 * fails is told with its design, and the others go on; a stopped run gives nothing.
 */
import { EJSON, type Document } from "bson";
import type { QuireClient } from "../../client/client.ts";
import type { RunOptions, RunOutcome } from "../../protocol/run.ts";
import { accountOfRun, plainValue } from "../course/account.ts";
import {
  answerKey,
  comparable,
  differencesIn,
  type Costs,
  type DesignFault,
  type DesignMeasure,
  type LabMeasure,
  type Sample,
  type Sizes,
} from "./measure.ts";
import type { Design, LabScripts, Operation } from "./parse.ts";

/** The calls of an engine's client that a lab makes. */
export interface LabHost extends Pick<QuireClient, "run" | "command"> {
  close(): unknown;
}

/** How far a run is; `script` is "design" or the operation's id. */
export interface LabProgress {
  readonly scale: number;
  readonly design: string;
  readonly script: string;
}

export interface LabRunOptions {
  openHost(): Promise<LabHost>;
  /** Ends the run: it then rejects with `LabStopped`. */
  readonly signal?: AbortSignal;
  /** How long each script may take; none where a reader can press Stop. */
  readonly timeLimitMillis?: number;
  onProgress?(progress: LabProgress): void;
}

/** The reader stopped the run. */
export class LabStopped extends Error {
  override readonly name = "LabStopped";
}

/** The database in which a design's scripts run. */
export const LAB_DATABASE = "lab";
const LOADED = "data of the design";
const VIEWS = "system.views";

/** Measures all designs at one scale. */
export async function measureLab(scripts: LabScripts, scale: number, options: LabRunOptions): Promise<LabMeasure> {
  const designs: DesignMeasure[] = [];
  const answers = new Map<string, ReadonlyMap<string, string>>();
  for (const design of scripts.designs) {
    if (options.signal?.aborted === true) throw new LabStopped();
    options.onProgress?.({ scale, design: design.id, script: "design" });
    const host = await options.openHost();
    try {
      const run = new DesignRun(host, design, scale, options);
      designs.push(await run.measure(scripts.operations));
      answers.set(design.id, run.answers);
    } finally {
      // An engine that was ended has nothing to close.
      await Promise.resolve(host.close()).catch(() => undefined);
    }
  }
  return { scale, designs, differences: differencesIn(answers, scripts) };
}

class DesignRun {
  readonly answers = new Map<string, string>();
  readonly #host: LabHost;
  readonly #design: Design;
  readonly #scale: number;
  readonly #options: LabRunOptions;
  readonly #faults: DesignFault[] = [];
  readonly #costs = new Map<string, Costs>();

  constructor(host: LabHost, design: Design, scale: number, options: LabRunOptions) {
    this.#host = host;
    this.#design = design;
    this.#scale = scale;
    this.#options = options;
  }

  async measure(operations: readonly Operation[]): Promise<DesignMeasure> {
    const { id } = this.#design;
    const loaded = await this.#evaluate(this.#design.load);
    if (loaded.error !== null) {
      this.#fail("design", this.#design.load, loaded.error);
      return { id, sizes: null, costs: this.#costs, samples: [], faults: this.#faults };
    }
    const { sizes, samples } = await this.#look();
    await this.#host.command("admin", { quireMoment: 1, name: LOADED });
    const reads = operations.filter(({ kind }) => kind === "read");
    for (const operation of reads) await this.#operate(operation, reads);
    for (const operation of operations) if (operation.kind === "write") await this.#operate(operation, reads);
    return { id, sizes, costs: this.#costs, samples, faults: this.#faults };
  }

  #fail(script: string, source: string, failed: DesignFault["error"], own: DesignFault["own"] = null): void {
    const { name, message, text, line, column } = failed;
    this.#faults.push({ script, source, error: { name, message, text, line, column }, own });
  }

  #sourceOf(operation: Operation): string {
    return operation.scripts.get(this.#design.id) ?? "";
  }

  async #operate(operation: Operation, reads: readonly Operation[]): Promise<void> {
    const { id, kind } = operation;
    this.#options.onProgress?.({ scale: this.#scale, design: this.#design.id, script: id });
    const source = this.#sourceOf(operation);
    const outcome = await this.#evaluate(source, true);
    const wrote = outcome.statements.some(({ written }) => written.length > 0);
    const own = ownFault(operation, outcome, wrote);
    if (outcome.error !== null) this.#fail(id, source, outcome.error);
    else if (own !== null)
      this.#fail(id, source, { name: "LabFault", message: OWN[own], text: OWN[own], line: null, column: null }, own);
    else {
      this.#costs.set(id, costsOf(outcome));
      if (kind === "read") this.answers.set(answerKey(id, null), answerOf(outcome));
      else
        for (const read of reads) {
          const after = await this.#evaluate(this.#sourceOf(read));
          if (after.error === null) this.answers.set(answerKey(read.id, id), answerOf(after));
        }
    }
    if (wrote || outcome.error !== null) await this.#host.command("admin", { quireRestore: LOADED });
  }

  /** Runs a script as one that declares its names anew and knows the scale. */
  async #evaluate(source: string, plans = false): Promise<RunOutcome> {
    const { signal, timeLimitMillis } = this.#options;
    const options: RunOptions = {
      database: LAB_DATABASE,
      names: "lab",
      ...(timeLimitMillis === undefined ? {} : { timeLimitMillis }),
    };
    const isStopped = (): boolean => signal?.aborted ?? false;
    const one = async (text: string, more: Partial<RunOptions>): Promise<RunOutcome> => {
      if (isStopped()) throw new LabStopped();
      const run = this.#host.run(text, { ...options, ...more });
      const stop = (): void => run.stop();
      signal?.addEventListener("abort", stop);
      try {
        const outcome = await run.outcome;
        if (isStopped()) throw new LabStopped();
        return outcome;
      } catch (error) {
        if (isStopped()) throw new LabStopped();
        throw error;
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    };
    await one(`const n = ${this.#scale};`, { fresh: true });
    return one(source, plans ? { plans: true, observed: true } : {});
  }

  /** The data's sizes, and a document of each collection. */
  async #look(): Promise<{ readonly sizes: Sizes; readonly samples: readonly Sample[] }> {
    const stats = await this.#host.command(LAB_DATABASE, { dbStats: 1 });
    // The data of a time series are its buckets; its definition in `system.views` is no data of the design.
    const views = await this.#host.command(LAB_DATABASE, { collStats: VIEWS });
    const filter = { type: "collection", name: { $ne: VIEWS } };
    const listed = await this.#host.command(LAB_DATABASE, { listCollections: 1, filter });
    const samples: Sample[] = [];
    let largest = 0;
    for (const { name } of batchOf(listed)) {
      const ask = async (pipeline: readonly Document[]): Promise<Document | undefined> =>
        batchOf(
          await this.#host.command(LAB_DATABASE, { aggregate: String(name), pipeline: [...pipeline], cursor: {} }),
        )[0];
      const size = { $bsonSize: "$$ROOT" };
      const all = await ask([
        { $group: { _id: null, documents: { $sum: 1 }, most: { $max: size }, average: { $avg: size } } },
      ]);
      const sample = await ask([{ $limit: 1 }, { $project: { _id: 0, document: "$$ROOT", bytes: size } }]);
      if (all === undefined || sample === undefined) continue;
      largest = Math.max(largest, Number(all["most"]));
      samples.push({
        collection: String(name),
        documents: Number(all["documents"]),
        document: sample["document"] as Document,
        bytes: Number(sample["bytes"]),
        averageBytes: Number(all["average"]),
      });
    }
    const documents = Number(stats["objects"]);
    return {
      sizes: {
        documents,
        averageBytes: samples.length === 0 ? 0 : samples.length === 1 ? (samples[0]?.averageBytes ?? 0) : null,
        largestBytes: largest,
        dataBytes: Number(stats["dataSize"]),
        storageBytes: Number(stats["storageSize"]) - Number(views["storageSize"]),
        indexBytes: Number(stats["indexSize"]) - Number(views["totalIndexSize"]),
      },
      samples: samples.sort((left, right) => (left.collection < right.collection ? -1 : 1)),
    };
  }
}

const batchOf = (reply: Document): readonly Document[] =>
  (reply["cursor"] as { readonly firstBatch: readonly Document[] }).firstBatch;

/** The lab's own faults, as `check-lab` words them. */
const OWN = {
  "read-writes": "a read changes nothing",
  statements: "a script of a lab has a hundred statements at most",
} as const satisfies Readonly<Record<NonNullable<DesignFault["own"]>, string>>;

/** The lab's own objection to a script that ended well, or null. */
function ownFault(operation: Operation, outcome: RunOutcome, wrote: boolean): DesignFault["own"] {
  if (outcome.statementsLeftOut > 0) return "statements";
  return operation.kind === "read" && wrote ? "read-writes" : null;
}

function costsOf(outcome: RunOutcome): Costs {
  const { written, ...account } = accountOfRun(outcome);
  return {
    commands: account.commands,
    documentsReturned: account.documentsReturned,
    documentsExamined: account.documentsExamined,
    keysExamined: account.keysExamined,
    pagesRead: account.pagesRead,
    documentsWritten: written.inserted + written.modified + written.deleted,
    pagesWritten: account.pagesWritten,
  };
}

const answerOf = (outcome: RunOutcome): string =>
  comparable(EJSON.serialize({ value: plainValue(outcome.value) ?? null }, { relaxed: true }));
