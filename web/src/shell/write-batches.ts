/**
 * Batches of writes to one collection (`bulkWrite`, `insertMany`, the bulk builders): the commands they are sent as,
 * and the replies' counts and failures by the indexes of the caller's own list.
 *
 * A generator that yields commands and is given their replies, so that the synchronous shell and the asynchronous
 * driver share it. Invariants: an ordered batch sends its operations in order, in runs of one kind, and stops at the
 * first failure; an unordered one sends each kind once and tells every failure. A command has at most as many
 * statements and bytes as the server takes, and more are another command.
 */
import { MAX_STATEMENTS, type Cut } from "../codec/cut.ts";
import type { Document } from "./errors.ts";

export type WriteKind = "insert" | "update" | "delete";

export interface WriteOperation {
  readonly kind: WriteKind;
  /** As the command takes it: a document, `{ q, u, … }` or `{ q, limit, … }`. */
  readonly statement: Document;
}

/** The counts of a batch. With `w: 0` only the `_id`s that were given are known. */
export interface BatchCounts {
  insertedCount: number;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  upsertedCount: number;
  readonly insertedIds: Record<number, unknown>;
  readonly upsertedIds: Record<number, unknown>;
}

/** One operation that failed. */
export interface WriteFailure {
  /** Its place in the caller's list. */
  readonly index: number;
  /** The server's words, as the reply has them. */
  readonly error: Document;
  /** The statement as it was sent. */
  readonly statement: Document;
}

/** A command to send. */
export interface BatchCommand {
  readonly command: Document;
  /** The statements that the encoder may leave out of the command. */
  readonly cut: Cut;
}

const FIELDS: Readonly<Record<WriteKind, string>> = { insert: "documents", update: "updates", delete: "deletes" };

/** The option of a whole batch that the commands of a kind have no field for: it is meant for the other kinds. */
const OTHERS: Readonly<Partial<Record<WriteKind, string>>> = { insert: "let", delete: "bypassDocumentValidation" };

function fieldsOf(kind: WriteKind, options: Document): Document {
  const other = OTHERS[kind];
  if (other === undefined || !(other in options)) return options;
  const { [other]: _meant, ...fields } = options;
  return fields;
}

interface Batch {
  readonly kind: WriteKind;
  /** Places in the caller's list. */
  readonly indexes: number[];
}

function batches(operations: readonly WriteOperation[], ordered: boolean): Batch[] {
  const all: Batch[] = [];
  const newest = new Map<WriteKind, Batch>();
  operations.forEach(({ kind }, index) => {
    const last = ordered ? all.at(-1) : newest.get(kind);
    if (last !== undefined && last.kind === kind && last.indexes.length < MAX_STATEMENTS) {
      last.indexes.push(index);
      return;
    }
    const batch = { kind, indexes: [index] };
    all.push(batch);
    newest.set(kind, batch);
  });
  return all;
}

/**
 * Yields the commands of a batch and takes their replies, whose `ok` is 1; `options` are fields of each command. The
 * writes that were done and those that failed are added to `counts` and `failures`. Gives the reply with a
 * `writeConcernError` that ended the batch, if there was one.
 */
export function* writeBatches(
  collection: string,
  operations: readonly WriteOperation[],
  ordered: boolean,
  options: Document,
  counts: BatchCounts,
  failures: WriteFailure[],
): Generator<BatchCommand, Document | null, Document> {
  for (const { kind, indexes } of batches(operations, ordered)) {
    for (let done = 0; done < indexes.length; ) {
      const sent = done === 0 ? indexes : indexes.slice(done);
      const statements = sent.map((index) => (operations[index] as WriteOperation).statement);
      const cut: Cut = { statements, left: 0 };
      // The statements come last, so that the encoder knows how long all else is.
      const fields = fieldsOf(kind, options);
      const reply = yield { command: { [kind]: collection, ordered, ...fields, [FIELDS[kind]]: statements }, cut };
      const count = statements.length - cut.left;
      done += count;
      take(kind, sent.slice(0, count), statements, reply, ordered, counts, failures);
      if (reply["writeConcernError"] !== undefined) return reply;
      if (ordered && failures.length > 0) return null;
    }
  }
  return null;
}

/** Adds a reply to the result of the whole batch. */
function take(
  kind: WriteKind,
  sent: readonly number[],
  statements: readonly Document[],
  reply: Document,
  ordered: boolean,
  counts: BatchCounts,
  failures: WriteFailure[],
): void {
  const errors = (reply["writeErrors"] as readonly Document[] | undefined) ?? [];
  const failed = new Set(errors.map((error) => Number(error["index"])));
  const stopped = ordered && failed.size > 0 ? Math.min(...failed) : Infinity;
  const count = Number(reply["n"] ?? 0);
  if (kind === "insert") {
    counts.insertedCount += count;
    sent.forEach((index, place) => {
      if (!failed.has(place) && place < stopped) counts.insertedIds[index] = statements[place]?.["_id"];
    });
  } else if (kind === "delete") {
    counts.deletedCount += count;
  } else {
    const upserted = (reply["upserted"] as readonly Document[] | undefined) ?? [];
    for (const one of upserted) counts.upsertedIds[sent[Number(one["index"])] as number] = one["_id"];
    counts.upsertedCount += upserted.length;
    counts.matchedCount += count - upserted.length;
    counts.modifiedCount += Number(reply["nModified"] ?? 0);
  }
  for (const error of errors) {
    const place = Number(error["index"]);
    failures.push({ index: sent[place] as number, error, statement: statements[place] as Document });
  }
}
