/**
 * Results of writes: plain objects for mongosh's methods, `WriteResult({ … })` for the legacy names.
 *
 * Invariant: a legacy result words itself in the legacy shell's JSON (`"nInserted" : 1`). It is that of a write that
 * was done, since one that failed throws: its questions for errors are there for scripts that ask them.
 */
import { Binary, UUID } from "./bson/binary.ts";
import { Decimal128 } from "./bson/decimal128.ts";
import { Long } from "./bson/numbers.ts";
import { ObjectId } from "./bson/object-id.ts";
import { Timestamp } from "./bson/special.ts";
import type { Document } from "./errors.ts";
import { SHELL_TEXT } from "./format.ts";

/** The legacy shell's JSON on one line: `{ "a" : 1, "b" : [ 1, 2 ] }`. */
export function legacyJson(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "[ ]" : `[ ${value.map(legacyJson).join(", ")} ]`;
  if (value instanceof Date) return `ISODate("${value.toISOString()}")`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof ObjectId) return `ObjectId("${value.toHexString()}")`;
  if (value instanceof Long)
    return `NumberLong(${Number.isSafeInteger(value.toNumber()) ? value.toString() : `"${value.toString()}"`})`;
  if (value instanceof Decimal128) return `NumberDecimal("${value.toString()}")`;
  if (value instanceof UUID) return `UUID("${value.toHexString()}")`;
  if (value instanceof Binary) return `BinData(${value.sub_type},"${value.base64()}")`;
  if (value instanceof Timestamp) return `Timestamp(${value.t}, ${value.i})`;
  if (typeof value === "object") {
    const worded = (value as { [SHELL_TEXT]?: () => string })[SHELL_TEXT];
    if (typeof worded === "function") return worded.call(value);
    if ("valueOf" in value && typeof value.valueOf() === "number") return String(value.valueOf());
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)} : ${legacyJson(member)}`);
    return members.length === 0 ? "{ }" : `{ ${members.join(", ")} }`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The legacy result of one write. */
export class WriteResult {
  readonly #members: Document;
  constructor(members: Document) {
    this.#members = members;
  }
  get nInserted(): number {
    return Number(this.#members["nInserted"] ?? 0);
  }
  get nMatched(): number {
    return Number(this.#members["nMatched"] ?? 0);
  }
  get nModified(): number {
    return Number(this.#members["nModified"] ?? 0);
  }
  get nUpserted(): number {
    return Number(this.#members["nUpserted"] ?? 0);
  }
  get nRemoved(): number {
    return Number(this.#members["nRemoved"] ?? 0);
  }
  getUpsertedId(): unknown {
    return this.#members["_id"] === undefined ? null : { index: 0, _id: this.#members["_id"] };
  }
  hasWriteError(): boolean {
    return this.#members["writeError"] !== undefined;
  }
  getWriteError(): unknown {
    return this.#members["writeError"] ?? null;
  }
  hasWriteConcernError(): boolean {
    return this.#members["writeConcernError"] !== undefined;
  }
  getWriteConcernError(): unknown {
    return this.#members["writeConcernError"] ?? null;
  }
  toJSON(): Document {
    return this.#members;
  }
  toString(): string {
    return this[SHELL_TEXT]();
  }
  [SHELL_TEXT](): string {
    return `WriteResult(${legacyJson(this.#members)})`;
  }
}

/** The legacy result of inserting several documents. */
export class LegacyBulkWriteResult {
  readonly #members: Document;
  /**
   * Of a batch that was done: one that failed is thrown as `MongoBulkWriteError`, whose `result` tells the failures.
   */
  constructor(nInserted: number) {
    this.#members = {
      writeErrors: [],
      writeConcernErrors: [],
      nInserted,
      nUpserted: 0,
      nMatched: 0,
      nModified: 0,
      nRemoved: 0,
      upserted: [],
    };
  }
  get nInserted(): number {
    return this.#members["nInserted"] as number;
  }
  get nUpserted(): number {
    return 0;
  }
  get nMatched(): number {
    return 0;
  }
  get nModified(): number {
    return 0;
  }
  get nRemoved(): number {
    return 0;
  }
  getUpsertedIds(): unknown {
    return this.#members["upserted"];
  }
  getUpsertedIdAt(index: number): unknown {
    return (this.#members["upserted"] as readonly unknown[])[index];
  }
  hasErrors(): boolean {
    return this.hasWriteErrors() || this.hasWriteConcernError();
  }
  hasWriteErrors(): boolean {
    return this.getWriteErrorCount() > 0;
  }
  getWriteErrorCount(): number {
    return this.getWriteErrors().length;
  }
  getWriteErrorAt(index: number): unknown {
    return this.getWriteErrors()[index] ?? null;
  }
  getWriteErrors(): readonly unknown[] {
    return this.#members["writeErrors"] as readonly unknown[];
  }
  hasWriteConcernError(): boolean {
    return this.getWriteConcernError() !== null;
  }
  getWriteConcernError(): unknown {
    return (this.#members["writeConcernErrors"] as readonly unknown[])[0] ?? null;
  }
  getRawResponse(): Document {
    return this.#members;
  }
  toJSON(): Document {
    return this.#members;
  }
  toString(): string {
    return this[SHELL_TEXT]();
  }
  [SHELL_TEXT](): string {
    const lines = Object.entries(this.#members).map(
      ([key, member]) => `\t${JSON.stringify(key)} : ${legacyJson(member)}`,
    );
    return `BulkWriteResult({\n${lines.join(",\n")}\n})`;
  }
}

/** The counts of a batch that succeeded: a plain object, as mongosh shows it. */
export interface BulkOutcome extends Document {
  acknowledged: boolean;
  insertedCount: number;
  readonly insertedIds: Record<string, unknown>;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  upsertedCount: number;
  readonly upsertedIds: Record<string, unknown>;
}
