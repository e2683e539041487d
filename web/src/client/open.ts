/**
 * The client that owns a worker: opens it, sends it requests, stops its scripts, opens it again when it had to be
 * ended.
 *
 * Commands and replies are bytes here; `reading.ts` makes objects of them, for a page that shows them. Invariant:
 * `stop` ends every script: by a revoked blob URL where the worker can see one go, else (or on a second `stop`) by
 * ending the worker and opening the deployment again from storage.
 */
import type { EventMessage, WorkerAssets } from "../protocol/messages.ts";
import type { Act, Acted, Travel, Travelled } from "../protocol/moments.ts";
import type { RunOptions, RunOutcome, RunProgress } from "../protocol/run.ts";
import type { DeploymentState } from "../protocol/state.ts";
import { Channel, ENDED, WorkerFailure } from "./channel.ts";
import type { EngineClient, OpenOptions, QuireClientEvents, ScriptRun } from "./client.ts";
import { engineCode, giveCode } from "../start/engine-code.ts";
import { createDefaultWorker, defaultAssets } from "./defaults.ts";
import { OPENING_ID, type Early } from "../start/early.ts";
import { Storer } from "./storer.ts";

/** How long an aborted command may go on, in milliseconds, before its worker is ended, where no signal can reach it. */
const ABORT_MILLIS = 250;

type Listener<Name extends keyof QuireClientEvents> = (event: QuireClientEvents[Name]) => void;

export class WorkerClient implements EngineClient {
  readonly #options: OpenOptions;
  readonly #listeners: { [Name in keyof QuireClientEvents]: Set<Listener<Name>> } = {
    state: new Set(),
    changed: new Set(),
  };
  /** The listener to each running script's progress, by the id of its request. */
  readonly #running = new Map<number, ((progress: RunProgress) => void) | undefined>();
  /** Where the worker's files are; null before the first worker. */
  #assets: WorkerAssets | null = null;
  #channel: Promise<Channel>;
  #early: Early | null;
  /** The channel once the deployment is open: a command sent through it need not wait for a promise. */
  #line: Channel | null = null;
  #state: DeploymentState;
  #closed = false;
  #storer: Storer | null = null;

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#early = options.early ?? null;
    this.#state = {
      name: options.deployment.name,
      mode: "memory",
      reason: null,
      damaged: false,
      lost: null,
      saved: false,
      sequence: 0,
      memoryBytes: 0,
      pageBytes: 0,
      clockOffsetMillis: 0,
      gentleStop: false,
    };
    this.#channel = this.#open();
  }

  async #open(): Promise<Channel> {
    const early = this.#early;
    this.#early = null;
    if (early !== null) return this.#adopt(early);
    const given = this.#options.assets ?? defaultAssets();
    // A worker is asked for in this task wherever it can be.
    const assets = given instanceof Promise ? await given : given;
    this.#assets = assets;
    const code = engineCode(assets.engineWasm);
    const probeUrl = makeBlobUrl();
    const opening = { kind: "open", deployment: this.#options.deployment, assets, probeUrl } as const;
    const { createWorker } = this.#options;
    const worker = createWorker === undefined ? createDefaultWorker([{ ...opening, id: OPENING_ID }]) : createWorker();
    const channel = new Channel(worker, (event) => this.#receive(event, channel));
    void giveCode(code, (message) => channel.tell(message));
    void this.#options.firstRun?.then(() => channel.tell({ kind: "run-soon" }));
    try {
      this.#become(
        await (createWorker === undefined
          ? channel.adopt<"open">(OPENING_ID, [])
          : channel.send<"open">(opening).answer),
      );
    } catch (error) {
      channel.end("the deployment could not be opened");
      throw error;
    } finally {
      if (probeUrl !== null) URL.revokeObjectURL(probeUrl);
    }
    this.#line = channel;
    return channel;
  }

  /** Goes on with the worker that opens the deployment already. */
  async #adopt(early: Early): Promise<Channel> {
    const channel = new Channel(early.worker, (event) => this.#receive(event, channel));
    try {
      this.#become(await channel.adopt<"open">(OPENING_ID, early.heard));
    } catch (error) {
      channel.end("the deployment could not be opened");
      throw error;
    } finally {
      if (early.probeUrl !== null) URL.revokeObjectURL(early.probeUrl);
    }
    this.#line = channel;
    return channel;
  }

  async ready(): Promise<this> {
    await this.#channel;
    return this;
  }

  #receive(event: EventMessage, from: Channel): void {
    if (event.kind === "slice") this.#store(event, from);
    else if (event.kind === "state") this.#become(event.state);
    else if (event.kind === "changed")
      for (const listener of this.#listeners.changed) listener({ sequence: event.sequence });
    else if (event.kind === "progress") this.#running.get(event.id)?.(event.progress);
  }

  /**
   * Has a second worker, made for the first such slice, store a slice of a long script's writes. One of the slice's two
   * blob URLs is revoked then: the busy worker polls them, since it reads no messages before the script ends.
   */
  #store({ number, slice, signals }: Extract<EventMessage, { kind: "slice" }>, from: Channel): void {
    const settle = (stored: boolean): void => {
      URL.revokeObjectURL(stored ? signals.stored : signals.failed);
      from.tell({ kind: "slice-settled", number, stored });
    };
    this.#sent(slice).then(
      () => settle(true),
      () => settle(false),
    );
  }
  async #sent(slice: Uint8Array): Promise<void> {
    const assets = this.#assets ?? (await (this.#options.assets ?? defaultAssets()));
    this.#assets = assets;
    this.#storer ??= new Storer(this.#options, assets);
    await this.#storer.store(slice);
  }

  #become(state: DeploymentState): void {
    this.#state = state;
    for (const listener of this.#listeners.state) listener(state);
  }

  get state(): DeploymentState {
    return this.#state;
  }

  on<Name extends keyof QuireClientEvents>(name: Name, listener: Listener<Name>): () => void {
    this.#listeners[name].add(listener);
    return () => this.#listeners[name].delete(listener);
  }

  run(source: string, options: RunOptions, onProgress?: (progress: RunProgress) => void): ScriptRun {
    const started = performance.now();
    let stopUrl = this.#state.gentleStop ? makeBlobUrl() : null;
    let asked = false;
    const outcome = (async (): Promise<RunOutcome> => {
      const channel = this.#line ?? (await this.#channel);
      // Stopped before it was even sent.
      if (asked) return stoppedOutcome(options.database, started);
      const { id, answer } = channel.send<"run">({ kind: "run", source, options, stopUrl });
      this.#running.set(id, onProgress);
      try {
        const outcome = await answer;
        void this.#storer?.finish();
        return outcome;
      } catch (error) {
        // Nothing of a worker that ended is stored behind the back of the next one.
        this.#storer?.end();
        if (asked && error instanceof WorkerFailure && error.name === ENDED)
          return stoppedOutcome(options.database, started);
        throw error;
      } finally {
        this.#running.delete(id);
        if (stopUrl !== null) URL.revokeObjectURL(stopUrl);
        this.#storer = null;
      }
    })();
    const stop = (): void => {
      const again = asked;
      asked = true;
      if (stopUrl !== null && !again) {
        URL.revokeObjectURL(stopUrl);
        stopUrl = null;
      } else {
        this.#restart("the script was stopped by ending its worker");
      }
    };
    return { outcome, stop };
  }

  #restart(reason: string): void {
    if (this.#closed) return;
    this.#line = null;
    const before = this.#channel;
    this.#channel = before.then(
      (channel) => {
        channel.end(reason);
        return this.#open();
      },
      () => this.#open(),
    );
    // The next request rejects with it; none is waiting now.
    this.#channel.catch(() => undefined);
  }

  async commandBytes(command: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const channel = this.#line ?? (await this.#channel);
    if (signal === undefined) return channel.command(command);
    const stopUrl = this.#state.gentleStop ? makeBlobUrl() : null;
    const { answer } = channel.send<"command">({ kind: "command", bytes: command, stopUrl }, [
      command.buffer as ArrayBuffer,
    ]);
    return this.#abortable(answer, stopUrl, signal);
  }

  /**
   * Has the worker see that a command is aborted, or, where it can see nothing, ends it unless it answers, or data
   * would be lost.
   */
  async #abortable<Answer>(answer: Promise<Answer>, stopUrl: string | null, signal: AbortSignal): Promise<Answer> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = (): void => {
      if (stopUrl !== null) URL.revokeObjectURL(stopUrl);
      else if (this.#state.mode === "indexeddb")
        timer = setTimeout(() => this.#restart("a command was aborted by ending its worker"), ABORT_MILLIS);
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (stopUrl !== null) URL.revokeObjectURL(stopUrl);
    }
  }

  async act(act: Act): Promise<Acted> {
    const channel = this.#line ?? (await this.#channel);
    const transfer = act.command === null ? [] : [act.command.buffer as ArrayBuffer];
    return channel.send<"act">({ kind: "act", act }, transfer).answer;
  }

  async travel(travel: Travel): Promise<Travelled> {
    const channel = this.#line ?? (await this.#channel);
    return channel.send<"travel">({ kind: "travel", travel }).answer;
  }

  async stored(): Promise<DeploymentState> {
    const channel = await this.#channel;
    return channel.send<"flush">({ kind: "flush" }).answer;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const channel = await this.#channel;
    await channel.send<"close">({ kind: "close" }).answer;
    channel.end("the client was closed");
  }
}

function makeBlobUrl(): string | null {
  try {
    return URL.createObjectURL(new Blob(["run"]));
  } catch {
    return null;
  }
}

function stoppedOutcome(database: string, started: number): RunOutcome {
  const message = "the script was stopped";
  return {
    value: { kind: "none" },
    statements: [],
    statementsLeftOut: 0,
    printed: [],
    leftOut: 0,
    error: {
      name: "ScriptStopped",
      message,
      text: `ScriptStopped: ${message}`,
      code: null,
      codeName: null,
      line: null,
      column: null,
    },
    failed: null,
    database,
    saved: false,
    kept: null,
    statistics: { commands: 0, elapsedMillis: performance.now() - started, engineMillis: 0 },
  };
}

/** Opens a deployment in a worker of its own. */
export const openEngine = (options: OpenOptions): Promise<EngineClient> => new WorkerClient(options).ready();
