/**
 * The controller turns wishes into calls and answers into state, and every failure into something to read.
 */
import { describe, expect, test, vi } from "vitest";
import type { QuireClient, QuireClientEvents } from "../client/client.ts";
import { encode } from "../codec/encode.ts";
import { accountOf, NO_TOTALS } from "../engine/account.ts";
import type { RunOutcome, RunProgress } from "../protocol/run.ts";
import type { DeploymentState } from "../protocol/state.ts";
import { Controller } from "./controller.ts";
import { initialState } from "./model.ts";
import { defaultSettings } from "./settings.ts";
import { Store } from "./store.ts";

const deployment: DeploymentState = {
  name: "playground",
  mode: "indexeddb",
  reason: null,
  damaged: false,
  lost: null,
  saved: true,
  sequence: 1,
  memoryBytes: 0,
  pageBytes: 0,
  clockOffsetMillis: 0,
  gentleStop: true,
};
const plain: RunOutcome = {
  value: { kind: "none" },
  statements: [],
  statementsLeftOut: 0,
  printed: [],
  leftOut: 0,
  error: null,
  failed: null,
  database: "test",
  saved: true,
  kept: null,
  statistics: { commands: 1, elapsedMillis: 1, engineMillis: 1 },
};

/** A client whose answers the test gives. */
class Scripted implements Partial<QuireClient> {
  readonly state = deployment;
  readonly listeners = new Map<string, (event: never) => void>();
  readonly commands: unknown[] = [];
  finish: (outcome: RunOutcome) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  progress: (progress: RunProgress) => void = () => undefined;
  stopped = 0;
  listings = 0;

  on<Name extends keyof QuireClientEvents>(name: Name, listener: (event: QuireClientEvents[Name]) => void): () => void {
    this.listeners.set(name, listener as (event: never) => void);
    return () => undefined;
  }
  run(_source: string, _options: unknown, onProgress?: (progress: RunProgress) => void) {
    this.progress = onProgress ?? this.progress;
    const outcome = new Promise<RunOutcome>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    return { outcome, stop: () => void (this.stopped += 1) };
  }
  async command(database: string, command: object) {
    this.commands.push([database, command]);
    return { queryPlanner: { winningPlan: { stage: "COLLSCAN" } }, ok: 1 };
  }
  async commandBytes() {
    return encode({ cursor: { id: 0, ns: "test.a", firstBatch: [{ narrator: "Ada" }] }, ok: 1 });
  }
  firstBatch() {
    return { documents: [{ _id: 1 }], namespace: "test.a", cursorId: 5n };
  }
  /** Whether each batch was to be observed. */
  readonly observed: boolean[] = [];
  async more(_batch: unknown, _size: number, observed: boolean) {
    this.observed.push(observed);
    const counted = { keysExamined: 1, documentsExamined: 2, pagesRead: 3, millis: 4, read: [5, 6, 7] };
    const batch = { documents: [{ _id: 2 }], namespace: "test.a", cursorId: 0n };
    return observed ? { ...batch, observed: counted } : batch;
  }
  async listDatabases() {
    this.listings += 1;
    return [{ name: "test", sizeOnDisk: 1, empty: false }];
  }
  async listCollections() {
    return [];
  }
}

function setUp(open?: () => Promise<QuireClient>) {
  const client = new Scripted();
  const store = new Store(initialState(defaultSettings(["en"]), "", null, "test"));
  const controller = new Controller(store, {
    keepWatch: () => undefined,
    open: open ?? (async () => client as unknown as QuireClient),
    now: () => 1000,
    tab: "this",
    storage: null,
  });
  return { client, store, controller };
}

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true));

describe("opening", () => {
  test("happens once, and reads the catalog", async () => {
    const { client, store, controller } = setUp();
    expect(await controller.open()).toBe(await controller.open());
    expect(store.state.engine.kind).toBe("open");
    expect(store.state.catalog.databases).toHaveLength(1);
    expect(client.listings).toBe(1);
  });

  test("is waited for by completion, and not tried again by it where it failed", async () => {
    let letGo: (client: QuireClient) => void = () => undefined;
    const { client, controller } = setUp(() => new Promise((resolve) => (letGo = resolve)));
    const asked = controller.databases();
    const fields = controller.fields("a");
    letGo(client as unknown as QuireClient);
    expect(await asked).toHaveLength(1);
    expect(await fields).toEqual([{ path: "narrator", types: ["String"] }]);
    let tries = 0;
    const failing = setUp(() => Promise.reject(new Error(`no WebAssembly ${(tries += 1)}`)));
    expect(await failing.controller.databases()).toEqual([]);
    expect([await failing.controller.fields("a"), tries]).toEqual([[], 1]);
  });

  test("for a script is followed by completion's own reading of the catalog", async () => {
    const { client, controller } = setUp();
    const run = controller.run("x");
    expect(await controller.databases()).toHaveLength(1);
    client.finish(plain);
    await run;
  });

  test("which fails is said, and tried again by the next Run", async () => {
    let tries = 0;
    const { store, controller } = setUp(async () => {
      tries += 1;
      throw new Error("no WebAssembly");
    });
    await controller.open();
    expect(store.state.engine).toEqual({ kind: "failed", message: "no WebAssembly" });
    await controller.run("1");
    expect(tries).toBe(2);
    expect(store.state.leaves[0]?.error?.message).toBe("no WebAssembly");
    expect(store.state.running).toBeNull();
  });
});

describe("running", () => {
  test("shows progress, the outcome, and reads the catalog again", async () => {
    const { client, store, controller } = setUp();
    await controller.open();
    const run = controller.run("db.a.insertOne({})");
    await until(() => client.listeners.size > 0 && store.state.running !== null);
    await Promise.resolve();
    client.progress({ printed: ["hello"], leftOut: 0, commands: 1, elapsedMillis: 1 });
    expect(store.state.leaves[0]?.printed).toEqual(["hello"]);
    client.finish({ ...plain, printed: ["bye"], database: "other" });
    await run;
    expect(store.state.leaves[0]?.printed).toEqual(["hello", "bye"]);
    expect(store.state.database).toBe("other");
    expect(client.listings).toBe(2);
  });

  test("one script at a time, and no empty ones", async () => {
    const { client, store, controller } = setUp();
    await controller.open();
    await controller.run("  \n");
    expect(store.state.runs).toBe(0);
    const first = controller.run("1");
    await controller.run("2");
    expect(store.state.runs).toBe(1);
    await until(() => store.state.running !== null);
    client.finish(plain);
    await first;
  });

  test("a worker that dies is an error of its run", async () => {
    const { client, store, controller } = setUp();
    await controller.open();
    const run = controller.run("1");
    await Promise.resolve();
    client.fail(new Error("the worker ended"));
    await run;
    expect(store.state.leaves[0]?.error?.text).toBe("the worker ended");
    expect(store.state.running).toBeNull();
  });

  test("Stop reaches the script, and without one does nothing", async () => {
    const { client, store, controller } = setUp();
    await controller.open();
    controller.stop();
    const run = controller.run("while (true) {}");
    await Promise.resolve();
    controller.stop();
    expect(store.state.running?.stopping).toBe(true);
    expect(client.stopped).toBe(1);
    client.finish(plain);
    await run;
    expect(store.state.running).toBeNull();
  });
});

describe("a cursor", () => {
  const cursor = (command: object) => ({
    kind: "cursor" as const,
    command: encode({ ...command, $db: "test" }),
    reply: new Uint8Array(),
  });

  test("is explained beside its result, and gives its next batch", async () => {
    const { client, store, controller } = setUp();
    await controller.open();
    const run = controller.run("db.a.find()");
    await Promise.resolve();
    client.finish({ ...plain, value: cursor({ find: "a", filter: { n: 1 }, batchSize: 20 }) });
    await run;
    await until(() => store.state.leaves[0]?.insight.kind === "explained");
    expect(client.commands).toMatchObject([["test", { explain: { find: "a" }, verbosity: "allPlansExecution" }]]);
    await controller.more(1);
    expect(store.state.leaves[0]?.value).toMatchObject({
      documents: [{ _id: 1 }, { _id: 2 }],
      batch: { cursorId: 0n },
    });
  });

  test("sums up what its batches took, also when another statement is opened meanwhile", async () => {
    const { client, store, controller } = setUp();
    await controller.open();
    const run = controller.run("db.a.find(); db.a.find()");
    await Promise.resolve();
    const observed = encode({
      explain: {},
      keysExamined: 1,
      documentsExamined: 1,
      pagesRead: 2,
      millis: 1,
      read: [6, 8],
    });
    const place = { line: 1, column: 1, endLine: 1, endColumn: 2, elapsedMillis: 0, engineMillis: 0, commands: 1 };
    const rest = { ...place, account: accountOf(NO_TOTALS), written: [], printedUntil: 0 };
    const statements = [
      { ...rest, value: cursor({ find: "a" }) },
      { ...rest, value: { kind: "result" as const } },
    ];
    client.finish({ ...plain, value: { ...cursor({ find: "a" }), observed }, statements });
    await run;
    const asked = controller.more(1);
    store.dispatch({ kind: "statement-opened", leaf: 1, statement: 0 });
    await asked;
    expect(client.observed).toEqual([true]);
    const [, second] = store.state.leaves[0]?.statements ?? [];
    expect(second?.value).toMatchObject({
      documents: [{ _id: 1 }, { _id: 2 }],
      fetching: false,
      fetched: { batches: 1, documents: 1, documentsExamined: 2, pagesRead: 3, differentPages: 4 },
    });
    expect(store.state.leaves[0]?.value).toMatchObject({ documents: [{ _id: 1 }], batch: { cursorId: 5n } });
    await controller.more(1);
    expect(client.observed).toEqual([true, false]);
  });

  test.each([
    { aggregate: "a", pipeline: [{ $match: {} }, { $out: "b" }], cursor: {} },
    { find: "a", tailable: true },
    { listCollections: 1 },
  ])("%j is never asked again for its plan", async (command) => {
    const { client, store, controller } = setUp();
    await controller.open();
    const run = controller.run("x");
    await Promise.resolve();
    client.finish({ ...plain, value: cursor(command) });
    await run;
    await controller.explain(1);
    expect(client.commands).toEqual([]);
    expect(store.state.leaves[0]?.insight.kind).toBe("none");
  });
});

test("another tab's writes are read", async () => {
  const { client, controller } = setUp();
  await controller.open();
  client.listeners.get("changed")?.({ sequence: 2 } as never);
  await until(() => client.listings === 2);
});
