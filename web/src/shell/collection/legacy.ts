/**
 * The names of the legacy shell: insert, update, save, remove, group and their friends.
 *
 * Invariant: these give `WriteResult`s where the write was done, and throw mongosh's errors where it was not:
 * `MongoBulkWriteError` for an insert, `MongoServerError` for an update or a removal.
 */
import { MongoshInvalidInputError, MongoshUnimplementedError, type Document } from "../errors.ts";
import { isAcknowledged } from "../host.ts";
import { LegacyBulkWriteResult, WriteResult } from "../results.ts";
import { runBulk } from "../bulk.ts";
import { AdministrableCollection } from "./admin.ts";
import { asFilter, isPlain, withId } from "./base.ts";
import { toNumber } from "./read.ts";

export class Collection extends AdministrableCollection {
  insert(documents: unknown, options: Document = {}): unknown {
    this.need("insert", documents);
    const isList = Array.isArray(documents);
    const list: readonly unknown[] = isList ? documents : [documents];
    const operations = list.map((document) => ({ kind: "insert" as const, statement: withId(document) }));
    const { acknowledged, insertedCount: nInserted } = runBulk(
      this.connection,
      this.getDB().getName(),
      this.getName(),
      operations,
      options,
    );
    if (!acknowledged) return new WriteResult({});
    if (!isList) return new WriteResult({ nInserted });
    return new LegacyBulkWriteResult(nInserted);
  }

  /** `update(filter, change, upsert, multi)` or `update(filter, change, { upsert, multi, … })`. */
  update(filter: unknown, update: unknown, options: Document | boolean = {}, multi = false): WriteResult {
    this.need("update", filter, update);
    const given: Document = typeof options === "boolean" ? { upsert: options, multi } : options;
    const { writeConcern, ...statement } = given;
    const command: Document = { update: this.getName(), updates: [{ q: asFilter(filter), u: update, ...statement }] };
    if (writeConcern !== undefined) command["writeConcern"] = writeConcern;
    const reply = this.checkWrite(this.write(command), { q: filter, u: update });
    if (!isAcknowledged(command)) return new WriteResult({});
    const upserted = (reply["upserted"] as readonly Document[] | undefined)?.[0];
    return new WriteResult({
      nMatched: toNumber(reply["n"]) - (upserted === undefined ? 0 : 1),
      nUpserted: upserted === undefined ? 0 : 1,
      nModified: toNumber(reply["nModified"]),
      ...(upserted === undefined ? {} : { _id: upserted["_id"] }),
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
    const command: Document = {
      delete: this.getName(),
      deletes: [{ q: asFilter(filter), limit: justOne ? 1 : 0, ...statement }],
    };
    if (writeConcern !== undefined) command["writeConcern"] = writeConcern;
    const reply = this.checkWrite(this.write(command), { q: filter });
    return new WriteResult(isAcknowledged(command) ? { nRemoved: toNumber(reply["n"]) } : {});
  }

  group(): never {
    throw new MongoshUnimplementedError("group() was removed in MongoDB 4.2: use aggregate() with $group");
  }
  copyTo(): never {
    throw new MongoshUnimplementedError("copyTo() was removed in MongoDB 4.2: use aggregate() with $out");
  }
}
