/**
 * `watch()`: a cursor over a change stream, as mongosh has it.
 *
 * Invariants: the stream is open when `watch` returns, so that every later change is told; nothing here waits without
 * an end: while a script runs only other tabs can change anything.
 */
import { AggregationCursor } from "./cursor.ts";
import { MongoshInvalidInputError, MongoshUnimplementedError, type Document } from "./errors.ts";
import { SHELL_TEXT } from "./format.ts";
import { omit, pick, type Connection } from "./host.ts";

/** Options of `watch` that are not those of the stage. */
const OF_CURSOR = ["batchSize", "maxAwaitTimeMS", "collation", "comment", "readConcern", "maxTimeMS"] as const;

/** The place that a stream is opened on. */
export interface Watched {
  readonly connection: Connection;
  readonly database: string;
  /** Without one the stream is over the database. */
  readonly collection?: string;
  /** Fields of the stage that the place itself names. */
  readonly stage?: Document;
  /** How the place is worded. */
  readonly on: string;
}

/** The cursor below, which tells the tokens of its batches. */
class Stream extends AggregationCursor {
  token: unknown;
  protected override received(cursor: Document): void {
    this.token = cursor["postBatchResumeToken"] ?? this.token;
  }
  protected override get isTailable(): boolean {
    return true;
  }
  wait(millis: number): void {
    this.maxAwaitMillis = millis;
  }
}

export class ChangeStreamCursor {
  readonly #stream: Stream;
  readonly #on: string;
  #last: unknown;
  #closed = false;

  constructor(stream: Stream, on: string) {
    this.#stream = stream;
    this.#on = on;
  }

  /** The next event of those that there are, or null. */
  tryNext(): unknown {
    const event = this.#closed ? null : this.#stream.tryNext();
    if (event !== null) this.#last = (event as Document)["_id"];
    return event;
  }
  /** As `tryNext`: where mongosh would wait for ever, this ends with the time that the stream may wait. */
  next(): unknown {
    return this.tryNext();
  }
  hasNext(): boolean {
    return !this.#closed && this.#stream.peek(0, 1).documents.length > 0;
  }
  /** The token to go on behind the last event that was given. */
  getResumeToken(): unknown {
    const behind = this.#stream.objsLeftInBatch() === 0 ? this.#stream.token : undefined;
    return behind ?? this.#last ?? this.#stream.token;
  }
  itcount(): number {
    let count = 0;
    for (; this.tryNext() !== null; count++);
    return count;
  }
  isClosed(): boolean {
    return this.#closed || this.#stream.isExhausted();
  }
  close(): void {
    this.#closed = true;
    this.#stream.close();
  }
  pretty(): this {
    return this;
  }
  isExhausted(): never {
    throw new MongoshInvalidInputError(
      "isExhausted is not implemented for ChangeStreams because after closing a cursor, the remaining documents in " +
        "the batch are no longer accessible. If you want to see if the cursor is closed use isClosed. If you want to " +
        "see if there are documents left in the batch, use tryNext.",
    );
  }
  objsLeftInBatch(): never {
    throw new MongoshUnimplementedError("objsLeftInBatch is not implemented for ChangeStreams");
  }
  toArray(): never {
    throw new MongoshUnimplementedError("toArray is not implemented for ChangeStreams: a stream has no end");
  }
  forEach(): never {
    throw new MongoshUnimplementedError("forEach is not implemented for ChangeStreams: a stream has no end");
  }
  map(): never {
    throw new MongoshUnimplementedError("map is not implemented for ChangeStreams: add a stage to the pipeline");
  }
  [SHELL_TEXT](): string {
    return `ChangeStreamCursor on ${this.#on}`;
  }
}

/** Opens a stream. `pipeline` may be left out before the options. */
export function watch(at: Watched, pipeline: unknown = [], options: Document = {}): ChangeStreamCursor {
  if (!Array.isArray(pipeline)) return watch(at, [], pipeline as Document);
  const stage = { $changeStream: { ...at.stage, ...omit(options, OF_CURSOR) } };
  const command: Document = {
    aggregate: at.collection ?? 1,
    pipeline: [stage, ...(pipeline as unknown[])],
    cursor: {},
    ...pick(options, ["collation", "comment", "readConcern", "maxTimeMS"]),
  };
  const stream = new Stream(at.connection, at.database, at.collection ?? "$cmd.aggregate", command);
  if (options["batchSize"] !== undefined) stream.batchSize(Number(options["batchSize"]));
  if (options["maxAwaitTimeMS"] !== undefined) stream.wait(Number(options["maxAwaitTimeMS"]));
  stream.start();
  return new ChangeStreamCursor(stream, at.on);
}
