/**
 * The page's controller: the only module which turns a reader's wishes into calls of the client, and its answers into
 * actions.
 *
 * Invariants: one script runs at a time; a failure of the client always ends in the state and never in silence; the
 * catalog is read again after each run and whenever another tab wrote, never twice at once.
 */
import type { Document } from "bson";
import type { QuireClient } from "../client/client.ts";
import type { Deed, KeptChange, Travelled } from "../protocol/moments.ts";
import type { RunOutcome, ScriptCursor, ScriptValue } from "../protocol/run.ts";
import type { Field } from "./fields.ts";
import type { CatalogDatabase, Going, Leaf, LeafStatement, LeafValue, Notice, SourceOffset } from "./model.ts";
import { mayHaveMissed, namespaceNotFound } from "./missed.ts";
import type { Store } from "./store.ts";
import { titleOf } from "./title.ts";
import type { WatchPlace } from "./watch/kept-watch.ts";

export interface ControllerHost {
  /** `firstRun` resolves when a script is about to be run. */
  open(firstRun: Promise<void>): Promise<QuireClient>;
  /** Milliseconds since 1970. */
  now(): number;
  /** This tab's name among the tabs that change the same data; it is the same after a reload. */
  readonly tab: string;
  /** The browser's storage manager, where it has one. */
  readonly storage: Pick<StorageManager, "estimate" | "persisted" | "persist"> | null;
  /** Keeps over a reload where the Watch panel is; null once it is closed. */
  keepWatch(place: WatchPlace | null): void;
}

/** Documents in a batch when all are asked for. */
const largeBatch = 2000;

export class Controller {
  readonly #store: Store;
  readonly #host: ControllerHost;
  #client: QuireClient | null = null;
  #opening: Promise<QuireClient | null> | null = null;
  #stop: (() => void) | null = null;
  #runSoon: () => void = () => undefined;
  readonly #firstRun = new Promise<void>((resolve) => {
    this.#runSoon = resolve;
  });
  #reading: Promise<void> | null = null;
  #readAgain = false;
  #notices = 0;
  readonly #fields = new Map<string, Promise<readonly Field[]>>();
  /** The moment after the last change that was no script's. */
  #lastMoment: number | null = null;

  constructor(store: Store, host: ControllerHost) {
    this.#store = store;
    this.#host = host;
  }

  /** Opens the deployment; the second call waits for the first. Null when the engine does not start. */
  open(): Promise<QuireClient | null> {
    this.#opening ??= this.#openOnce();
    return this.#opening;
  }

  async #openOnce(): Promise<QuireClient | null> {
    try {
      const client = await this.#host.open(this.#firstRun);
      this.#client = client;
      client.on("state", (deployment) => this.#store.dispatch({ kind: "deployment-changed", deployment }));
      client.on("changed", () => void this.refresh());
      const tell = (): void => this.#store.dispatch({ kind: "engine-opened", deployment: client.state });
      // A script that waits is sent before anything is drawn.
      if (this.#store.state.running === null) tell();
      else setTimeout(tell);
      // Not waited for. A script that is to run goes before it, and the catalog is read after that anyway.
      if (this.#store.state.running === null) void this.refresh();
      return client;
    } catch (error) {
      this.#opening = null;
      this.#store.dispatch({ kind: "engine-failed", message: wordFailure(error) });
      return null;
    }
  }

  /** Runs a script, or the selected part of one. Does nothing while another runs. */
  async run(source: string, offset: SourceOffset = { line: 0, column: 0 }): Promise<void> {
    if (this.#store.state.running !== null || source.trim() === "") return;
    const { settings, database } = this.#store.state;
    this.#store.dispatch({ kind: "run-started", source, offset, at: this.#host.now() });
    const number = this.#store.state.runs;
    // The sandbox for the script and the decoder of its answer are fetched while the engine opens, and not after.
    this.#runSoon();
    const decoder = import("./decode.ts");
    decoder.catch(() => undefined);
    const client = this.#client ?? (await this.open());
    if (client === null) {
      const engine = this.#store.state.engine;
      this.#fail(engine.kind === "failed" ? engine.message : "", database);
      return;
    }
    // Stop may have been pressed while the engine was opening.
    if (this.#stopping()) {
      this.#store.dispatch({
        kind: "run-finished",
        value: { kind: "none" },
        printed: [],
        error: null,
        database,
        saved: true,
        statistics: null,
      });
      return;
    }
    try {
      const run = client.run(
        source,
        {
          database,
          batchSize: settings.batchSize,
          numbersAsDouble: settings.numbersAsDouble,
          observed: settings.explainResults,
          plans: settings.explainResults,
          pages: true,
          moment: { deed: { did: "run", text: titleOf(source) }, tab: this.#host.tab },
        },
        (progress) =>
          this.#store.dispatch({
            kind: "run-progressed",
            printed: progress.printed,
            leftOut: progress.leftOut,
            commands: progress.commands,
          }),
      );
      this.#stop = () => run.stop();
      const [outcome, { decodeScriptValue }] = await Promise.all([run.outcome, decoder]);
      this.#store.dispatch({
        kind: "run-finished",
        ...decodeOutcome(client, outcome, decodeScriptValue),
        printed: outcome.printed,
        leftOut: outcome.leftOut,
        error: outcome.error,
        failed: outcome.failed,
        database: outcome.database,
        saved: outcome.saved,
        touched: outcome.touched ?? null,
        kept: outcome.kept,
        statistics: outcome.statistics,
      });
      // The plan is asked for after the result has been drawn.
      await new Promise((resolve) => setTimeout(resolve));
      if (settings.explainResults) void this.explain(number);
      void this.#seeKept(number, outcome.kept?.number ?? null);
    } catch (error) {
      this.#fail(wordFailure(error), database);
    } finally {
      this.#stop = null;
    }
    this.#fields.clear();
    await this.refresh();
    await this.#seeMissed(number);
    void this.#judge(number);
  }

  /**
   * Judges the commands of a leaf's statements that were not judged yet, the open one first. Another run ends that,
   * since it may change the data.
   */
  async #judge(number: number): Promise<void> {
    const leaf = this.#leaf(number);
    if (leaf === undefined || !leaf.statements.some(({ commands }) => commands > 0)) return;
    const { judgeStatements } = await import("./doubts/judge-statements.ts");
    for await (const [statement, judged] of judgeStatements(this, leaf)) {
      if (this.#store.state.running !== null) return;
      this.#store.dispatch({ kind: "statement-judged", leaf: number, statement, judged });
    }
  }

  /** Looks, in the catalog as the run left it, for the collections that may have been meant where nothing was found. */
  async #seeMissed(number: number): Promise<void> {
    const leaf = this.#leaf(number);
    if (leaf === undefined || (leaf.error?.code !== namespaceNotFound && !leaf.statements.some(mayHaveMissed))) return;
    const { missedCollections } = await import("./missed-collections.ts");
    const { databases, failure } = this.#store.state.catalog;
    const hints = failure === null ? missedCollections(leaf, databases) : [];
    if (hints.length > 0) this.#store.dispatch({ kind: "collections-missed", leaf: number, hints });
  }

  #fail(message: string, database: string): void {
    const error = { name: "Error", message, text: message, code: null, codeName: null, line: null, column: null };
    this.#store.dispatch({
      kind: "run-finished",
      value: { kind: "none" },
      printed: [],
      error,
      database,
      saved: false,
      statistics: null,
    });
  }

  /** Asks the running script to end; a second time ends its worker, for one that does not hear. */
  stop(): void {
    if (this.#store.state.running === null) return;
    this.#store.dispatch({ kind: "run-stopping" });
    this.#stop?.();
  }

  /** The next batch of a leaf's cursor, as `it` gives it in a shell. */
  async more(number: number, batchSize = this.#store.state.settings.batchSize): Promise<void> {
    const value = this.#leaf(number)?.value;
    const client = this.#client;
    if (client === null || value?.kind !== "cursor" || value.fetching || value.batch.cursorId === 0n) return;
    const { cursor } = value;
    this.#store.dispatch({ kind: "batch-asked", leaf: number, cursor });
    try {
      // Fetched before the batch, which could not be asked for again.
      const seen = await this.#seen(cursor);
      const batch = await client.more(value.batch, batchSize, seen !== null);
      const fetched =
        seen?.addBatch(value.fetched ?? null, seen.observed, batch.observed, batch.documents.length) ?? null;
      this.#store.dispatch({ kind: "batch-came", leaf: number, cursor, batch, fetched });
    } catch (error) {
      this.#store.dispatch({ kind: "batch-failed", leaf: number, cursor, message: wordFailure(error) });
    }
  }

  /** The engine's observation of a cursor's first batch, and `addBatch` to add others; null where none was made. */
  async #seen(
    cursor: ScriptCursor,
  ): Promise<{ readonly observed: Document; readonly addBatch: typeof import("./fetched.ts").addBatch } | null> {
    if (cursor.observed === undefined) return null;
    const [{ decodeObservation }, { addBatch }] = await Promise.all([import("./decode.ts"), import("./fetched.ts")]);
    const seen = decodeObservation(cursor);
    return seen === null ? null : { observed: seen.observed, addBatch };
  }

  /** Every batch that is left, large ones so that few are asked for, until `enough` says so. */
  async all(number: number, enough: () => boolean): Promise<void> {
    for (;;) {
      await this.more(number, largeBatch);
      const value = this.#leaf(number)?.value;
      if (
        value?.kind !== "cursor" ||
        value.batch.cursorId === 0n ||
        value.failure !== null ||
        value.fetching ||
        enough()
      )
        return;
    }
  }

  /**
   * Tells how the value that a leaf shows was answered: by the observation of its own run, or by an explain for a
   * cursor without one. An explain only reads: aggregations that write are not asked again.
   */
  async explain(number: number): Promise<void> {
    const leaf = this.#leaf(number);
    const client = this.#client;
    if (client === null || leaf === undefined) return;
    if (leaf.value.kind !== "cursor") {
      const statement = leaf.statements[leaf.open ?? -1];
      if (statement?.alone === undefined || leaf.insight.kind !== "none") return;
      const { readPlain } = await import("./plain-read.ts");
      const read = readPlain(statement);
      if (read === null || this.#leaf(number)?.open !== leaf.open) return;
      const { explain, observed, ...plain } = read;
      this.#store.dispatch({ kind: "insight-came", leaf: number, explain, observed, plain });
      return;
    }
    const { decodeObservation, planQuestion } = await import("./decode.ts");
    const seen = decodeObservation(leaf.value.cursor);
    if (seen !== null) {
      this.#store.dispatch({ kind: "insight-came", leaf: number, ...seen });
      return;
    }
    const question = planQuestion(leaf.value.cursor);
    if (question === null || this.#leaf(number)?.insight.kind !== "none") return;
    this.#store.dispatch({ kind: "insight-asked", leaf: number });
    try {
      const explain = await client.command(question.database, question.command);
      this.#store.dispatch({ kind: "insight-came", leaf: number, explain });
    } catch (error) {
      this.#store.dispatch({ kind: "insight-refused", leaf: number, message: wordFailure(error) });
    }
  }

  /** Reads the databases and collections again. A call while one is under way makes that one start over. */
  refresh(): Promise<void> {
    this.#readAgain = true;
    this.#reading ??= this.#readCatalog().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readCatalog(): Promise<void> {
    const client = this.#client;
    if (client === null) return;
    while (this.#readAgain) {
      this.#readAgain = false;
      try {
        const databases: CatalogDatabase[] = [];
        for (const summary of await client.listDatabases())
          databases.push({ summary, collections: await client.listCollections(summary.name) });
        this.#store.dispatch({ kind: "catalog-came", databases });
      } catch (error) {
        this.#store.dispatch({ kind: "catalog-failed", message: wordFailure(error) });
      }
    }
  }

  /** Sees whether storage let the moment of a run stay: where it needs room, unnamed moments go. */
  async #seeKept(leaf: number, moment: number | null): Promise<void> {
    if (moment === null) return;
    try {
      await this.#client?.command("admin", { quireDifference: 1, from: moment });
    } catch (error) {
      this.#store.dispatch({ kind: "moments-lost", leaf, reason: wordFailure(error) });
    }
  }

  /** Finds the moments of the results from before a reload, by which their runs can be undone still. */
  async findMoments(): Promise<void> {
    const before = this.#store.state.leaves.filter(({ moment }) => moment != null);
    if (before.length === 0 || (await this.open()) === null) return;
    try {
      const { foundMoments, readKept } = await import("./timeline/timeline.ts");
      const moments = foundMoments(before, await readKept(this), this.#host.tab);
      this.#store.dispatch({ kind: "moments-found", moments });
    } catch {
      this.#store.dispatch({ kind: "moments-found", moments: new Map() });
    }
  }

  /** The client, or the reason why there is none as an error. */
  async #opened(): Promise<QuireClient> {
    const client = await this.open();
    const { engine } = this.#store.state;
    if (client === null) throw new Error(engine.kind === "failed" ? engine.message : "");
    return client;
  }

  /** One command as BSON bytes, for dialogs which word the reply themselves. Rejects where no engine could be had. */
  async commandBytes(command: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    return (await this.#opened()).commandBytes(command, signal);
  }

  /** One command as BSON bytes, as `commandBytes`, which is a change by itself and so leaves a moment. */
  async changeBytes(command: Uint8Array, deed: Deed): Promise<Uint8Array> {
    const client = await this.#opened();
    const { reply, kept } = await client.act({ part: "whole", command, deed, tab: this.#host.tab, from: null });
    this.#seeChange(kept);
    return reply ?? new Uint8Array();
  }

  /** Does a change of many commands, which leaves one moment, also where it fails on the way. */
  async keeping<Result>(deed: Deed, work: () => Promise<Result>): Promise<Result> {
    const client = await this.#opened();
    const { tab } = this.#host;
    const { from } = await client.act({ part: "begin", command: null, deed, tab, from: null });
    try {
      return await work();
    } finally {
      const ended = client.act({ part: "end", command: null, deed, tab, from });
      await ended.then(
        ({ kept }) => this.#seeChange(kept),
        (error: unknown) => this.notice("bad", wordFailure(error)),
      );
    }
  }

  /** Does a change of the reader's; gives the number of the moment after it, by which it can be undone. */
  async momentOf(work: () => Promise<unknown>): Promise<number | null> {
    this.#lastMoment = null;
    await work();
    return this.#lastMoment;
  }

  #seeChange({ number, unkept }: KeptChange): void {
    this.#lastMoment = number;
    if (unkept !== null) this.#store.dispatch({ kind: "moments-unkept", reason: unkept });
  }

  /** Keeps over a reload where the Watch panel is. */
  keepWatch(place: WatchPlace | null): void {
    this.#host.keepWatch(place);
  }

  /** Undoes or redoes. */
  async travel(going: Going): Promise<Travelled> {
    const client = await this.#opened();
    const travelled = await client.travel({ ...going, tab: this.#host.tab });
    if (travelled.kind === "done") await this.wrote();
    return travelled;
  }

  /**
   * Says that something other than a script wrote: remembered field names are forgotten and the catalog is read again.
   */
  wrote(): Promise<void> {
    this.#fields.clear();
    return this.refresh();
  }

  /** The databases for completion, once an engine that is being started is there and the catalog has been read. */
  async databases(): Promise<readonly CatalogDatabase[]> {
    await this.#whileOpening();
    const { catalog, running } = this.#store.state;
    if (!catalog.loaded) await this.refresh();
    // While a script runs, a reading of the catalog waits for its end.
    else if (running === null) await this.#reading;
    return this.#store.state.catalog.databases;
  }

  /** Waits for an engine that is being started or is about to be; one that did not start is not tried again. */
  async #whileOpening(): Promise<void> {
    if (this.#client === null && this.#store.state.engine.kind !== "failed") await this.open();
  }

  /** Fields of a collection for completion; remembered until the next run, or until something else wrote. */
  fields(collection: string, database = this.#store.state.database): Promise<readonly Field[]> {
    const key = `${database}.${collection}`;
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const asked = Promise.all([import("./fields.ts"), this.#whileOpening()])
      .then(([{ sampleFields }]) => (this.#client === null ? [] : sampleFields(this, database, collection)))
      .catch(() => []);
    this.#fields.set(key, asked);
    return asked;
  }

  async readQuota(): Promise<void> {
    const storage = this.#host.storage;
    try {
      const estimate = await storage?.estimate();
      const persisted = (await storage?.persisted()) ?? null;
      this.#store.dispatch({
        kind: "quota-came",
        quota: { usageBytes: estimate?.usage ?? null, quotaBytes: estimate?.quota ?? null, persisted },
      });
    } catch {
      this.#store.dispatch({ kind: "quota-came", quota: { usageBytes: null, quotaBytes: null, persisted: null } });
    }
  }

  /** Asks the browser not to evict stored data; false when it would not promise. */
  async persist(): Promise<boolean> {
    const granted = (await this.#host.storage?.persist().catch(() => false)) ?? false;
    await this.readQuota();
    return granted;
  }

  /** Drops every database that a reader made. */
  async eraseAll(): Promise<void> {
    const client = await this.open();
    if (client === null) return;
    try {
      await this.keeping({ did: "erase" }, async () => {
        for (const { name } of await client.listDatabases())
          if (name !== "admin" && name !== "config" && name !== "local")
            await client.command(name, { dropDatabase: 1 });
      });
    } catch (error) {
      this.notice("bad", wordFailure(error));
    }
    this.#fields.clear();
    await this.refresh();
  }

  notice(tone: Notice["tone"], text: string, offer?: Notice["offer"], reload = false): void {
    this.#notices += 1;
    this.#store.dispatch({
      kind: "noticed",
      notice: {
        id: this.#notices,
        tone,
        text,
        ...(offer === undefined ? {} : { offer }),
        ...(reload ? { reload } : {}),
      },
    });
  }

  /** A method, since the compiler would otherwise hold the state to be the same as before the `await`. */
  #stopping(): boolean {
    return this.#store.state.running?.stopping === true;
  }

  #leaf(number: number): Leaf | undefined {
    return this.#store.state.leaves.find((leaf) => leaf.number === number);
  }
}

/** The values of a run's statements, decoded; the result is one of them. */
function decodeOutcome(
  client: QuireClient,
  outcome: RunOutcome,
  decodeScriptValue: (bytes: Uint8Array) => unknown,
): {
  value: LeafValue;
  statements: readonly LeafStatement[];
  statementsLeftOut: number;
  result: number | null;
} {
  const result = outcome.statements.findIndex(({ value }) => value.kind === "result");
  const value = decodeValue(client, outcome.value, decodeScriptValue);
  const statements = outcome.statements.map((statement): LeafStatement => {
    const { value: own } = statement;
    if (own.kind === "left-out") return { ...statement, value: { kind: "lost" } };
    return { ...statement, value: own.kind === "result" ? value : decodeValue(client, own, decodeScriptValue) };
  });
  return { value, statements, statementsLeftOut: outcome.statementsLeftOut, result: result < 0 ? null : result };
}

function decodeValue(
  client: QuireClient,
  value: ScriptValue,
  decodeScriptValue: (bytes: Uint8Array) => unknown,
): LeafValue {
  switch (value.kind) {
    case "none":
    case "text":
      return value;
    case "value":
      return { kind: "value", value: decodeScriptValue(value.bytes) };
    case "cursor": {
      const batch = client.firstBatch(value);
      return {
        kind: "cursor",
        cursor: value,
        batch,
        documents: batch.documents as readonly Document[],
        gone: [],
        fetching: false,
        failure: null,
      };
    }
  }
}

/** A failure as one line for a person. */
export function wordFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
