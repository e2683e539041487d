/** A deployment that cannot be opened or stored, over an engine that is played. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { Trouble, type EngineHost, type EngineStatus, type WasmEngine, type WasmModule } from "../engine/bindings.ts";
import type { LoadedModule } from "../engine/load.ts";
import type { DeploymentState } from "../protocol/state.ts";
import { Keeper } from "./persistence.ts";

/** A fake engine whose storage succeeds or fails as the test says. */
class Played implements Partial<WasmEngine> {
  mode: NonNullable<EngineStatus["mode"]> = "indexeddb";
  reason: string | null = null;
  dirty = false;
  asked = false;
  flushes: boolean[] = [];
  anew = 0;
  freed = 0;
  /** Thrown by the next flush, with the mode that it leaves. */
  fault: { mode: NonNullable<EngineStatus["mode"]>; reason: string } | null = null;
  /** Ends the flush in a trap of a task of its own. */
  hangs = false;

  status(): unknown {
    return { mode: this.mode, reason: this.reason, sequence: 1 };
  }
  hasUnsaved(): boolean {
    return this.dirty;
  }
  wantsStrict(): boolean {
    return false;
  }
  askedJournal(): boolean {
    return this.asked;
  }
  hasChanged(): boolean {
    return this.dirty;
  }
  unsavedBytes(): number {
    return this.dirty ? 16_384 : 0;
  }
  trouble(): number {
    return {
      indexeddb: Trouble.None,
      file: Trouble.None,
      memory: Trouble.None,
      full: Trouble.Full,
      displaced: Trouble.Displaced,
      "read-only": Trouble.ReadOnly,
    }[this.mode];
  }
  async flush(_strict: boolean, again: boolean): Promise<void> {
    this.flushes.push(again);
    if (this.hangs) await new Promise(() => undefined);
    if (this.mode === "full" && !again) throw new Error("nothing was tried");
    if (this.fault !== null) {
      ({ mode: this.mode, reason: this.reason } = this.fault);
      throw new Error(this.fault.reason);
    }
    this.mode = "indexeddb";
    this.reason = null;
    this.dirty = false;
  }
  async startAnew(): Promise<void> {
    this.anew += 1;
    this.mode = "indexeddb";
    this.reason = null;
    this.dirty = false;
  }
  async reload(): Promise<boolean> {
    return false;
  }
  commandBuffer(): number {
    return 1024;
  }
  run(): number {
    throw new WebAssembly.RuntimeError("unreachable");
  }
  free(): void {
    this.freed += 1;
  }
}

function play(open: () => Played, orMemory = false): { opening: Promise<Keeper>; states: DeploymentState[] } {
  const states: DeploymentState[] = [];
  const QuireEngine = {
    openIndexedDb: async () => open(),
    openMemory: () => Object.assign(new Played(), { mode: "memory" }),
    storeBatch: async () => undefined,
  };
  const loaded = {
    module: { QuireEngine } as unknown as WasmModule,
    memory: new WebAssembly.Memory({ initial: 1 }),
  } as LoadedModule;
  const events = { state: (state: DeploymentState) => void states.push(state), changed: () => undefined };
  const opening = Keeper.open({
    deployment: { name: "shop", storage: "indexeddb", orMemory },
    host: {} as EngineHost,
    load: async () => loaded,
    gentleStop: true,
    events,
  });
  return { opening, states };
}

beforeEach(() => {
  vi.stubGlobal("indexedDB", {
    open() {
      throw new Error("asleep");
    },
  });
  vi.stubGlobal("navigator", {});
});
afterEach(() => vi.unstubAllGlobals());

const refused = (): Played => {
  throw new Error("format version 9 is not supported");
};
const write = (engine: Played) => () => {
  engine.dirty = true;
};

describe("a deployment that cannot be opened", () => {
  it("is an error, and never an empty one in memory", async () => {
    await expect(play(refused).opening).rejects.toThrow("format version 9 is not supported");
    vi.stubGlobal("indexedDB", undefined);
    await expect(play(() => new Played()).opening).rejects.toThrow("this browser gives the page no IndexedDB");
  });

  it("is one in memory for who says so, and nothing there is told as stored", async () => {
    const keeper = await play(refused, true).opening;
    expect(keeper.state()).toMatchObject({ mode: "memory", reason: "format version 9 is not supported", saved: false });
    expect(keeper.storage).toBe("fallen");
    expect(await keeper.exclusive(() => 1)).toEqual({
      result: 1,
      end: "unsaved",
      reason: "format version 9 is not supported",
    });
    await keeper.close();
  });
});

describe("a turn whose changes cannot be stored", () => {
  it("says so, and missing room is looked for again", async () => {
    const engine = new Played();
    const { opening, states } = play(() => engine);
    const keeper = await opening;
    engine.fault = { mode: "full", reason: "no room" };
    expect(await keeper.exclusive(write(engine))).toMatchObject({ end: "unsaved", reason: "no room" });
    expect(states.at(-1)).toMatchObject({ mode: "full", saved: false });
    expect(await keeper.exclusive(() => 1)).toMatchObject({ end: "unsaved" });
    engine.fault = null;
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ mode: "indexeddb", saved: true }), 5000);
    expect(engine.flushes).toContain(true);
    await keeper.close();
  });

  it("is lost behind another tab's, and the deployment goes on from what is stored", async () => {
    const engine = new Played();
    const { opening, states } = play(() => engine);
    const keeper = await opening;
    engine.fault = { mode: "displaced", reason: "another tab wrote" };
    const turn = await keeper.exclusive(write(engine));
    expect([turn.end, engine.anew]).toEqual(["displaced", 1]);
    expect(turn.reason).toMatch(/nothing of this was stored/);
    engine.fault = null;
    expect(await keeper.exclusive(write(engine))).toMatchObject({ end: "saved" });
    // It was told in the turn's end, and so not as lost.
    expect(states.at(-1)).toMatchObject({ mode: "indexeddb", saved: true, lost: null });
    await keeper.close();
  });

  it("that was answered before is told as lost", async () => {
    const engine = new Played();
    const { opening, states } = play(() => engine);
    const keeper = await opening;
    const flush = engine.flush.bind(engine);
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    engine.flush = async (strict, again) => {
      await released;
      return flush(strict, again);
    };
    engine.fault = { mode: "displaced", reason: "another tab wrote" };
    expect(await keeper.exclusive(write(engine))).toMatchObject({ end: "unsaved" });
    release();
    await vi.waitFor(() => expect(states.at(-1)?.lost).toEqual({ how: "displaced", times: 1 }));
    await keeper.close();
  });
});

/** Commands whose beginnings and ends are written down. */
function follow(keeper: Keeper, engine: Played): { say: (name: string, asked: boolean) => void; order: string[] } {
  const order: string[] = [];
  const say = (name: string, asked: boolean): void =>
    keeper.command(
      () => {
        engine.dirty = true;
        engine.asked = asked;
        order.push(name);
      },
      ({ end }) => order.push(`${name} ${end}`),
      (error) => order.push(`${name}: ${error.message}`),
    );
  return { say, order };
}

describe("commands in flight", () => {
  it("share a flush, for which only those wait that asked to be journaled", async () => {
    const engine = new Played();
    const { opening, states } = play(() => engine);
    const keeper = await opening;
    const ends: (() => void)[] = [];
    const flush = engine.flush.bind(engine);
    engine.flush = async (strict, again) => {
      await new Promise<void>((end) => ends.push(end));
      return flush(strict, again);
    };
    const { say, order } = follow(keeper, engine);
    for (const [name, asked] of [
      ["a", false],
      ["b", true],
      ["c", false],
    ] as const)
      say(name, asked);
    await vi.waitFor(() => expect(ends.length).toBe(1));
    expect(order).toEqual(["a", "a unsaved", "b", "c", "c unsaved"]);
    // Changes that come while those are written are written by the next flush.
    for (const [name, asked] of [
      ["d", true],
      ["e", false],
      ["f", true],
    ] as const)
      say(name, asked);
    expect(order.slice(5)).toEqual(["d", "e", "e unsaved", "f"]);
    ends[0]?.();
    await vi.waitFor(() => expect(ends.length).toBe(2));
    expect(order.slice(9)).toEqual(["b saved"]);
    ends[1]?.();
    await vi.waitFor(() => expect(order.slice(9)).toEqual(["b saved", "d saved", "f saved"]));
    expect(engine.flushes.length).toBe(2);
    // The state was told once it changed, and not for each command.
    expect(states.length).toBeLessThanOrEqual(4);
    await keeper.close();
  });

  it("are run again in their order behind another tab's, but for those answered, which are told as lost", async () => {
    const engine = new Played();
    const { opening, states } = play(() => engine);
    const keeper = await opening;
    engine.fault = { mode: "displaced", reason: "another tab wrote" };
    const startAnew = engine.startAnew.bind(engine);
    engine.startAnew = () => {
      engine.fault = null;
      return startAnew();
    };
    const { say, order } = follow(keeper, engine);
    for (const [name, asked] of [
      ["a", true],
      ["b", false],
      ["c", true],
    ] as const)
      say(name, asked);
    await vi.waitFor(() => expect(order.slice(4)).toEqual(["a", "c", "a saved", "c saved"]));
    expect(order.slice(0, 4)).toEqual(["a", "b", "b unsaved", "c"]);
    expect(states.at(-1)).toMatchObject({ saved: true, lost: { how: "displaced", times: 1 } });
    await keeper.close();
  });

  it("are answered while what belongs to their turn goes on, and the next one waits for it", async () => {
    const engine = new Played();
    const keeper = await play(() => engine).opening;
    let end = (): void => undefined;
    const after = (): Promise<void> => new Promise((over) => (end = over));
    expect(await keeper.exclusive(write(engine), { after })).toMatchObject({ end: "unsaved" });
    expect(engine.flushes).toEqual([]);
    const next = keeper.exclusive(() => engine.dirty);
    end();
    expect(await next).toMatchObject({ result: false, end: "saved" });
    await expect(
      keeper.exclusive(() => Promise.reject(new Error("the script's worker")), { after: () => Promise.resolve() }),
    ).rejects.toThrow("the script's worker");
    expect(await keeper.exclusive(() => 2)).toMatchObject({ result: 2, end: "saved" });
    await keeper.close();
  });

  it("that come during a script wait for its end, and for nothing after it", async () => {
    const engine = new Played();
    const keeper = await play(() => engine).opening;
    const { say, order } = follow(keeper, engine);
    say("before", false);
    let end = (): void => undefined;
    const script = keeper.exclusive(() => {
      order.push(`script, ${engine.dirty ? "over what is not stored" : "after what is stored"}`);
      return new Promise<void>((over) => (end = over));
    });
    say("after", true);
    await vi.waitFor(() => expect(order).toEqual(["before", "before unsaved", "script, after what is stored"]));
    end();
    await vi.waitFor(() => expect(order.slice(3)).toEqual(["after", "after saved"]));
    expect(await script).toMatchObject({ end: "saved" });
    await keeper.close();
    say("late", false);
    expect(order.at(-1)).toBe("late: the deployment is closed");
  });
});

describe("an engine that ends in a trap", () => {
  it("is replaced by another over what is stored", async () => {
    const engines = [new Played(), new Played(), new Played()];
    let opened = 0;
    const keeper = await play(() => engines[opened++] as Played).opening;
    const turn = await keeper.exclusive(() => decode(keeper.engine.runBytes(encode({ ping: 1, $db: "test" }))));
    expect(turn.result).toMatchObject({ ok: 0, errmsg: expect.stringContaining("open it again") as string });
    expect([turn.end, opened, keeper.engine.broken]).toEqual(["broken", 2, null]);
    expect(await keeper.exclusive(() => 2)).toMatchObject({ result: 2, end: "saved" });
    // In a task of its own, while a flush waits for it.
    (engines[1] as Played).hangs = true;
    const hanging = keeper.exclusive(write(engines[1] as Played));
    await vi.waitFor(() => expect(engines[1]?.flushes.length).toBe(1));
    expect(keeper.trapped(new WebAssembly.RuntimeError("unreachable"))).toBe(true);
    expect(await hanging).toMatchObject({ end: "broken", reason: expect.stringContaining("open it again") as string });
    expect(opened).toBe(3);
    expect(await keeper.exclusive(() => 3)).toMatchObject({ result: 3, end: "saved" });
    await keeper.close();
    expect(engines.map(({ freed }) => freed)).toEqual([0, 0, 1]);
  });
});
