/** Methods about the collection itself: indexes, statistics, renaming, capping. */
import { isMap } from "../../codec/brand.ts";
import { MongoServerError, MongoshInvalidInputError, MongoshUnimplementedError, type Document } from "../errors.ts";
import { omit, pick } from "../host.ts";
import { Bulk } from "../bulk.ts";
import { watch, type ChangeStreamCursor } from "../change-stream.ts";
import { Explainable } from "../explainable.ts";
import { PlanCache } from "../plan-cache.ts";
import { mapReduceCommand } from "./base.ts";
import { toNumber } from "./read.ts";
import { WritableCollection } from "./write.ts";

const INDEX_COMMAND_FIELDS = ["commitQuorum", "comment", "writeConcern", "maxTimeMS"] as const;

/** An index's default name: its keys and directions joined by `_`. */
export function indexName(key: unknown): string {
  const pairs = isMap(key as Document) ? [...(key as Map<unknown, unknown>)] : Object.entries(key as Document);
  return pairs.map(([field, direction]) => `${String(field)}_${String(direction)}`).join("_");
}

/** `"a"`, `["a", "b"]` and `{ a: 1 }` are all keys to the driver. */
function asKey(specification: unknown): unknown {
  if (typeof specification === "string") return { [specification]: 1 };
  return specification;
}

export class AdministrableCollection extends WritableCollection {
  /** An index's name, or a list of them. */
  createIndexes(specifications: unknown, options: Document = {}, quorum?: unknown): string[] {
    this.need("createIndexes", specifications);
    if (!Array.isArray(specifications))
      throw new MongoshInvalidInputError('The "keyPatterns" argument must be an array');
    const shared = omit(options, INDEX_COMMAND_FIELDS);
    const indexes = specifications.map((specification: unknown) => {
      const key = asKey(specification);
      return { key, name: indexName(key), ...shared };
    });
    const command: Document = { createIndexes: this.getName(), indexes, ...pick(options, INDEX_COMMAND_FIELDS) };
    if (quorum !== undefined) command["commitQuorum"] = quorum;
    this.run(command);
    return indexes.map((index) => String(index.name));
  }
  createIndex(key: unknown, options: Document | boolean = {}, quorum?: unknown): string {
    this.need("createIndex", key);
    const given = typeof options === "boolean" ? { unique: options } : options;
    return this.createIndexes([key], given, quorum)[0] ?? "";
  }
  ensureIndex(key: unknown, options: Document | boolean = {}): string {
    return this.createIndex(key, options);
  }
  getIndexes(): unknown[] {
    const reply = this.run({ listIndexes: this.getName(), cursor: {} });
    return (reply["cursor"] as { firstBatch: unknown[] }).firstBatch;
  }
  getIndices(): unknown[] {
    return this.getIndexes();
  }
  getIndexSpecs(): unknown[] {
    return this.getIndexes();
  }
  getIndexKeys(): unknown[] {
    return this.getIndexes().map((index) => (index as Document)["key"]);
  }
  dropIndex(index: unknown): Document {
    this.need("dropIndex", index);
    if (index === "*")
      throw new MongoshInvalidInputError(
        "To drop indexes in the collection using '*', use db.collection.dropIndexes().",
      );
    if (Array.isArray(index))
      throw new MongoshInvalidInputError(
        "The index to drop must be either the index name or the index specification document.",
      );
    return this.run({ dropIndexes: this.getName(), index });
  }
  dropIndexes(index: unknown = "*"): Document {
    return this.run({ dropIndexes: this.getName(), index });
  }
  reIndex(): Document {
    return this.run({ reIndex: this.getName() });
  }
  #setHidden(index: unknown, hidden: boolean): Document {
    const target = typeof index === "string" ? { name: index } : { keyPattern: index };
    return this.run({ collMod: this.getName(), index: { ...target, hidden } });
  }
  hideIndex(index: unknown): Document {
    this.need("hideIndex", index);
    return this.#setHidden(index, true);
  }
  unhideIndex(index: unknown): Document {
    this.need("unhideIndex", index);
    return this.#setHidden(index, false);
  }

  drop(options: Document = {}): boolean {
    try {
      this.run({ drop: this.getName(), ...options });
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 26) return false;
      throw error;
    }
  }
  renameCollection(to: unknown, dropTarget = false): Document {
    this.need("renameCollection", to);
    if (typeof to !== "string") throw new MongoshInvalidInputError("The new name of a collection is a string");
    return this.admin({ renameCollection: this.getFullName(), to: `${this.getDB().getName()}.${to}`, dropTarget });
  }
  validate(options: Document | boolean = {}): Document {
    const given = typeof options === "boolean" ? { full: options } : options;
    return this.run({ validate: this.getName(), ...given });
  }
  runCommand(command: unknown, options: Document = {}): Document {
    this.need("runCommand", command);
    if (typeof command === "string") return this.run({ [command]: this.getName(), ...options });
    return this.run(command as Document);
  }

  stats(options: Document | number = {}): Document {
    const scale = typeof options === "number" ? options : Number(options["scale"] ?? 1);
    const stats = this.run({ collStats: this.getName(), scale });
    const wanted = typeof options === "number" ? false : options["indexDetails"] === true;
    return wanted ? stats : omit(stats, ["indexDetails"]);
  }
  dataSize(): number {
    return toNumber(this.stats()["size"]);
  }
  storageSize(): number {
    return toNumber(this.stats()["storageSize"]);
  }
  totalIndexSize(): number {
    return toNumber(this.stats()["totalIndexSize"]);
  }
  totalSize(): number {
    const stats = this.stats();
    return toNumber(stats["totalSize"] ?? toNumber(stats["storageSize"]) + toNumber(stats["totalIndexSize"]));
  }
  isCapped(): boolean {
    const information = this.exists() as { options?: { capped?: boolean } } | null;
    return information?.options?.capped === true;
  }
  convertToCapped(size: unknown): Document {
    this.need("convertToCapped", size);
    return this.run({ convertToCapped: this.getName(), size });
  }
  latencyStats(options: Document = {}): unknown {
    return this.#collStats({ latencyStats: options });
  }
  #collStats(stage: Document): unknown {
    return (this.aggregate([{ $collStats: stage }]) as { toArray(): unknown[] }).toArray();
  }

  initializeOrderedBulkOp(): Bulk {
    return new Bulk(this.connection, this.getDB().getName(), this.getName(), true);
  }
  initializeUnorderedBulkOp(): Bulk {
    return new Bulk(this.connection, this.getDB().getName(), this.getName(), false);
  }
  explain(verbosity: unknown = "queryPlanner"): Explainable {
    return new Explainable(this.connection, this, verbosity);
  }
  /** Deprecated: a pipeline does the same. Gives the server's reply, as mongosh does. */
  mapReduce(map: unknown, reduce: unknown, options: unknown): unknown {
    return this.run(mapReduceCommand(this.getName(), map, reduce, options));
  }
  /** A change stream over the collection. */
  watch(pipeline?: unknown, options?: Document): ChangeStreamCursor {
    const { connection } = this;
    const database = this.getDB().getName();
    const collection = this.getName();
    return watch({ connection, database, collection, on: `${database}.${collection}` }, pipeline, options);
  }
  getPlanCache(): PlanCache {
    return new PlanCache(this);
  }
  getShardDistribution(): never {
    throw new MongoshUnimplementedError("getShardDistribution() is not available: there are no shards");
  }
}
