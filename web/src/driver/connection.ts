/**
 * What the driver sends commands through: bytes to an engine, wherever it runs, and bytes back.
 *
 * Invariant: an error reply never comes back as a reply; it is thrown.
 */
import type { Document } from "bson";
import { Decoder } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { MongoServerError, MongoWriteConcernError } from "./errors.ts";

/** An engine, in a worker or in this thread. */
export interface Transport {
  send(command: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Leave out fields that are `undefined`; otherwise they are stored as null. Default false. */
  readonly ignoreUndefined?: boolean;
  /** Give int64 within 2^53 as numbers. Default true. */
  readonly promoteLongs?: boolean;
}

export class Connection {
  readonly #transport: () => Promise<Transport>;
  readonly #options: ConnectionOptions;
  readonly #decoder = new Decoder();

  constructor(transport: () => Promise<Transport>, options: ConnectionOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** Runs a command; throws `MongoServerError` unless the reply is ok, and `MongoWriteConcernError` where a write was not made as durable as asked. */
  async run(database: string, command: Document): Promise<Document> {
    const reply = await this.reply(database, command);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }

  /** Runs a command whose caller looks at `writeErrors` and `writeConcernError` itself; throws `MongoServerError` unless the reply is ok. */
  async reply(database: string, command: Document): Promise<Document> {
    const bytes = encode({ ...command, $db: database }, { ignoreUndefined: this.#options.ignoreUndefined === true, serializeFunctions: true });
    const transport = await this.#transport();
    const reply = this.#decoder.decode(await transport.send(bytes), { numbers: this.#options.promoteLongs === false ? "shell" : "driver" });
    if (Number(reply["ok"]) !== 1) throw new MongoServerError(reply);
    return reply;
  }

  /** Runs a single write; throws its write error. */
  async write(database: string, command: Document): Promise<Document> {
    const reply = await this.reply(database, command);
    const error = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
    if (error !== undefined) throw new MongoServerError(error);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }
}

/** The options without those named. */
export function omit(options: object | undefined, names: readonly string[]): Document {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([name, value]) => value !== undefined && !names.includes(name)));
}
