/**
 * Text as values: JSON, Extended JSON of both versions, and what the shells print (`{ _id: ObjectId("…") }`).
 *
 * Invariants: no value is altered in silence: a number keeps its digits and its type (`5.0` is a double, whole numbers
 * are int32 or int64), and fields keep their order. What cannot be kept is a `TextFault` at its own place.
 */
import { Double, Int32, type Document } from "bson";
import { CALLS, integer, olderPattern, REFUSED, referenceOf, WORDINGS } from "./extended-values.ts";

/** A mistake inside a document; the words for it are in the message tables. */
export type ValueFault =
  /** A character or word that cannot stand there. */
  | "unexpected"
  /** A value of Extended JSON or a call of the shells' that is written otherwise; `right` shows how. */
  | "wording"
  /** A name beside the one that tells a value of Extended JSON. */
  | "beside"
  /** A number that no type holds with all its digits. */
  | "wide"
  /** A document has two fields of one name. */
  | "twice"
  /** A name with a zero in it cannot be a field's. */
  | "name"
  /** Documents and arrays are nested deeper than BSON allows. */
  | "deep";

/** The mistake, the place in the text where it begins, and the text that it is about. */
export class TextFault extends Error {
  constructor(
    readonly fault: ValueFault,
    readonly at: number,
    readonly shown: string,
    /** The way in which it would be right; empty where there is none to show. */
    readonly right = "",
  ) {
    super(`${fault} at ${at}: ${shown}`);
  }
}

const MAX_DEPTH = 180;
const SPACE = /[\s\ufeff]*/y;
const PLAIN_STRING = /"([^"\\\u0000-\u001f]*)"/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SINGLE_QUOTED = /'((?:[^'\\\u0000-\u001f]|\\(?:['"\\/bfnrtv0]|x[\da-fA-F]{2}|u[\da-fA-F]{4}))*)'/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/g;
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" };
const NUMBER = /[+-]?(?:0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])/y;
const SIGNED_WORD = /[+-](?:Infinity|NaN)\b/y;
const WORD = /[A-Za-z_$][\w$]*(?:\.[A-Za-z]\w*)?/y;
const NAME = /[A-Za-z_$][\w$]*|\d+/y;
const PATTERN = /\/((?:[^/\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*\])+)\/([a-z]*)/y;
/** Names that JavaScript puts before all others. */
const INDEX = /^(?:0|[1-9]\d*)$/;
const KEPT = 60;

/** A document of these fields: an object, or, where JavaScript would put its fields in another order, a `Map`. */
export function asDocument(fields: ReadonlyMap<string, unknown>): Document {
  const document: Document = {};
  for (const [name, value] of fields) {
    if (INDEX.test(name)) return fields;
    if (name === "__proto__")
      Object.defineProperty(document, name, { value, writable: true, enumerable: true, configurable: true });
    else document[name] = value;
  }
  return document;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) this.#unexpected();
    return value;
  }

  #space(): void {
    this.#match(SPACE);
  }
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found !== null) this.#at = expression.lastIndex;
    return found;
  }
  #unexpected(at = this.#at): never {
    throw new TextFault("unexpected", at, this.#text.slice(at));
  }
  #fault(fault: ValueFault, from: number, right = ""): never {
    throw new TextFault(fault, from, this.#text.slice(from, this.#at), right);
  }
  /** Takes a sign if it comes next. */
  #takes(sign: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): unknown {
    this.#space();
    const from = this.#at;
    switch (this.#text[from]) {
      case "{":
        return this.#document(depth + 1);
      case "[":
        return this.#array(depth + 1);
      case '"':
      case "'":
        return this.#string();
      case "/": {
        const found = this.#match(PATTERN) ?? this.#unexpected();
        return this.#called("RegExp", [found[1], found[2]], from);
      }
    }
    const number = this.#match(NUMBER);
    if (number !== null) return this.#number(number[0], from);
    const signed = this.#match(SIGNED_WORD);
    if (signed !== null) return new Double(Number(signed[0]));
    return this.#word(depth);
  }

  #string(): string {
    const plain = this.#match(PLAIN_STRING);
    if (plain !== null) return plain[1] as string;
    const escaped = this.#match(STRING);
    if (escaped !== null) return JSON.parse(escaped[0]) as string;
    const single = this.#match(SINGLE_QUOTED) ?? this.#unexpected();
    return (single[1] as string).replace(ESCAPE, (_, two?: string, four?: string, one?: string) => {
      const digits = two ?? four;
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
      return ESCAPED[one as string] ?? (one as string);
    });
  }

  #number(text: string, from: number): unknown {
    const isHex = /^[+-]?0x/i.test(text);
    if (!isHex && /[.eE]/.test(text)) {
      const number = Number(text);
      if (!Number.isFinite(number)) this.#fault("wide", from);
      return Number.isInteger(number) ? new Double(number) : number;
    }
    if (text === "-0") return new Double(-0);
    const digits = isHex ? `${text.startsWith("-") ? "-" : ""}${BigInt(text.replace(/^[+-]/, ""))}` : text;
    const whole = integer(digits);
    if (whole !== null) return whole;
    // What JavaScript writes of a double comes back as that double.
    if (String(Number(digits)) === digits) return new Double(Number(digits));
    return this.#fault("wide", from, `{"$numberDecimal": "${digits.slice(0, 34)}"}`);
  }

  #word(depth: number): unknown {
    const from = this.#at;
    let word = (this.#match(WORD) ?? this.#unexpected())[0];
    switch (word) {
      case "true":
        return true;
      case "false":
        return false;
      case "null":
      case "undefined":
        return null;
      case "NaN":
      case "Infinity":
        return new Double(Number(word));
      case "new":
        this.#space();
        word = this.#match(WORD)?.[0] ?? "";
    }
    if (!Object.hasOwn(CALLS, word)) this.#unexpected(from);
    const given: unknown[] = [];
    if (this.#takes("(") && !this.#takes(")")) {
      do given.push(this.#value(depth + 1));
      while (this.#takes(","));
      if (!this.#takes(")")) this.#unexpected();
    }
    return this.#called(word, given, from);
  }
  #called(name: string, given: readonly unknown[], from: number): unknown {
    const value = CALLS[name]?.(given);
    return value === REFUSED ? this.#fault("wording", from) : value;
  }

  #array(depth: number): unknown[] {
    const from = this.#at;
    this.#at += 1;
    if (depth > MAX_DEPTH) this.#fault("deep", from);
    const items: unknown[] = [];
    if (this.#takes("]")) return items;
    do items.push(this.#value(depth));
    while (this.#takes(","));
    if (!this.#takes("]")) this.#unexpected();
    return items;
  }

  #document(depth: number): unknown {
    const from = this.#at;
    this.#at += 1;
    if (depth > MAX_DEPTH) this.#fault("deep", from);
    const fields = new Map<string, unknown>();
    let isWorded = false;
    if (!this.#takes("}")) {
      do {
        this.#space();
        const place = this.#at;
        const quote = this.#text[place];
        const name = quote === '"' || quote === "'" ? this.#string() : (this.#match(NAME) ?? this.#unexpected())[0];
        if (fields.has(name)) this.#fault("twice", place);
        if (name.includes("\0")) this.#fault("name", place);
        if (!this.#takes(":")) this.#unexpected();
        fields.set(name, this.#value(depth));
        isWorded ||= name.startsWith("$");
      } while (this.#takes(","));
      if (!this.#takes("}")) this.#unexpected();
    }
    const worded = isWorded ? this.#worded(fields, from) : undefined;
    if (worded !== undefined) return worded;
    return asDocument(fields);
  }

  /** The value that a document words; undefined where it is a document. */
  #worded(fields: ReadonlyMap<string, unknown>, from: number): unknown {
    for (const name of fields.keys()) {
      const wording = Object.hasOwn(WORDINGS, name) ? WORDINGS[name] : undefined;
      if (wording === undefined) continue;
      const other = [...fields.keys()].find((one) => one !== name && wording.beside?.includes(one) !== true);
      if (other !== undefined) this.#fault("beside", from, name);
      const value = wording.value(fields.get(name), fields);
      return value === REFUSED ? this.#fault("wording", from, wording.written) : value;
    }
    const pattern = fields.has("$regex") ? olderPattern(fields) : undefined;
    if (pattern === REFUSED) this.#fault("wording", from, '{"$regex": "text", "$options": "i"}');
    return pattern ?? referenceOf(fields);
  }
}

/** Whether a value that was read is a document. */
export function isDocument(value: unknown): value is Document {
  if (value instanceof Map) return true;
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The value of a text; throws `TextFault`. A document whose names are numbers is a `Map`, which keeps their order. */
export function readExtended(text: string): unknown {
  return new Reader(text).whole();
}

/** As `readExtended`, with numbers as values of js-bson's, so that a view can tell their types. */
export function readTyped(text: string): unknown {
  return typed(readExtended(text));
}

function typed(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? new Int32(value) : new Double(value);
  if (Array.isArray(value)) return value.map(typed);
  if (!isDocument(value)) return value;
  const parts = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return asDocument(new Map(parts.map(([name, part]) => [name, typed(part)])));
}

/** A text of a mistake, short enough to be shown. */
export function shortly(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? "";
  return line.length > KEPT ? `${line.slice(0, KEPT)}…` : line;
}
