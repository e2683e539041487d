/** A deployment that cannot be opened or stored, over an engine that is played. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EngineHost, EngineStatus, WasmEngine, WasmModule } from "../engine/bindings.ts";
import type { LoadedModule } from "../engine/load.ts";
import type { DeploymentState } from "../protocol/state.ts";
import { Keeper } from "./persistence.ts";

/** An engine whose storage does what the test says. */
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
  const QuireEngine = { openIndexedDb: async () => open(), openMemory: () => Object.assign(new Played(), { mode: "memory" }), storeBatch: async () => undefined };
  const loaded = { module: { QuireEngine } as unknown as WasmModule, memory: new WebAssembly.Memory({ initial: 1 }) } as LoadedModule;
  const events = { state: (state: DeploymentState) => void states.push(state), changed: () => undefined };
  const opening = Keeper.open({ deployment: { name: "shop", storage: "indexeddb", orMemory }, host: {} as EngineHost, load: async () => loaded, gentleStop: true, events });
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
    expect(await keeper.exclusive(() => 1)).toEqual({ result: 1, end: "unsaved", reason: "format version 9 is not supported" });
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
    engine.flush = async (strict, again) => {
      await new Promise((done) => setTimeout(done, 400));
      return flush(strict, again);
    };
    engine.fault = { mode: "displaced", reason: "another tab wrote" };
    expect(await keeper.exclusive(write(engine))).toMatchObject({ end: "unsaved" });
    await vi.waitFor(() => expect(states.at(-1)?.lost).toEqual({ how: "displaced", times: 1 }));
    await keeper.close();
  });
});

describe("an engine that ends in a trap", () => {
  it("is replaced by another over what is stored", async () => {
    const engines = [new Played(), new Played(), new Played()];
    let opened = 0;
    const keeper = await play(() => engines[opened++] as Played).opening;
    const turn = await keeper.exclusive(() => keeper.engine.runDocument("test", { ping: 1 }));
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
