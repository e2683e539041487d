/**
 * Change streams of the driver: asynchronous iterators and emitters, by the Node driver's names.
 *
 * Invariants: what an error cuts off is gone on with behind the last event, where the engine says that it can be; one
 * stream is read in one way alone, as an iterator or by its events.
 */
import type { Document } from "bson";
import type { ReadableOf } from "./streams.ts";
import { streamOf } from "./item-stream.ts";
import type { Call } from "./call.ts";
import { AggregationCursor } from "./cursor.ts";
import { DISPOSE } from "./dispose.ts";
import {
  MongoAPIError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
} from "./errors.ts";
import { RESUMABLE } from "./resumable.ts";

/** The events of a stream, with what their listeners are given. */
export interface ChangeStreamEvents {
  change: [event: Document];
  resumeTokenChanged: [token: unknown];
  error: [error: Error];
  end: [];
  close: [];
}
export type ChangeStreamEventName = keyof ChangeStreamEvents;
export type ChangeStreamListener<Name extends ChangeStreamEventName> = (...given: ChangeStreamEvents[Name]) => void;

const BEGINNINGS = ["resumeAfter", "startAfter", "startAtOperationTime"] as const;

function isResumable(error: unknown): boolean {
  if (error instanceof MongoNetworkError) return true;
  return error instanceof MongoServerError && RESUMABLE.includes(Number(error.code));
}

/** Closes a cursor that nobody reads any more: what the engine says to that concerns nobody. */
async function ended(cursor: StreamCursor): Promise<void> {
  await cursor.close().catch(() => undefined);
}

/** The cursor of a stream, which tells the tokens of its batches. */
class StreamCursor extends AggregationCursor {
  token: unknown;
  protected override get awaitsData(): boolean {
    return true;
  }
  protected override received(cursor: Document): void {
    this.token = cursor["postBatchResumeToken"] ?? this.token;
  }
}

interface Entry {
  readonly listener: unknown;
  readonly once: boolean;
}

/** Where a stream is opened, and how. */
export interface Watched {
  readonly call: Call;
  readonly target: string | 1;
  readonly collection: string;
  readonly pipeline: readonly Document[];
  /** The stage's options. */
  readonly stage: Document;
}

export class ChangeStream<Change extends Document = Document> {
  readonly #at: Watched;
  readonly #listeners = new Map<string, readonly Entry[]>();
  #cursor: StreamCursor;
  #token: unknown;
  #closed = false;
  #mode: "iterator" | "emitter" | undefined;

  constructor(at: Watched) {
    if (!Array.isArray(at.pipeline))
      throw new MongoInvalidArgumentError('Argument "pipeline" must be an array of aggregation stages');
    this.#at = at;
    this.#cursor = this.#opened(at.stage);
  }

  #opened(stage: Document): StreamCursor {
    const { call, target, collection, pipeline } = this.#at;
    const command = {
      aggregate: target,
      pipeline: [{ $changeStream: stage }, ...pipeline],
    };
    return new StreamCursor(call, collection, call.filled(command));
  }
  /** The stream behind the last token; before there was one, as it was begun. */
  #resumed(): StreamCursor {
    const token = this.resumeToken;
    if (token === undefined) return this.#opened(this.#at.stage);
    const stage = { ...this.#at.stage };
    // Behind an invalidation a stream goes on by its own option alone, until it has given something.
    const name = stage["startAfter"] !== undefined && this.#token === undefined ? "startAfter" : "resumeAfter";
    for (const beginning of BEGINNINGS) delete stage[beginning];
    return this.#opened({ ...stage, [name]: token });
  }
  /** Reads, and goes on with another cursor as often as one that was open fails in a way that lets it. */
  async #read<Result>(read: (cursor: StreamCursor) => Promise<Result>): Promise<Result> {
    const token = this.resumeToken;
    for (;;) {
      this.#needOpen();
      const cursor = this.#cursor;
      try {
        const result = await read(cursor);
        this.#needOpen();
        if (this.resumeToken !== token) this.#emit("resumeTokenChanged", this.resumeToken);
        return result;
      } catch (error) {
        this.#needOpen();
        if (cursor.id === undefined || !isResumable(error)) {
          // An emitter tells the error before its end.
          if (this.#mode !== "emitter") await this.close();
          throw error;
        }
        this.#cursor = this.#resumed();
        await ended(cursor);
      }
    }
  }
  #needOpen(): void {
    if (this.#closed) throw new MongoAPIError("ChangeStream is closed");
  }
  #use(mode: "iterator" | "emitter"): void {
    if (this.#mode !== undefined && this.#mode !== mode) {
      const [now, before] =
        mode === "iterator" ? ["an iterator", "an EventEmitter"] : ["an EventEmitter", "an iterator"];
      throw new MongoAPIError(`ChangeStream cannot be used as ${now} after being used as ${before}`);
    }
    this.#mode = mode;
  }
  #given(change: Document | null): Change | null {
    if (change !== null) this.#token = this.#cursor.buffered === 0 ? this.#cursor.token : change["_id"];
    return change as Change | null;
  }

  /** The token to go on behind the last event that was given. */
  get resumeToken(): unknown {
    const { stage } = this.#at;
    const behind = this.#cursor.buffered === 0 ? this.#cursor.token : undefined;
    return behind ?? this.#token ?? stage["resumeAfter"] ?? stage["startAfter"];
  }
  get closed(): boolean {
    return this.#closed || this.#cursor.closed;
  }
  /** How many events of the last batch are still to be given. */
  bufferedCount(): number {
    return this.#cursor.bufferedCount();
  }
  /** The events as a stream, in the place of an iterator; in Node it is one of Node's. Closed with the stream. */
  stream(): ReadableOf<Change> {
    this.#use("iterator");
    return streamOf<Change>(this);
  }
  async [DISPOSE](): Promise<void> {
    await this.close();
  }
  /** Waits until there is an event; false: none comes any more. */
  async hasNext(): Promise<boolean> {
    this.#use("iterator");
    return this.#read((cursor) => cursor.hasNext());
  }
  async #next(): Promise<Change | null> {
    return this.#given(await this.#read((cursor) => cursor.next()));
  }
  /** Waits for the next event. */
  async next(): Promise<Change> {
    this.#use("iterator");
    const change = await this.#next();
    if (change === null) throw new MongoAPIError("ChangeStream is closed");
    return change;
  }
  /** The next event of those that there are now, or null. */
  async tryNext(): Promise<Change | null> {
    this.#use("iterator");
    return this.#given(await this.#read((cursor) => cursor.tryNext()));
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Change, void, void> {
    if (this.closed) return;
    try {
      // One that is over though nobody closed it, behind an invalidation, throws here.
      while (!this.#closed) yield await this.next();
    } finally {
      await this.close();
    }
  }
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await ended(this.#cursor);
    this.#emit("close");
  }

  async #follow(): Promise<void> {
    try {
      for (let change = await this.#next(); change !== null; change = await this.#next()) this.#tell(change);
      this.#emit("end");
    } catch (error) {
      // A stream that was closed while it waited has nothing to tell, nor one whose client was.
      if (!this.#closed && !(error instanceof MongoNotConnectedError)) this.#fail(error);
    } finally {
      await this.close();
    }
  }
  /** Tells a change; what a listener throws is an error of the stream, which goes on. */
  #tell(change: Change): void {
    try {
      this.#emit("change", change);
    } catch (error) {
      this.#fail(error);
    }
  }
  /** Tells an error; one that nobody listens for is thrown. */
  #fail(error: unknown): void {
    if ((this.#listeners.get("error") ?? []).length === 0) throw error;
    this.#emit("error", error as Error);
  }
  #add(name: string, listener: unknown, once: boolean): this {
    if (typeof listener !== "function") throw new MongoInvalidArgumentError("a listener is a function");
    if (name === "change" && this.#mode !== "emitter") {
      this.#use("emitter");
      void Promise.resolve().then(() => this.#follow());
    }
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), { listener, once }]);
    return this;
  }
  on<Name extends ChangeStreamEventName>(name: Name, listener: ChangeStreamListener<Name>): this {
    return this.#add(name, listener, false);
  }
  once<Name extends ChangeStreamEventName>(name: Name, listener: ChangeStreamListener<Name>): this {
    return this.#add(name, listener, true);
  }
  addListener<Name extends ChangeStreamEventName>(name: Name, listener: ChangeStreamListener<Name>): this {
    return this.on(name, listener);
  }
  off<Name extends ChangeStreamEventName>(name: Name, listener: ChangeStreamListener<Name>): this {
    const kept = (this.#listeners.get(name) ?? []).filter((entry) => entry.listener !== listener);
    this.#listeners.set(name, kept);
    return this;
  }
  removeListener<Name extends ChangeStreamEventName>(name: Name, listener: ChangeStreamListener<Name>): this {
    return this.off(name, listener);
  }
  #emit<Name extends ChangeStreamEventName>(name: Name, ...given: ChangeStreamEvents[Name]): void {
    const entries = this.#listeners.get(name) ?? [];
    this.#listeners.set(
      name,
      entries.filter((entry) => !entry.once),
    );
    for (const { listener } of entries) (listener as (...given: unknown[]) => void)(...given);
  }
}

/** A change stream; `all` are fields of the stage that the place itself names. */
export function watch(
  call: Call,
  target: string | 1,
  collection: string,
  pipeline: readonly Document[],
  all: Document = {},
): ChangeStream {
  return new ChangeStream({
    call,
    target,
    collection,
    pipeline,
    stage: { ...all, ...call.statement },
  });
}
