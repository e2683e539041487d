/**
 * The names a script finds: `db`, the BSON types, `print`, `use`, `show`, `it`, `clock` and the rest.
 *
 * Invariant: they live in one scope object, not in the realm's globals, so that a script can neither break the
 * prelude by redefining them nor, in Node, leave anything behind.
 */
import { isDate } from "../codec/brand.ts";
import { Binary, UUID } from "./bson/binary.ts";
import { Decimal128 } from "./bson/decimal128.ts";
import { Double, Int32, Long } from "./bson/numbers.ts";
import { ObjectId } from "./bson/object-id.ts";
import { BSONRegExp, BSONSymbol, Code, DBRef, MaxKey, MinKey, Timestamp } from "./bson/special.ts";
import { administration } from "./administration.ts";
import { sessionNames } from "./script-names.ts";
import { makeAssert } from "./assert.ts";
import { bsonsize } from "./bson-size.ts";
import { now, offset, parseDuration, setOffset, virtualDate } from "./clock.ts";
import { tableOf } from "./console-table.ts";
import { BaseCursor, sleep } from "./cursor.ts";
import { Database } from "./database.ts";
import { MongoServerError, MongoshInvalidInputError, MongoshUnimplementedError } from "./errors.ts";
import { SHELL_TEXT, formatTop } from "./format.ts";
import { cursorHelp, collectionHelp, databaseHelp, shellHelp } from "./help.ts";
import { hexMd5 } from "./md5.ts";
import { makeQuire } from "./moments.ts";
import { Mongo } from "./mongo.ts";
import { type EjsonOptions, parseEjson, stringifyEjson } from "./relaxed.ts";
import { legacyJson } from "./results.ts";
import { ShellText, show } from "./show.ts";
import type { Shell } from "./shell.ts";
import { Collection } from "./collection/legacy.ts";

export type Scope = Record<string, unknown>;

const callables = new WeakMap<object, object>();

/** A class that may be called without `new`, as scripts do; the constructor of its instances. */
export function callable<Class extends new (...parts: never[]) => object>(type: Class): Class {
  const known = callables.get(type) as Class | undefined;
  if (known !== undefined) return known;
  const made = new Proxy(type, { apply: (target, _this, parts) => Reflect.construct(target, parts) as object });
  constructs(made);
  callables.set(type, made);
  return made;
}

/** Makes a function the `constructor` of the instances that have its prototype. */
export function constructs(made: { readonly prototype: object }): void {
  Object.defineProperty(made.prototype, "constructor", { value: made, writable: true, configurable: true });
}

/** A function of one value that makes instances of a class, with `new` and without. */
function maker(name: string, type: { new (value?: never): object; readonly prototype: object }): Scope[string] {
  function make(value?: unknown): object {
    return new type(value as never);
  }
  return Object.defineProperties(make, { name: { value: name }, prototype: { value: type.prototype } });
}

const DAY = /(\d{4})-?(\d\d)-?(\d\d)/;
const TIME = /(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,3})\d*)?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?/;
const ISO_DATE = new RegExp(`^${DAY.source}(?:[T ]${TIME.source})?$`);

function isoDate(value?: unknown): Date {
  if (value === undefined) return new Date(now());
  if (typeof value === "object" && value !== null && isDate(value)) return new Date(value.getTime());
  if (typeof value === "number") return new Date(value);
  const text = String(value).trim();
  const parts = ISO_DATE.exec(text);
  if (parts === null) throw new MongoshInvalidInputError(`"${text}" is not a valid ISODate`);
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "0", zone = "Z"] = parts;
  const shift = zone === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}${shift}`);
  if (Number.isNaN(date.getTime())) throw new MongoshInvalidInputError(`"${text}" is not a valid ISODate`);
  return date;
}

/** The BSON types' classes and makers. */
export function bsonTypes(): Scope {
  return {
    ObjectId: callable(ObjectId),
    ObjectID: callable(ObjectId),
    ISODate: isoDate,
    Date: virtualDate(),
    NumberInt: maker("NumberInt", Int32),
    Int32: callable(Int32),
    NumberLong: maker("NumberLong", Long),
    Long: callable(Long),
    NumberDecimal: maker("NumberDecimal", Decimal128),
    Decimal128: callable(Decimal128),
    Double: callable(Double),
    UUID: callable(UUID),
    BinData: (subType: number, text: string) => {
      if (typeof subType !== "number" || typeof text !== "string")
        throw new MongoshInvalidInputError("BinData takes a subtype and a base64 text");
      return new Binary(text, subType);
    },
    HexData: (subType: number, text: string) => Binary.createFromHexString(text, subType),
    MD5: (text: string) => Binary.createFromHexString(text, 5),
    Binary: callable(Binary),
    Timestamp: callable(Timestamp),
    MinKey: callable(MinKey),
    MaxKey: callable(MaxKey),
    DBRef: callable(DBRef),
    Code: callable(Code),
    BSONSymbol: callable(BSONSymbol),
    BSONRegExp: callable(BSONRegExp),
    EJSON: {
      stringify: stringifyEjson,
      parse: parseEjson,
      serialize: (value: unknown, options?: EjsonOptions) => JSON.parse(stringifyEjson(value, options)) as unknown,
      deserialize: (value: unknown, options?: EjsonOptions) => parseEjson(JSON.stringify(value), options),
    },
  };
}

function clock(shell: Shell): Scope {
  const command = (fields: Scope): Date => {
    const reply = shell.connection.run("admin", { quireClock: 1, ...fields });
    const moved = reply["offsetMillis"];
    setOffset(Number(moved));
    return new Date(now());
  };
  return {
    advance: (duration: unknown) => command({ advanceMillis: new Long(parseDuration(duration)) }),
    reset: () => command({ reset: true }),
    now: () => new Date(now()),
    offset: () => offset(),
  };
}

function unavailable(name: string, why: string): () => never {
  return () => {
    throw new MongoshUnimplementedError(`${name}() is not available: ${why}`);
  };
}

function printing(shell: Shell): Scope {
  const print = (...values: unknown[]): void => shell.print(values.map((value) => formatTop(value)).join(" "));
  return {
    print,
    printjson: print,
    printjsononeline: print,
    tojson: legacyJson,
    tojsononeline: legacyJson,
    console: {
      log: print,
      info: print,
      warn: print,
      error: print,
      debug: print,
      table: (data: unknown, columns?: readonly string[]) => print(tableOf(data, columns) ?? data),
    },
  };
}

/** A new scope for a shell. */
export function makeScope(shell: Shell): Scope {
  const scope = Object.create(null) as Scope;
  const names: Scope = {
    ...bsonTypes(),
    ...printing(shell),
    use: (name: unknown) => new ShellText(shell.use(name)),
    show: (words: unknown) => show(shell.database, words),
    it: () => shell.more(),
    help: () => shellHelp(),
    version: () => shell.database.version(),
    sleep: (millis: unknown) => sleep(shell.connection.host, Number(millis)),
    clock: clock(shell),
    quire: makeQuire(shell),
    bsonsize: (document: unknown) => bsonsize(shell.connection.numbersAsDouble, document),
    assert: makeAssert(),
    doassert: (message: unknown) => {
      throw new Error(String(message));
    },
    hex_md5: (text: unknown) => hexMd5(String(text)),
    ...sessionNames(shell),
    require: unavailable("require", "a script here cannot load modules"),
    cls: () => undefined,
    isInteractive: () => true,
    MongoServerError,
  };
  for (const [name, value] of Object.entries(names)) {
    Object.defineProperty(scope, name, { value, writable: true, configurable: true, enumerable: false });
  }
  Object.defineProperty(scope, "db", {
    get: () => shell.database,
    set: (value: unknown) => {
      if (!(value instanceof Database)) throw new MongoshInvalidInputError("Cannot reassign 'db' to non-Database type");
      shell.database = value;
    },
    configurable: true,
  });
  return scope;
}

for (const [name, value] of Object.entries(administration))
  Object.defineProperty(Database.prototype, name, { value, writable: true, configurable: true });

/** `help()` methods, added here so that the classes do not depend on their texts. */
Object.defineProperties(Database.prototype, { help: { value: databaseHelp, writable: true, configurable: true } });
Object.defineProperties(Collection.prototype, { help: { value: collectionHelp, writable: true, configurable: true } });
Object.defineProperties(BaseCursor.prototype, { help: { value: cursorHelp, writable: true, configurable: true } });
Object.defineProperties(Mongo.prototype, { help: { value: shellHelp, writable: true, configurable: true } });
Object.assign(shellHelp, { [SHELL_TEXT]: () => shellHelp().toString() });
