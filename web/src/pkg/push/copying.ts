/**
 * The documents of one collection, from a place to another: read in the order of `_id`, sent in batches of which a few
 * are in flight, and compared.
 *
 * Invariants: no more than `FLIGHTS` batches are held; a document that is there already is compared by its bytes, so a
 * batch may be sent twice; what the state file calls acknowledged is so without a gap. A capped collection goes over in
 * its own order, one batch after another.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { members, withDocument } from "../../codec/members.ts";
import { ARRAY, DOCUMENT } from "../../codec/types.ts";
import { judged, Refusal, type Commander } from "../../state/data/ask.ts";
import { batchDocuments, withDocuments } from "../../state/data/bytes.ts";
import { documentOf, element } from "../data/lossless.ts";
import { Digest } from "./digest.ts";
import { idOf, isCursorGone, isPassing, isSame, type Listed, shownId, writeErrors } from "./places.ts";
import type { Progressed } from "./state-file.ts";

/** Both sides do not hold the same. */
export class Mismatch extends Error {}
/** Somebody wants the work to end. */
export class Stopped extends Error {}

const FLIGHTS = 4;
const READ_AT_ONCE = 1000;
const BATCH_DOCUMENTS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** How often a command is sent to a deployment that is lost or changes its primary. */
const TRIES = 5;
const SAVED_EACH = 8;

/** Does it again where the deployment has said nothing, or has no primary just now. */
export async function persistently<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || tried === TRIES || !isPassing(error)) throw error;
    }
  }
}

/** Documents of a collection in the order of `_id` from one on, or in their own order. */
export async function* documentsOf(
  place: Commander,
  { database, name, isCapped, type }: Pick<Listed, "database" | "name" | "isCapped" | "type">,
  from: Uint8Array | null,
  signal: AbortSignal,
): AsyncGenerator<readonly Uint8Array[], void, void> {
  const isOrdered = !isCapped && type !== "timeseries";
  let last = from;
  let given = false;
  for (;;) {
    const command = { find: name, ...(isOrdered ? { hint: { _id: 1 } } : {}), batchSize: READ_AT_ONCE };
    const after = last;
    const open = withField(last !== null && isOrdered ? withDocument(encode(command), "min", last) : encode(command), {
      $db: database,
    });
    try {
      let bytes = await persistently(() => place.commandBytes(open).then(passing), signal);
      for (;;) {
        if (signal.aborted) throw new Stopped();
        const { id } = judged(bytes)["cursor"] as { id: unknown };
        let batch = batchDocuments(bytes);
        const first = batch[0] === undefined ? null : idOf(batch[0]);
        // The first one is the last one before.
        if (after !== null && last === after && first !== null && isSame(first, after)) batch = batch.slice(1);
        if (batch.length > 0) {
          if (isOrdered) last = idOf(batch.at(-1) as Uint8Array);
          given = true;
          yield batch;
        }
        if (String(id) === "0") return;
        bytes = await place.commandBytes(
          encode({ getMore: id, collection: name, batchSize: READ_AT_ONCE, $db: database }),
        );
        judged(bytes);
      }
    } catch (error) {
      // A lost cursor is opened again behind the last document that it gave.
      if (signal.aborted || (!isOrdered && given) || !(isCursorGone(error) || isPassing(error)) || last === after)
        throw error;
    }
  }
}

const passing = (bytes: Uint8Array): Uint8Array => {
  judged(bytes);
  return bytes;
};

function withField(bytes: Uint8Array, fields: Document): Uint8Array {
  const more = encode(fields).subarray(4, -1);
  const whole = new Uint8Array(bytes.length + more.length);
  whole.set(bytes);
  whole.set(more, bytes.length - 1);
  new DataView(whole.buffer).setInt32(0, whole.length, true);
  return whole;
}

export interface CopyJob {
  readonly from: Commander;
  readonly to: Commander;
  readonly source: Listed;
  /** Where the documents go. */
  readonly target: Pick<Listed, "database" | "name" | "namespace" | "hasValidator">;
  readonly state: Progressed;
  /** The place of the two that is here, whose documents cost nothing to read again. */
  readonly here: "from" | "to";
  /** A document that is there and differs is replaced: the source goes on changing, and is followed. */
  readonly replaces: boolean;
  readonly signal: AbortSignal;
  save(): void;
  progress(documents: number, bytes: number): void;
}

/** Copies all documents that are not there yet; gives the hash of all that were read. */
export async function copyDocuments(job: CopyJob): Promise<Digest> {
  const { from, source, state, signal } = job;
  const isOrdered = !source.isCapped && source.type !== "timeseries";
  const digest = new Digest(source.isCapped);
  const last = isOrdered ? state.last : null;
  if (last !== null) await passOver(job, digest);
  const flights = new Flights(isOrdered ? FLIGHTS : 1, (documents, text, id) => {
    [state.documents, state.digest] = [documents, text];
    if (isOrdered) state.last = id;
    job.save();
  });
  let bytes = 0;
  let batch: Uint8Array[] = [];
  let size = 0;
  const send = async (): Promise<void> => {
    const documents = batch;
    if (documents.length === 0) return;
    [batch, size] = [[], 0];
    const id = idOf(documents.at(-1) as Uint8Array);
    const mark: Mark = [digest.documents, digest.text, id === null ? null : Buffer.from(id).toString("base64")];
    await flights.send(() => persistently(() => put(job, documents), signal), mark);
  };
  try {
    for await (const read of documentsOf(from, source, last === null ? null : Buffer.from(last, "base64"), signal)) {
      for (const document of read) {
        digest.add(document);
        bytes += document.length;
        size += document.length;
        batch.push(document);
        if (batch.length >= BATCH_DOCUMENTS || size >= BATCH_BYTES) await send();
      }
      job.progress(digest.documents, bytes);
    }
    await send();
  } finally {
    await flights.settled();
  }
  flights.end();
  return digest;
}

/** Goes past the documents that were acknowledged, and sees that those here are the same still. */
async function passOver({ from, to, here, source, target, state, signal }: CopyJob, digest: Digest): Promise<void> {
  const place = here === "from" ? from : to;
  const collection = here === "from" ? source : { ...source, ...target };
  reading: for await (const batch of documentsOf(place, collection, null, signal))
    for (const document of batch) {
      if (digest.documents === state.documents) break reading;
      digest.add(document);
    }
  if (!digest.equals({ documents: state.documents, text: state.digest }))
    throw new Mismatch(
      here === "from"
        ? "the documents here are no longer those that were sent before"
        : "the documents here are no longer those that came before",
    );
}

type Mark = readonly [documents: number, digest: string, last: string | null];

/** Batches under way. */
class Flights {
  readonly #limit: number;
  readonly #acknowledged: (...mark: Mark) => void;
  readonly #flying = new Set<Promise<void>>();
  /** The batches in their order, done or not, from the first one that is not. */
  readonly #order: { done: boolean; mark: Mark }[] = [];
  #failure: { error: unknown } | null = null;
  #unsaved: Mark | null = null;
  #count = 0;

  constructor(limit: number, acknowledged: (...mark: Mark) => void) {
    this.#limit = limit;
    this.#acknowledged = acknowledged;
  }

  /** Starts it when there is room; throws what a batch before it met. */
  async send(work: () => Promise<void>, mark: Mark): Promise<void> {
    while (this.#flying.size >= this.#limit && this.#failure === null) await Promise.race(this.#flying);
    this.#check();
    const entry = { done: false, mark };
    this.#order.push(entry);
    const flight: Promise<void> = work()
      .then(
        () => {
          entry.done = true;
          this.#advance();
        },
        (error: unknown) => {
          this.#failure ??= { error };
        },
      )
      .finally(() => this.#flying.delete(flight));
    this.#flying.add(flight);
  }

  #advance(): void {
    while (this.#order[0]?.done === true) {
      this.#unsaved = (this.#order.shift() as { mark: Mark }).mark;
      this.#count += 1;
    }
    if (this.#count >= SAVED_EACH) this.#save();
  }

  #save(): void {
    this.#count = 0;
    if (this.#unsaved !== null) this.#acknowledged(...this.#unsaved);
    this.#unsaved = null;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#flying);
    this.#save();
  }

  end(): void {
    this.#check();
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

/** A code of a server whose user may not pass by a validator. */
const UNAUTHORIZED = 13;

/** Inserts a batch. Those that are there already are compared. */
async function put(job: CopyJob, documents: readonly Uint8Array[], bypasses = job.target.hasValidator): Promise<void> {
  const { to, target } = job;
  const command = {
    insert: target.name,
    ordered: false,
    writeConcern: { w: "majority" },
    // They were stored, whatever a validator says that came later.
    ...(bypasses ? { bypassDocumentValidation: true } : {}),
    $db: target.database,
  };
  const bytes = await to.commandBytes(withDocuments(command, "documents", documents));
  const reply = decode(bytes, { numbers: "driver" });
  if (Number(reply["ok"]) !== 1) {
    const refusal = new Refusal(reply);
    if (bypasses && refusal.code === UNAUTHORIZED) return put(job, documents, false);
    throw refusal;
  }
  const there: Uint8Array[] = [];
  for (const { index, code, message, isId } of writeErrors(bytes)) {
    const document = documents[index] as Uint8Array;
    if (code !== 11000 || !isId)
      throw new Mismatch(`the document with _id ${shownIdOf(document)} is refused: ${message}`);
    there.push(document);
  }
  const concern = reply["writeConcernError"] as Document | undefined;
  if (concern !== undefined) throw new Refusal(concern);
  if (there.length > 0) await compare(job, there);
}

const shownIdOf = (document: Uint8Array): string => {
  const id = idOf(document);
  return id === null ? "(none)" : shownId(id);
};

/** Sees that documents are there as they are here. */
async function compare({ to, target, replaces, signal }: CopyJob, documents: readonly Uint8Array[]): Promise<void> {
  const there = new Set<string>();
  let bytes = await to.commandBytes(
    withField(withDocument(encode({ find: target.name }), "filter", oneOf(documents)), { $db: target.database }),
  );
  for (;;) {
    const { id } = judged(bytes)["cursor"] as { id: unknown };
    for (const document of batchDocuments(bytes)) there.add(Buffer.from(document).toString("latin1"));
    if (String(id) === "0") break;
    bytes = await to.commandBytes(encode({ getMore: id, collection: target.name, $db: target.database }));
  }
  for (const document of documents) {
    if (there.has(Buffer.from(document).toString("latin1"))) continue;
    if (!replaces) throw new Mismatch(`the document with _id ${shownIdOf(document)} is there already, and differs`);
    await replace(to, target, document, signal);
  }
}

/** The filter for the documents of these `_id`s, each as it is. */
function oneOf(documents: readonly Uint8Array[]): Uint8Array {
  const ids = documents.flatMap((document, at) =>
    [...members(document)]
      .filter(({ name }) => name === "_id")
      .map(({ kind, start, end }) => element(kind, String(at), document.subarray(start, end))),
  );
  return documentOf([element(DOCUMENT, "_id", documentOf([element(ARRAY, "$in", documentOf(ids))]))]);
}

/** Puts a document in the place of the one with its `_id`, or adds it. */
export async function replace(
  to: Commander,
  { database, name }: Pick<Listed, "database" | "name">,
  document: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const head = withDocument(withDocument(encode({ upsert: true }), "q", idOf(document) as Uint8Array), "u", document);
  const command = { update: name, writeConcern: { w: "majority" }, $db: database };
  await persistently(async () => judged(await to.commandBytes(withDocuments(command, "updates", [head]))), signal);
}

/** Reads all documents at a place again. */
export async function digestAt(
  place: Commander,
  collection: Listed,
  signal: AbortSignal,
  progress: (documents: number) => void,
): Promise<Digest> {
  const digest = new Digest(collection.isCapped);
  for await (const batch of documentsOf(place, collection, null, signal)) {
    for (const document of batch) digest.add(document);
    progress(digest.documents);
  }
  return digest;
}
