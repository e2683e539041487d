/** Reading methods of a collection: find, aggregate, count, distinct, explain. */
import { AggregationCursor, Cursor, withSort } from "../cursor.ts";
import { MongoInvalidArgumentError, type Document } from "../errors.ts";
import { omit, pick } from "../host.ts";
import { Long } from "../bson/numbers.ts";
import { CollectionBase, asFilter } from "./base.ts";

/** Options of the driver's `find` which are fields of the command under the same name. */
const FIND_FIELDS = [
  "sort",
  "projection",
  "skip",
  "limit",
  "hint",
  "comment",
  "collation",
  "maxTimeMS",
  "min",
  "max",
  "returnKey",
  "showRecordId",
  "let",
  "allowDiskUse",
  "allowPartialResults",
  "noCursorTimeout",
  "tailable",
  "awaitData",
  "readConcern",
  "singleBatch",
] as const;

/** A count as a plain number: the driver promotes it. */
export function toNumber(value: unknown): number {
  return value instanceof Long ? value.toNumber() : Number(value ?? 0);
}

export class ReadableCollection extends CollectionBase {
  protected findCommand(filter: unknown, projection: unknown, options: Document = {}): Document {
    const command: Document = { find: this.getName(), filter: asFilter(filter) };
    if (projection !== undefined && projection !== null) command["projection"] = projection;
    Object.assign(command, withSort(pick(options, FIND_FIELDS)));
    return Object.assign(command, omit(options, [...FIND_FIELDS, "batchSize", "maxAwaitTimeMS"]));
  }

  find(filter?: unknown, projection?: unknown, options: Document = {}): Cursor {
    const cursor = new Cursor(
      this.connection,
      this.getDB().getName(),
      this.getName(),
      this.findCommand(filter, projection, options),
    );
    if (options["batchSize"] !== undefined) cursor.batchSize(Number(options["batchSize"]));
    if (options["maxAwaitTimeMS"] !== undefined) cursor.maxAwaitTimeMS(Number(options["maxAwaitTimeMS"]));
    return cursor;
  }

  findOne(filter?: unknown, projection?: unknown, options: Document = {}): unknown {
    const reply = this.run({ ...this.findCommand(filter, projection, options), limit: 1, singleBatch: true });
    return (reply["cursor"] as { firstBatch: unknown[] }).firstBatch[0] ?? null;
  }

  /** Takes an array of stages and options, or, as the legacy shell did, the stages one by one. */
  aggregate(...parts: readonly unknown[]): AggregationCursor | Document {
    const isList = Array.isArray(parts[0]) || parts.length === 0;
    const pipeline = isList ? ((parts[0] ?? []) as unknown[]) : [...parts];
    const options = (isList ? (parts[1] ?? {}) : {}) as Document;
    const fields = omit(options, ["cursor", "batchSize", "explain", "writeConcern"]);
    const command: Document = {
      aggregate: this.getName(),
      pipeline,
      cursor: {},
      ...fields,
      ...pick(options, ["writeConcern"]),
    };
    const cursor = new AggregationCursor(this.connection, this.getDB().getName(), this.getName(), command);
    const size = options["batchSize"] ?? (options["cursor"] as Document | undefined)?.["batchSize"];
    if (size !== undefined) cursor.batchSize(Number(size));
    if (options["explain"]) return cursor.explain(options["explain"] === true ? "queryPlanner" : options["explain"]);
    const last = pipeline.at(-1);
    // A pipeline that writes runs at once, whether or not anybody reads its empty result.
    if (typeof last === "object" && last !== null && ("$out" in last || "$merge" in last)) cursor.hasNext();
    return cursor;
  }

  countDocuments(filter: unknown = {}, options: Document = {}): number {
    const pipeline: Document[] = [{ $match: asFilter(filter) }];
    if (options["skip"] !== undefined) pipeline.push({ $skip: options["skip"] });
    if (options["limit"] !== undefined) pipeline.push({ $limit: options["limit"] });
    pipeline.push({ $group: { _id: 1, n: { $sum: 1 } } });
    const reply = this.run({ aggregate: this.getName(), pipeline, cursor: {}, ...omit(options, ["skip", "limit"]) });
    const first = (reply["cursor"] as { firstBatch: Document[] }).firstBatch[0];
    return toNumber(first?.["n"]);
  }

  estimatedDocumentCount(options: Document = {}): number {
    return toNumber(this.run({ count: this.getName(), ...options })["n"]);
  }

  count(filter?: unknown, options: Document = {}): number {
    return toNumber(this.run({ count: this.getName(), query: asFilter(filter), ...options })["n"]);
  }

  distinct(field: unknown, filter?: unknown, options: Document = {}): unknown {
    this.need("distinct", field);
    if (typeof field !== "string") throw new MongoInvalidArgumentError("the field of distinct() is a string");
    const command: Document = { distinct: this.getName(), key: field };
    if (filter !== undefined) command["query"] = filter;
    return this.run({ ...command, ...options })["values"];
  }

  exists(): unknown {
    return this.getDB().getCollectionInfos({ name: this.getName() })[0] ?? null;
  }
}
