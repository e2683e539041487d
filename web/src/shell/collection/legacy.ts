/**
 * The names of the legacy shell: insert, update, save, remove, group and their friends.
 *
 * Invariant: these give `WriteResult`s and do not throw for a write error (a duplicate key): the result
 * carries it, as in the legacy shell. A command that fails as a whole throws.
 */
import { MongoBulkWriteError, MongoshInvalidInputError, MongoshUnimplementedError, type Document } from "../errors.ts";
import { pick } from "../host.ts";
import { LegacyBulkWriteResult, WriteResult } from "../results.ts";
import { runBulk } from "../bulk.ts";
import { AdministrableCollection } from "./admin.ts";
import { asFilter, isPlain, withId } from "./base.ts";
import { toNumber } from "./read.ts";

function writeFailure(reply: Document): Document {
  const members: Document = {};
  const error = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
  if (error !== undefined) members["writeError"] = pick(error, ["code", "errmsg"]);
  if (reply["writeConcernError"] !== undefined) members["writeConcernError"] = reply["writeConcernError"];
  return members;
}

export class Collection extends AdministrableCollection {
  insert(documents: unknown, options: Document = {}): unknown {
    this.need("insert", documents);
    if (Array.isArray(documents)) return this.#insertAll(documents, options);
    const reply = this.write({ insert: this.getName(), documents: [withId(documents)], ...options });
    return new WriteResult({ nInserted: toNumber(reply["n"]), ...writeFailure(reply) });
  }

  #insertAll(documents: readonly unknown[], options: Document): LegacyBulkWriteResult {
    if (documents.length === 0) throw new MongoshInvalidInputError("no documents given to insert");
    const operations = documents.map((document) => ({ kind: "insert" as const, statement: withId(document) }));
    const members = { writeErrors: [] as unknown[], writeConcernErrors: [] as unknown[], nInserted: 0, nUpserted: 0, nMatched: 0, nModified: 0, nRemoved: 0, upserted: [] };
    try {
      members.nInserted = runBulk(this.connection, this.getDB().getName(), this.getName(), operations, options).insertedCount;
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      members.nInserted = (error.result as { insertedCount: number }).insertedCount;
      members.writeErrors = error.writeErrors.map((one) => pick(one.err, ["index", "code", "errmsg", "op"]));
      if (error.writeConcernError !== undefined) members.writeConcernErrors = [error.writeConcernError];
    }
    return new LegacyBulkWriteResult(members);
  }

  /** `update(filter, change, upsert, multi)` or `update(filter, change, { upsert, multi, … })`. */
  update(filter: unknown, update: unknown, options: Document | boolean = {}, multi = false): WriteResult {
    this.need("update", filter, update);
    const given: Document = typeof options === "boolean" ? { upsert: options, multi } : options;
    const { writeConcern, ...statement } = given;
    const command: Document = { update: this.getName(), updates: [{ q: asFilter(filter), u: update, ...statement }] };
    if (writeConcern !== undefined) command["writeConcern"] = writeConcern;
    const reply = this.write(command);
    const upserted = (reply["upserted"] as readonly Document[] | undefined)?.[0];
    return new WriteResult({
      nMatched: toNumber(reply["n"]) - (upserted === undefined ? 0 : 1),
      nUpserted: upserted === undefined ? 0 : 1,
      nModified: toNumber(reply["nModified"]),
      ...(upserted === undefined ? {} : { _id: upserted["_id"] }),
      ...writeFailure(reply),
    });
  }

  save(document: unknown, options: Document = {}): unknown {
    this.need("save", document);
    if (!isPlain(document)) throw new MongoshInvalidInputError("can't save a value that is not a document");
    if (document["_id"] === undefined) return this.insert(document, options);
    return this.update({ _id: document["_id"] }, document, { ...options, upsert: true });
  }

  /** `remove(filter, justOne)`; the filter must be given, as later legacy shells asked. */
  remove(filter: unknown, options: Document | boolean = {}): WriteResult {
    this.need("remove", filter);
    const { justOne, ...rest }: Document = typeof options === "boolean" ? { justOne: options } : options;
    const { writeConcern, ...statement } = rest;
    const command: Document = { delete: this.getName(), deletes: [{ q: asFilter(filter), limit: justOne ? 1 : 0, ...statement }] };
    if (writeConcern !== undefined) command["writeConcern"] = writeConcern;
    const reply = this.write(command);
    return new WriteResult({ nRemoved: toNumber(reply["n"]), ...writeFailure(reply) });
  }

  group(): never {
    throw new MongoshUnimplementedError("group() was removed in MongoDB 4.2: use aggregate() with $group");
  }
  copyTo(): never {
    throw new MongoshUnimplementedError("copyTo() was removed in MongoDB 4.2: use aggregate() with $out");
  }
}
