/**
 * Streams for where there are none of Node's: the members of Node's that the driver's own streams and the samples of
 * its manual use.
 *
 * Invariants: a chunk is asked for when one is wanted, and never two at a time; what was pushed while the stream is
 * paused is kept; `error` comes before `close`, and after `close` comes nothing.
 */

type Listener = (...given: never[]) => unknown;
interface Entry {
  readonly listener: Listener;
  readonly once: boolean;
}

/** The part of Node's `EventEmitter` that streams need. */
export class LightEmitter {
  readonly #entries = new Map<string | symbol, readonly Entry[]>();

  #add(name: string | symbol, entry: Entry, first: boolean): this {
    const entries = this.#entries.get(name) ?? [];
    this.#entries.set(name, first ? [entry, ...entries] : [...entries, entry]);
    this.added(name);
    return this;
  }
  /** Hears of each listener that is added. */
  protected added(_name: string | symbol): void {
    // Readable streams begin by it.
  }
  on(name: string | symbol, listener: Listener): this {
    return this.#add(name, { listener, once: false }, false);
  }
  once(name: string | symbol, listener: Listener): this {
    return this.#add(name, { listener, once: true }, false);
  }
  addListener(name: string | symbol, listener: Listener): this {
    return this.on(name, listener);
  }
  prependListener(name: string | symbol, listener: Listener): this {
    return this.#add(name, { listener, once: false }, true);
  }
  prependOnceListener(name: string | symbol, listener: Listener): this {
    return this.#add(name, { listener, once: true }, true);
  }
  off(name: string | symbol, listener: Listener): this {
    const entries = this.#entries.get(name) ?? [];
    const last = entries.findLastIndex((entry) => entry.listener === listener);
    this.#entries.set(
      name,
      entries.filter((_, index) => index !== last),
    );
    return this;
  }
  removeListener(name: string | symbol, listener: Listener): this {
    return this.off(name, listener);
  }
  removeAllListeners(name?: string | symbol): this {
    if (name === undefined) this.#entries.clear();
    else this.#entries.delete(name);
    return this;
  }
  /** Throws the error of an `error` that nobody listens for. */
  emit(name: string | symbol, ...given: unknown[]): boolean {
    const entries = this.#entries.get(name) ?? [];
    if (entries.length === 0 && name === "error") throw given[0];
    for (const { listener, once } of entries) {
      if (once) this.off(name, listener);
      (listener as (...given: unknown[]) => unknown)(...given);
    }
    return entries.length > 0;
  }
  listeners(name: string | symbol): Listener[] {
    return (this.#entries.get(name) ?? []).map((entry) => entry.listener);
  }
  rawListeners(name: string | symbol): Listener[] {
    return this.listeners(name);
  }
  listenerCount(name: string | symbol): number {
    return this.listeners(name).length;
  }
  eventNames(): (string | symbol)[] {
    return [...this.#entries].filter(([, entries]) => entries.length > 0).map(([name]) => name);
  }
  /** Without effect: as many may listen as like to. */
  setMaxListeners(): this {
    return this;
  }
  getMaxListeners(): number {
    return Infinity;
  }
}

/** What both kinds of streams have: an end that comes once. */
abstract class LightStream extends LightEmitter {
  destroyed = false;
  closed = false;
  errored: Error | null = null;

  abstract _destroy(error: Error | null, callback: (error?: Error | null) => void): void;

  /** Ends the stream at once, with an error or without. */
  destroy(error?: Error | null): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this._destroy(error ?? null, (last) => {
      const told = last ?? error ?? null;
      this.errored = told;
      queueMicrotask(() => {
        this.closed = true;
        try {
          if (told !== null) this.emit("error", told);
        } finally {
          this.emit("close");
        }
      });
    });
    return this;
  }
}

/** How many chunks are kept before no more are asked for. */
const KEPT = 16;

export abstract class LightReadable extends LightStream {
  readableEnded = false;
  #flowing: boolean | null = null;
  readonly #queue: unknown[] = [];
  #isOver = false;
  #isAsked = false;
  #isMoving = false;

  /** Asks for chunks, which `push` gives. */
  abstract _read(size: number): void;

  _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error);
  }
  get readable(): boolean {
    return !this.destroyed && !this.readableEnded;
  }
  /** Gives a chunk to the reader, or null at the end. False: enough for now. */
  push(chunk: unknown): boolean {
    this.#isAsked = false;
    if (this.destroyed) return false;
    if (chunk === null) this.#isOver = true;
    else this.#queue.push(chunk);
    this.#move();
    return this.#queue.length < KEPT;
  }
  #ask(): void {
    if (this.#isAsked || this.#isOver || this.destroyed || this.#queue.length >= KEPT) return;
    this.#isAsked = true;
    this._read(KEPT);
  }
  #move(): void {
    if (this.#isMoving) return;
    this.#isMoving = true;
    queueMicrotask(() => {
      this.#isMoving = false;
      while (this.#flowing === true && this.#queue.length > 0 && !this.destroyed)
        this.emit("data", this.#queue.shift());
      if (this.destroyed) return;
      if (this.#flowing !== true && (this.#queue.length > 0 || this.#isOver) && this.listenerCount("readable") > 0)
        this.emit("readable");
      if (this.#isOver && this.#queue.length === 0 && !this.readableEnded && this.#flowing !== null) {
        this.readableEnded = true;
        this.emit("end");
        this.destroy();
      } else if (this.#flowing === true || this.listenerCount("readable") > 0) this.#ask();
    });
  }
  protected override added(name: string | symbol): void {
    if (name === "data" && this.#flowing !== false) this.resume();
    if (name === "readable") {
      this.#flowing ??= false;
      this.#move();
    }
  }
  /** The next chunk of those that are there; null where there is none. */
  read(): unknown {
    const chunk = this.#queue.shift() ?? null;
    this.#flowing ??= false;
    this.#move();
    this.#ask();
    return chunk;
  }
  resume(): this {
    this.#flowing = true;
    this.#move();
    return this;
  }
  pause(): this {
    this.#flowing = false;
    return this;
  }
  isPaused(): boolean {
    return this.#flowing === false;
  }
  setEncoding(): this {
    throw new Error("a stream of the driver has no encoding: decode its chunks by a TextDecoder");
  }
  unshift(chunk: unknown): void {
    this.#queue.unshift(chunk);
    this.#move();
  }
  readonly #piped = new Map<Sink, () => void>();
  /** Writes all chunks into another stream, as fast as that one takes them. */
  pipe<Target extends Sink>(target: Target, options: { readonly end?: boolean } = {}): Target {
    const write = (chunk: never): void => {
      if (target.write(chunk) !== false) return;
      this.pause();
      target.once("drain", () => this.resume());
    };
    const end = (): void => void (options.end === false ? undefined : target.end());
    this.#piped.set(target, () => this.off("data", write).off("end", end));
    target.emit?.("pipe", this);
    this.on("end", end).on("data", write);
    if (this.isPaused()) this.resume();
    return target;
  }
  unpipe(target?: Sink): this {
    for (const [one, stop] of [...this.#piped])
      if (target === undefined || one === target) {
        stop();
        this.#piped.delete(one);
      }
    if (this.#piped.size === 0) this.pause();
    return this;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, void> {
    const came = { wake: (): void => undefined, error: undefined as unknown, isOver: false };
    const wake = (): void => came.wake();
    const fail = (error: never): void => {
      came.error = error;
    };
    const close = (): void => {
      came.isOver = true;
      came.wake();
    };
    this.on("error", fail).on("close", close).on("readable", wake);
    try {
      for (;;) {
        const chunk = this.read();
        if (chunk !== null) yield chunk;
        else if (came.error !== undefined) throw came.error;
        else if (came.isOver || this.readableEnded) return;
        else await new Promise<void>((resolve) => (came.wake = resolve));
      }
    } finally {
      this.destroy();
    }
  }
}

/** What a stream is piped into. */
export interface Sink {
  write(chunk: never): unknown;
  end(): unknown;
  once(name: string, listener: () => void): unknown;
  emit?(name: string, ...given: unknown[]): unknown;
}

type Done = (error?: Error | null) => void;
interface Pending {
  readonly chunk: unknown;
  readonly encoding: string;
  readonly done: Done;
}

export abstract class LightWritable extends LightStream {
  writableEnded = false;
  writableFinished = false;
  readonly #queue: Pending[] = [];
  #isWriting = false;
  #needsDrain = false;

  abstract _write(chunk: unknown, encoding: string, callback: Done): void;
  _final(callback: Done): void {
    callback();
  }
  _destroy(error: Error | null, callback: Done): void {
    callback(error);
  }
  get writable(): boolean {
    return !this.destroyed && !this.writableEnded;
  }
  /** Takes a chunk. False: enough for now, until `drain`. */
  write(chunk: unknown, second?: unknown, third?: unknown): boolean {
    const done = (typeof second === "function" ? second : third) as Done | undefined;
    const encoding = typeof second === "string" ? second : "utf8";
    if (this.writableEnded || this.destroyed) {
      const error = new Error(
        this.writableEnded ? "write after end" : "Cannot call write after a stream was destroyed",
      );
      queueMicrotask(() => done?.(error));
      this.destroy(error);
      return false;
    }
    this.#queue.push({ chunk, encoding, done: done ?? ((): void => undefined) });
    this.#needsDrain = this.#queue.length >= KEPT;
    this.#next();
    return !this.#needsDrain;
  }
  #next(): void {
    if (this.#isWriting || this.destroyed) return;
    const pending = this.#queue.shift();
    if (pending === undefined) {
      if (this.writableEnded) this.#finish();
      else if (this.#needsDrain) {
        this.#needsDrain = false;
        this.emit("drain");
      }
      return;
    }
    this.#isWriting = true;
    this._write(pending.chunk, pending.encoding, (error) => {
      queueMicrotask(() => {
        this.#isWriting = false;
        pending.done(error);
        if (error instanceof Error) this.destroy(error);
        else this.#next();
      });
    });
  }
  #finish(): void {
    this.#isWriting = true;
    this._final((error) => {
      if (error instanceof Error) return void this.destroy(error);
      this.writableFinished = true;
      queueMicrotask(() => {
        if (this.destroyed) return;
        this.emit("finish");
        this.destroy();
      });
    });
  }
  end(first?: unknown, second?: unknown, third?: unknown): this {
    const done = [first, second, third].find((each) => typeof each === "function") as Listener | undefined;
    if (first !== undefined && first !== null && typeof first !== "function") this.write(first, second);
    if (done !== undefined) this.once("finish", done);
    if (!this.writableEnded) {
      this.writableEnded = true;
      this.#next();
    }
    return this;
  }
}
