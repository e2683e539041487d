/**
 * The client that a page has: replies as objects, and the catalog.
 *
 * Invariants: js-bson, whose classes shown values have, is fetched by the first Run or by the first reply with such a
 * value, and not by the page that opens a deployment: a catalog holds names and numbers, which need no class.
 */
import type { Document } from "bson";
import { Decoder, type TypeMakers } from "../codec/decoder.ts";
import { encode } from "../codec/encode.ts";
import type { RunOptions, RunProgress, ScriptCursor } from "../protocol/run.ts";
import * as catalog from "./catalog.ts";
import type { CollectionSummary, CursorBatch, DatabaseSummary, OpenClient, QuireClient, ScriptRun } from "./client.ts";
import { limitedBatch, limitOf } from "./limited.ts";
import { WorkerClient } from "./open.ts";

/** A command whose reply is not ok. */
export class CommandFailure extends Error {
  readonly code: number | null;
  readonly codeName: string | null;
  readonly reply: Document;
  constructor(reply: Document) {
    super(String(reply["errmsg"] ?? "the command failed"));
    this.name = "MongoServerError";
    this.code = reply["code"] === undefined ? null : Number(reply["code"]);
    this.codeName = reply["codeName"] === undefined ? null : String(reply["codeName"]);
    this.reply = reply;
  }
}

/** A reply holds a value that only a class of js-bson's can be. */
class NeedsClasses extends Error {}
const needsClasses = (): never => {
  throw new NeedsClasses();
};

/** The only binary values of a catalog are UUIDs of collections, which are not shown: their bytes stay as they are. */
const plainMakers: TypeMakers = {
  int32: (value) => value,
  double: (value) => value,
  binary: (bytes) => bytes,
  objectId: needsClasses,
  long: needsClasses,
  decimal128: needsClasses,
  timestamp: needsClasses,
  regularExpression: needsClasses,
  code: needsClasses,
  symbol: needsClasses,
  reference: needsClasses,
  minKey: needsClasses,
  maxKey: needsClasses,
};

const judged = (reply: Document): Document => {
  if (Number(reply["ok"]) !== 1) throw new CommandFailure(reply);
  return reply;
};

class ReadingClient extends WorkerClient implements QuireClient {
  readonly #plain = new Decoder(plainMakers);
  #full: Decoder | null = null;
  #fetching: Promise<Decoder> | null = null;

  /** The decoder with js-bson's classes. */
  #decoder(): Promise<Decoder> {
    this.#fetching ??= import("../codec/decode.ts").then(({ makeDecoder }) => (this.#full = makeDecoder()));
    this.#fetching.catch(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  override run(source: string, options: RunOptions, onProgress?: (progress: RunProgress) => void): ScriptRun {
    const decoder = this.#decoder();
    const { outcome, stop } = super.run(source, options, onProgress);
    return { outcome: Promise.all([outcome, decoder]).then(([ended]) => ended), stop };
  }

  #bytes(database: string, command: Document): Promise<Uint8Array> {
    return this.commandBytes(encode({ ...command, $db: database }));
  }

  async command(database: string, command: Document): Promise<Document> {
    const [decoder, reply] = await Promise.all([this.#decoder(), this.#bytes(database, command)]);
    return judged(decoder.decode(reply));
  }

  /** A command of the catalog's. */
  readonly #lister: catalog.Commander = {
    command: async (database, command) => {
      const bytes = await this.#bytes(database, command);
      try {
        return judged(this.#plain.decode(bytes));
      } catch (error) {
        if (!(error instanceof NeedsClasses)) throw error;
        return judged((await this.#decoder()).decode(bytes));
      }
    },
  };

  firstBatch(cursor: ScriptCursor): CursorBatch {
    const batch = this.#batch(cursor.reply);
    return limitedBatch(batch, this.#full === null ? null : limitOf(this.#full.decode(cursor.command)));
  }

  #batch(bytes: Uint8Array): CursorBatch {
    if (this.#full === null) throw new Error("no script has run");
    const whole = judged(this.#full.decode(bytes, { numbers: "typed" }));
    const { reply, observed } = "reply" in whole ? (whole as Record<"reply" | "observed", Document>) : { reply: whole };
    const { firstBatch, nextBatch, id, ns } = reply["cursor"] as {
      firstBatch?: Document[];
      nextBatch?: Document[];
      id: unknown;
      ns: string;
    };
    return {
      documents: firstBatch ?? nextBatch ?? [],
      namespace: ns,
      cursorId: BigInt(String(id)),
      ...(observed === undefined ? {} : { observed }),
    };
  }

  async more(batch: CursorBatch, batchSize = 20, observed = false): Promise<CursorBatch> {
    const dot = batch.namespace.indexOf(".");
    const command = { getMore: batch.cursorId, collection: batch.namespace.slice(dot + 1), batchSize };
    const asked = observed ? { quireObserve: 1, command } : command;
    return limitedBatch(this.#batch(await this.#bytes(batch.namespace.slice(0, dot), asked)), batch.left ?? null);
  }

  listDatabases(): Promise<readonly DatabaseSummary[]> {
    return catalog.listDatabases(this.#lister);
  }
  listCollections(database: string): Promise<readonly CollectionSummary[]> {
    return catalog.listCollections(this.#lister, database);
  }
}

/** Opens a deployment in a worker of its own. */
export const openClient: OpenClient = (options) => new ReadingClient(options).ready();
