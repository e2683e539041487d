/**
 * What the driver sends commands through: bytes to an engine, wherever it runs, and bytes back.
 *
 * Invariant: an error reply never comes back as a reply; it is thrown.
 */
import type { Document } from "bson";
import { Decoder } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { MongoServerError, MongoWriteConcernError } from "./errors.ts";
import { promote } from "./promote.ts";
import { decoding, encoding, needsPromotion, type Settings } from "./settings.ts";

/** An engine, in a worker or in this thread. */
export interface Transport {
  send(command: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** What a command that asks for no acknowledgement is answered with, whatever became of it. */
const UNACKNOWLEDGED: Readonly<Document> = { ok: 1 };

export class Connection {
  readonly #transport: () => Promise<Transport>;
  readonly #decoder = new Decoder();

  constructor(transport: () => Promise<Transport>) {
    this.#transport = transport;
  }

  /** Runs a command; throws `MongoServerError` unless the reply is ok, and `MongoWriteConcernError` where a write was not made as durable as asked. */
  async run(database: string, command: Document, settings: Settings): Promise<Document> {
    const reply = await this.reply(database, command, settings);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }

  /**
   * Runs a command whose caller looks at `writeErrors` and `writeConcernError` itself; throws `MongoServerError` unless the reply is ok.
   * What was sent with `w: 0` is not looked at, as a driver never sees it.
   */
  async reply(database: string, command: Document, settings: Settings): Promise<Document> {
    const bytes = encode({ ...command, $db: database }, encoding(settings));
    const transport = await this.#transport();
    const answer = await transport.send(bytes);
    if ((command["writeConcern"] as Document | undefined)?.["w"] === 0) return UNACKNOWLEDGED;
    const reply = this.#decoder.decode(answer, decoding(settings));
    if (Number(reply["ok"]) !== 1) throw new MongoServerError(reply);
    return needsPromotion(settings) ? promote(reply, settings) : reply;
  }

  /** Runs a single write; throws its write error. */
  async write(database: string, command: Document, settings: Settings): Promise<Document> {
    const reply = await this.reply(database, command, settings);
    const error = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
    if (error !== undefined) throw new MongoServerError(error);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }
}
