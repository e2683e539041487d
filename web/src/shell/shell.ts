/**
 * One shell: a scope, a current database, and the evaluation of scripts.
 *
 * Invariant: `evaluate` never throws a script's error; it gives the outcome with the error in it.
 */
import { isDate, isPlain, isRegExp } from "../codec/brand.ts";
import { BaseCursor, ExplainableCursor, OpenedCursor } from "./cursor.ts";
import type { Database } from "./database.ts";
import { parse, stringify } from "./ejson.ts";
import { detailOf } from "./error-detail.ts";
import {
  MongoServerError,
  MongoshInvalidInputError,
  MongoshUnimplementedError,
  errorText,
  type Document,
} from "./errors.ts";
import { SHELL_TEXT, formatTop } from "./format.ts";
import { ScriptEnd } from "./script-names.ts";
import { makeScope, type Scope } from "./globals.ts";
import { Long } from "./bson/numbers.ts";
import { Connection, type ErrorPlace, type ShellHost } from "./host.ts";
import { Mongo } from "./mongo.ts";
import {
  ScriptSyntaxError,
  originalColumn,
  wordAsV8,
  type RewriteOutcome,
  type Rewritten,
  type StatementPlace,
} from "./rewritten.ts";
import { ShellText } from "./show.ts";

export interface EvaluateOptions {
  /** Makes this database current first. */
  readonly database?: string;
  readonly numbersAsDouble?: boolean;
  /** Documents of a first batch, and after `it`. Default 20. */
  readonly batchSize?: number;
  /** Forgets the names that earlier scripts declared. */
  readonly fresh?: boolean;
  /** The name of a set of declared names: scripts with the same word here see one another's. */
  readonly names?: string;
  /** Gives every value as text, cursors run and printed as mongosh prints them. */
  readonly asText?: boolean;
}

/** A script whose statements tell their ends. */
interface Followed {
  readonly places: readonly StatementPlace[];
  readonly unshown: ReadonlySet<number>;
  /** How many have ended. */
  ended: number;
  /** The value of the last statement inside the block, loop or the like that is under way. */
  inner: unknown;
  /** The error of a cursor that was run because its statement ended. */
  failure: Error | null;
}

/** A script's value on its way out of the sandbox; `json` and `command` are canonical Extended JSON. */
export type EvaluatedValue =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly json: string }
  /** The host took the value itself. */
  | { readonly kind: "shown" }
  | { readonly kind: "cursor"; readonly command: string };

export interface EvaluatedError {
  readonly name: string;
  readonly message: string;
  readonly text: string;
  readonly code: number | null;
  readonly codeName: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /**
   * The server's facts on a duplicate key or an invalid document, as canonical Extended JSON; absent for any other
   * error.
   */
  readonly detail?: string;
}

export interface Evaluated {
  readonly value: EvaluatedValue;
  readonly error: EvaluatedError | null;
  readonly database: string;
}

/** Evaluates code inside a scope: sloppy and direct, so that declarations and free names meet the scope. */
const evaluateIn = new Function("with(arguments[0]){return eval(arguments[1])}") as (
  scope: Scope,
  code: string,
) => unknown;

let scripts = 0;

/** The realm's own function, taken before any script could replace it. */
const toJson = JSON.stringify;

export class Shell {
  readonly connection: Connection;
  readonly mongo: Mongo;
  database: Database;
  readonly #rewrite: (source: string) => RewriteOutcome;
  #scope: Scope;
  /** Declared names and values, by `EvaluateOptions.names`. */
  readonly #scopes = new Map<string, Scope>();
  #lastCursor: BaseCursor | null = null;
  #followed: Followed | null = null;
  #options: EvaluateOptions = {};
  /** How many documents are shown at a time: as a script has set it, or as the host asks for. */
  #batchSize: number | null = null;
  #given = 20;

  /** `rewrite` is `rewrite.ts`'s function, here or, for the sandbox, in the worker outside. */
  constructor(host: ShellHost, rewrite: (source: string) => RewriteOutcome, database = "test") {
    this.#rewrite = rewrite;
    this.connection = new Connection(host);
    this.mongo = new Mongo(this.connection);
    this.database = this.mongo.getDB(database);
    this.#scope = this.#newScope();
    this.#scopes.set("", this.#scope);
  }

  #newScope(): Scope {
    const scope = makeScope(this);
    const hidden = { enumerable: false, configurable: false, writable: false };
    Object.defineProperty(scope, "__await$", { value: (value: unknown) => this.#settle(value), ...hidden });
    Object.defineProperty(scope, "__end$", {
      value: (number: number, ...values: readonly unknown[]) => this.#endStatement(number, values),
      ...hidden,
    });
    Object.defineProperty(scope, "__inner$", {
      value: (value: unknown) => {
        if (this.#followed !== null) this.#followed.inner = value;
        return value;
      },
      ...hidden,
    });
    Object.defineProperty(scope, "__declare$", {
      value: (functions: Scope) => Object.assign(scope, functions),
      ...hidden,
    });
    return scope;
  }

  print(text: string): void {
    this.connection.host.print(text);
  }

  /** Sets how many documents are shown at a time, in later scripts too; null: as many as the host asks for. */
  setBatchSize(size: number | null): void {
    this.#batchSize = size;
    this.connection.displayBatchSize = size ?? this.#given;
  }

  use(name: unknown): string {
    if (typeof name !== "string") throw new MongoshInvalidInputError("Missing required argument at position 0 (use)");
    const target = this.mongo.getDB(name);
    const already = target === this.database;
    this.database = target;
    return already ? `already on db ${name}` : `switched to db ${name}`;
  }

  /** Continues the last cursor shown. */
  more(): unknown {
    if (this.#lastCursor === null || this.#lastCursor.isExhausted()) return new ShellText("no cursor");
    return this.#lastCursor;
  }

  /** Takes over a cursor whose first batch the page fetched, for `it`. */
  adoptCursor(database: string, collection: string, id: string): void {
    this.#lastCursor = id === "0" ? null : new OpenedCursor(this.connection, database, collection, new Long(id));
  }

  /** The value of a promise that can be settled here and now; a plain value is itself. */
  #settle(value: unknown): unknown {
    if (typeof value !== "object" || value === null || typeof (value as { then?: unknown }).then !== "function")
      return value;
    let state: "pending" | "fulfilled" | "rejected" = "pending";
    let outcome: unknown;
    (value as PromiseLike<unknown>).then(
      (result) => {
        state = "fulfilled";
        outcome = result;
      },
      (reason: unknown) => {
        state = "rejected";
        outcome = reason;
      },
    );
    this.connection.host.runJobs?.();
    const settled = state as "pending" | "fulfilled" | "rejected";
    if (settled === "rejected") throw outcome;
    if (settled === "fulfilled") return outcome;
    throw new MongoshUnimplementedError(
      "a promise that is not yet settled cannot be awaited here: the shell's calls are synchronous",
    );
  }

  /** Hands out the value of a statement that ended; one without a value of its own has that of those inside it. */
  #endStatement(number: number, values: readonly unknown[]): unknown {
    const followed = this.#followed;
    const value = values.length > 0 ? values[0] : followed?.inner;
    // A function of an earlier script may hold a statement of that one.
    if (followed === null || followed.ended !== number) return value;
    this.connection.host.runJobs?.();
    const settled =
      value instanceof Promise && this.connection.host.runJobs !== undefined ? this.#settle(value) : value;
    const isShown = !followed.unshown.has(number);
    this.#tellStatement(number, isShown ? this.#hand(settled, this.#options) : { kind: "none" });
    followed.ended = number + 1;
    followed.inner = undefined;
    return value;
  }

  #tellStatement(number: number, value: EvaluatedValue): void {
    const answer = this.connection.host.statement?.(number, toJson(value));
    if (answer === undefined || value.kind !== "cursor") return;
    if ("failure" in answer) {
      const failure = new MongoServerError(parse(answer.failure) as Document);
      if (this.#followed !== null) this.#followed.failure = failure;
      throw failure;
    }
    this.#lastCursor?.adopt(new Long(answer.cursorId));
    if (answer.cursorId === "0") this.#lastCursor = null;
  }

  evaluate(source: string, options: EvaluateOptions = {}): Evaluated {
    this.#configure(options);
    this.#options = options;
    let rewritten: Rewritten | null = null;
    const url = `quire-script-${++scripts}.js`;
    try {
      const outcome = this.#rewrite(source);
      if ("syntaxError" in outcome) throw new ScriptSyntaxError(outcome.syntaxError, outcome.line, outcome.column);
      rewritten = outcome;
      this.#declare(rewritten);
      const { statements: places } = rewritten;
      const unshown = new Set(rewritten.unshown);
      if (places.length > 0) this.#followed = { places, unshown, ended: 0, inner: undefined, failure: null };
      let value = evaluateIn(this.#scope, `${rewritten.code}\n//# sourceURL=${url}`);
      this.connection.host.runJobs?.();
      if (value instanceof Promise && this.connection.host.runJobs !== undefined) value = this.#settle(value);
      if (this.#followed !== null) {
        if (rewritten.endsInBlock) this.#endStatement(places.length - 1, [value]);
        return { value: { kind: "none" }, error: null, database: this.database.getName() };
      }
      return { value: this.#hand(value, options), error: null, database: this.database.getName() };
    } catch (error) {
      return {
        value: { kind: "none" },
        error: error instanceof ScriptEnd ? null : this.#describe(error, source, rewritten, url),
        database: this.database.getName(),
      };
    } finally {
      this.#followed = null;
    }
  }

  #configure(options: EvaluateOptions): void {
    const names = options.names ?? "";
    const known = options.fresh === true ? undefined : this.#scopes.get(names);
    this.#scope = known ?? this.#newScope();
    if (known === undefined) this.#scopes.set(names, this.#scope);
    if (options.fresh === true) this.#lastCursor = null;
    if (options.database !== undefined) this.database = this.mongo.getDB(options.database);
    this.connection.numbersAsDouble = options.numbersAsDouble === true;
    this.connection.around = null;
    if (options.fresh === true) this.#batchSize = null;
    this.#given = options.batchSize ?? 20;
    this.connection.displayBatchSize = this.#batchSize ?? this.#given;
  }

  #declare({ variables, functions, assigned }: Rewritten): void {
    const scope = this.#scope;
    for (const name of variables) if (!(name in scope)) scope[name] = undefined;
    for (const name of functions) delete scope[name];
    for (const name of assigned) if (!(name in scope) && !(name in globalThis)) scope[name] = undefined;
  }

  #hand(value: unknown, options: EvaluateOptions): EvaluatedValue {
    if (value === undefined) return { kind: "none" };
    if (value instanceof ExplainableCursor) return this.#hand(value.finish(), options);
    if (value instanceof BaseCursor) return this.#handCursor(value, options);
    if (options.asText === true) return { kind: "text", text: formatTop(value) };
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
      return { kind: "text", text: formatTop(value) };
    if (typeof value === "object" && value !== null && SHELL_TEXT in value)
      return { kind: "text", text: formatTop(value) };
    if (this.connection.host.show?.(value) === true) return { kind: "shown" };
    if (!isBson(value, 0)) return { kind: "text", text: formatTop(value) };
    return { kind: "value", json: stringify(value, { keepDoubles: true, numbersAsDouble: false }) };
  }

  /** Shows a cursor, of which nothing is taken: the script may hold it. */
  #handCursor(cursor: BaseCursor, options: EvaluateOptions): EvaluatedValue {
    const { displayBatchSize } = this.connection;
    if (cursor.untouched && options.asText !== true) {
      const { database, command, shown } = cursor.forPage(displayBatchSize);
      this.#lastCursor = shown;
      return { kind: "cursor", command: this.connection.text(database, command) };
    }
    const shown = cursor.shown(displayBatchSize);
    this.#lastCursor = shown;
    if (options.asText === true) return { kind: "text", text: formatTop(shown) };
    return this.#hand(shown.page(displayBatchSize).documents, options);
  }

  /** The topmost frame of the user's own text: QuickJS names it `<input>`, V8 by the script's URL. */
  #locate(error: Error, source: string, rewritten: Rewritten | null, url: string): ErrorPlace | null {
    const frames = (error.stack ?? "").split("\n");
    // A frame without parentheses is a place in a text that JSON reads.
    const isOwn = (frame: string): boolean =>
      frame.includes(`${url}:`) || (frame.includes("(<input>:") && !frame.includes("anonymous (<input>:3:"));
    const own = frames.findIndex(isOwn);
    const match = /(<input>|\.js):(\d+):(\d+)\)?$/.exec(frames[own]?.trim() ?? "");
    if (match === null) return null;
    const line = Number(match[2]);
    // QuickJS counts the columns of a text's first line from 0, and those of the others from 1.
    const column = Number(match[3]) + (match[1] === "<input>" && line === 1 ? 1 : 0);
    const place = { line, column: rewritten === null ? column : originalColumn(rewritten.shifts, line, column) };
    const thrown = { error, above: frames.slice(0, own), scope: this.#scope };
    return this.connection.host.failedCall?.(source, place, thrown) ?? place;
  }

  #describe(error: unknown, source: string, rewritten: Rewritten | null, url: string): EvaluatedError {
    /** The statement under way: the place of an error that has none of its own. */
    const statement = this.#followed?.places[this.#followed.ended] ?? null;
    if (!(error instanceof Error)) {
      return {
        name: "Error",
        message: formatTop(error),
        text: errorText(error),
        code: null,
        codeName: null,
        line: statement?.line ?? null,
        column: statement?.column ?? null,
      };
    }
    const { code, codeName } = error as { code?: unknown; codeName?: unknown };
    const place =
      error instanceof ScriptSyntaxError
        ? { line: error.line, column: error.column }
        : error === this.#followed?.failure
          ? statement
          : (this.#locate(error, source, rewritten, url) ?? statement);
    if (error instanceof TypeError) {
      const worded = wordAsV8(error.message, source, place);
      if (worded !== error.message) error.message = worded;
    }
    const text = errorText(error);
    const detail = detailOf(error);
    return {
      name: error.name,
      message: error.message,
      text: error instanceof ScriptSyntaxError ? `${text} (${error.line}:${error.column})` : text,
      code: typeof code === "number" ? code : null,
      codeName: typeof codeName === "string" ? codeName : null,
      line: place?.line ?? null,
      column: place?.column ?? null,
      ...(detail === undefined ? {} : { detail }),
    };
  }
}

/** Whether a value survives the way through BSON unchanged, so that it may be shown from bytes. */
function isBson(value: unknown, depth: number): boolean {
  if (value === null) return true;
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return true;
    case "object":
      break;
    default:
      return false;
  }
  if (depth > 100) return false;
  if (Array.isArray(value)) return value.every((item) => isBson(item, depth + 1));
  if ("_bsontype" in value || isRegExp(value)) return true;
  if (isDate(value)) return !Number.isNaN(value.getTime());
  if (!isPlain(value)) return false;
  return !(SHELL_TEXT in value) && Object.values(value as Document).every((item) => isBson(item, depth + 1));
}
