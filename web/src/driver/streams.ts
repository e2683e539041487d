/**
 * The classes that the driver's streams are of: Node's own where there is Node, and the light ones of this package in a
 * page, so that `pipe`, `pipeline` and `instanceof` do in Node what they do with MongoDB's driver.
 *
 * Invariant: nothing is imported by a name of Node's, which bundlers would bring a library along for.
 */
import { LightReadable, LightWritable } from "./light-streams.ts";

/** What all streams have of Node's `EventEmitter`. */
interface StreamEvents {
  removeAllListeners(name?: string | symbol): this;
  emit(name: string | symbol, ...given: unknown[]): boolean;
  listeners(name: string | symbol): ((...given: never[]) => unknown)[];
  rawListeners(name: string | symbol): ((...given: never[]) => unknown)[];
  listenerCount(name: string | symbol): number;
  eventNames(): (string | symbol)[];
  setMaxListeners(most: number): this;
  getMaxListeners(): number;
  readonly destroyed: boolean;
  readonly closed: boolean;
  readonly errored: Error | null;
  destroy(error?: Error | null): this;
}

interface Listening<This, Chunk> {
  (name: "data", listener: (chunk: Chunk) => void): This;
  (name: "error", listener: (error: Error) => void): This;
  (name: "end" | "close" | "readable" | "pause" | "resume" | "finish" | "drain", listener: () => void): This;
  (name: string | symbol, listener: (...given: unknown[]) => void): This;
}

/** A stream to read from: in Node a `Readable` of `node:stream`. */
export interface ReadableOf<Chunk> extends StreamEvents {
  readonly on: Listening<this, Chunk>;
  readonly once: Listening<this, Chunk>;
  readonly off: Listening<this, Chunk>;
  readonly addListener: Listening<this, Chunk>;
  readonly removeListener: Listening<this, Chunk>;
  readonly prependListener: Listening<this, Chunk>;
  readonly prependOnceListener: Listening<this, Chunk>;
  readonly readable: boolean;
  readonly readableEnded: boolean;
  read(size?: number): Chunk | null;
  pause(): this;
  resume(): this;
  isPaused(): boolean;
  pipe<Target extends { write(chunk: never): unknown; end(): unknown }>(
    target: Target,
    options?: { readonly end?: boolean },
  ): Target;
  unpipe(target?: unknown): this;
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk>;
}

/** A stream to write bytes into: in Node a `Writable` of `node:stream`. */
export interface WritableBytes extends StreamEvents {
  readonly on: Listening<this, never>;
  readonly once: Listening<this, never>;
  readonly off: Listening<this, never>;
  readonly addListener: Listening<this, never>;
  readonly removeListener: Listening<this, never>;
  readonly prependListener: Listening<this, never>;
  readonly prependOnceListener: Listening<this, never>;
  readonly writable: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): boolean;
  write(chunk: Uint8Array | string, encoding?: string, done?: (error?: Error | null) => void): boolean;
  end(done?: () => void): this;
  end(chunk: Uint8Array | string, done?: () => void): this;
  end(chunk: Uint8Array | string, encoding?: string, done?: () => void): this;
}

interface Options {
  readonly objectMode?: boolean;
  readonly autoDestroy?: boolean;
  readonly highWaterMark?: number;
}
/** How a class of streams is extended. */
interface Streams {
  readonly Readable: new <Chunk>(options?: Options) => ReadableOf<Chunk> & { push(chunk: unknown): boolean };
  readonly Writable: new (options?: Options) => WritableBytes;
}

interface Realm {
  readonly process?: { getBuiltinModule?(name: "node:stream"): Streams | undefined };
}

function streamsOf({ process }: Realm): Streams {
  return (
    process?.getBuiltinModule?.("node:stream") ??
    ({ Readable: LightReadable, Writable: LightWritable } as unknown as Streams)
  );
}

export const { Readable, Writable } = streamsOf(globalThis as Realm);
