/** The remaining BSON types of the shell: small holders with js-bson's `_bsontype` tags. */
import { Long } from "./numbers.ts";

/** Seconds and an ordinal within the second, as the oplog uses it. */
export class Timestamp {
  readonly _bsontype = "Timestamp";
  readonly t: number;
  readonly i: number;
  constructor(first?: unknown, ordinal?: number) {
    if (typeof first === "object" && first !== null && "t" in first && "i" in first) {
      this.t = Number(first.t) >>> 0;
      this.i = Number(first.i) >>> 0;
    } else if (first instanceof Long || typeof first === "bigint") {
      const long = new Long(first);
      this.t = long.high >>> 0;
      this.i = long.low >>> 0;
    } else {
      this.t = Number(first ?? 0) >>> 0;
      this.i = Number(ordinal ?? 0) >>> 0;
    }
  }
  /** The halves of the 64 bits, as int32. */
  get low(): number {
    return this.i | 0;
  }
  get high(): number {
    return this.t | 0;
  }
  getHighBits(): number {
    return this.t;
  }
  getLowBits(): number {
    return this.i;
  }
  toString(): string {
    return ((BigInt(this.t) << 32n) | BigInt(this.i)).toString();
  }
  toJSON(): { $timestamp: string } {
    return { $timestamp: this.toString() };
  }
}

/** Less than every other value. */
export class MinKey {
  readonly _bsontype = "MinKey";
  /** The value of the class itself in a document: a script may have left out the parentheses, as in `{ a: MinKey }`. */
  static toBSON(): MinKey {
    return new MinKey();
  }
  toJSON(): object {
    return {};
  }
}

export class MaxKey {
  readonly _bsontype = "MaxKey";
  static toBSON(): MaxKey {
    return new MaxKey();
  }
  toJSON(): object {
    return {};
  }
}

/** A reference to a document: a collection, an id and maybe a database. */
export class DBRef {
  readonly _bsontype = "DBRef";
  readonly collection: string;
  readonly oid: unknown;
  readonly db: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  constructor(collection: string, oid: unknown, db?: string, fields: Record<string, unknown> = {}) {
    this.collection = collection;
    this.oid = oid;
    this.db = db;
    this.fields = fields;
  }
  get $ref(): string {
    return this.collection;
  }
  get $id(): unknown {
    return this.oid;
  }
  get $db(): string | undefined {
    return this.db;
  }
  toJSON(): object {
    return {
      $ref: this.collection,
      $id: this.oid,
      ...this.fields,
      ...(this.db === undefined ? {} : { $db: this.db }),
    };
  }
}

/** A reference of a kind that is long deprecated: functions may make one. */
export class DBPointer {
  readonly _bsontype = "DBPointer";
  readonly ns: string;
  readonly id: unknown;
  constructor(ns: string, id: unknown) {
    this.ns = ns;
    this.id = id;
  }
}

/** JavaScript code stored as a value, maybe with a scope. */
export class Code {
  readonly _bsontype = "Code";
  readonly code: string;
  readonly scope: Readonly<Record<string, unknown>> | null;
  constructor(code: unknown, scope: Record<string, unknown> | null = null) {
    this.code = String(code);
    this.scope = scope;
  }
  toJSON(): object {
    return this.scope === null ? { code: this.code } : { code: this.code, scope: this.scope };
  }
}

/** The deprecated symbol type. */
export class BSONSymbol {
  readonly _bsontype = "BSONSymbol";
  readonly value: string;
  constructor(value: unknown) {
    this.value = String(value);
  }
  valueOf(): string {
    return this.value;
  }
  toString(): string {
    return this.value;
  }
  toJSON(): string {
    return this.value;
  }
}

/** A regular expression whose pattern or options JavaScript cannot hold. */
export class BSONRegExp {
  readonly _bsontype = "BSONRegExp";
  readonly pattern: string;
  readonly options: string;
  constructor(pattern: string, options = "") {
    this.pattern = pattern;
    this.options = [...options].sort().join("");
  }
  toJSON(): object {
    return { pattern: this.pattern, options: this.options };
  }
}
