/**
 * `quiredb/shell`: the mongosh-like shell over an engine in this thread, for tests and tools.
 *
 * Invariant: no sandbox: a script runs in this realm and can reach all that this realm can. Untrusted scripts belong in
 * the worker, behind QuickJS. In browsers this needs a policy that allows `unsafe-eval`.
 */
import { EJSON, type Document } from "bson";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { installBsonsize } from "../shell/bson-size.ts";
import { offset, setOffset, useHostClock } from "../shell/clock.ts";
import { tryRewrite } from "../shell/rewrite.ts";
import { formatTop } from "../shell/format.ts";
import type { ShellHost } from "../shell/host.ts";
import { Shell as Prelude, type Evaluated, type EvaluatedError } from "../shell/shell.ts";
import { insideOf, type Engine } from "./engine.ts";
import { bytesOf, promoted, valueOf } from "./shell-values.ts";

export interface ShellOptions {
  /** The database `db` names at first. Default `test`. */
  readonly database?: string;
  /** The clock of `new Date()` in scripts, in milliseconds since the epoch. Default: the engine's own `now`. */
  readonly now?: () => number;
  /** Documents of a cursor given as a value, and after `it`. Default 20. */
  readonly batchSize?: number;
}

export interface ShellOutcome {
  /** The script's value, as the driver gives values; a cursor's first documents; text where the value is no BSON. */
  readonly value: unknown;
  /** The value as the shell prints it. */
  readonly text: string;
  readonly printed: string[];
  readonly error?: EvaluatedError;
}

export interface Shell {
  /** Runs a script; names declared at its top level stay for the next one. Never throws for an error of the script. */
  evaluate(source: string): ShellOutcome;
  /** The current database's name. */
  readonly database: string;
}

/**
 * Values with their types, for the text: it tells a Long from a number. The driver's plain numbers are made after that.
 */
const TYPED = { numbers: "typed" } as const;
const typed = (json: string): unknown => EJSON.parse(json, { relaxed: false });

interface Cursor {
  readonly ns: string;
  readonly id: unknown;
  readonly firstBatch?: unknown[];
  readonly nextBatch?: unknown[];
}

/** The error of a cursor whose first command failed. */
function failureOf(reply: Document): EvaluatedError {
  const codeName = (reply["codeName"] as string | undefined) ?? null;
  const message = (reply["errmsg"] as string | undefined) ?? "the command failed";
  return {
    name: "MongoServerError",
    message,
    text: `MongoServerError${codeName === null ? "" : `[${codeName}]`}: ${message}`,
    code: (reply["code"] as number | undefined) ?? null,
    codeName,
    line: null,
    column: null,
  };
}

export function createShell(engine: Engine, options: ShellOptions = {}): Shell {
  const { open, now, functions } = insideOf(engine);
  let printed: string[] = [];
  const exchange: ShellHost["exchange"] = (database, command, numbersAsDouble, cut) => {
    const bytes = bytesOf({ ...command, $db: database }, { numbersAsDouble, cut });
    return bytes === undefined ? undefined : valueOf(open.runBytes(bytes, Infinity));
  };
  const prelude = new Prelude(
    { command: (text) => open.runJson(text), exchange, print: (text) => printed.push(text) },
    tryRewrite,
    options.database,
  );
  const batchSize = options.batchSize ?? 20;
  let clockOffset = 0;

  /** The realm is the caller's, and so `Object` has no more names than before once the script has ended. */
  const evaluated = (source: string): Evaluated => {
    const takeOut = installBsonsize(() => prelude.connection.numbersAsDouble);
    try {
      return prelude.evaluate(source, { batchSize });
    } finally {
      takeOut();
    }
  };

  const evaluate = (source: string): ShellOutcome => {
    printed = [];
    functions.print = (text) => printed.push(text);
    // The clock is the realm's; each evaluation, which nothing interrupts, sets it to its own shell's.
    useHostClock(options.now ?? now);
    setOffset(Number(open.status().clockOffsetMillis ?? clockOffset));
    const { value, error } = evaluated(source);
    let result: { value: unknown; text: string } = { value: undefined, text: "" };
    let failure = error;
    if (value.kind === "text") {
      result = { value: value.text, text: value.text };
    } else if (value.kind === "value") {
      const made = decode(encode({ value: typed(value.json) }), TYPED)["value"] as unknown;
      result = { text: formatTop(made), value: promoted(made) };
    } else if (value.kind === "cursor") {
      const reply = decode(open.runBytes(encode(typed(value.command) as Document)), TYPED);
      const cursor = reply["cursor"] as Cursor | undefined;
      if (cursor === undefined) failure = failureOf(promoted(reply) as Document);
      else {
        const { ns } = cursor;
        const id = String(cursor.id);
        prelude.adoptCursor(ns.slice(0, ns.indexOf(".")), ns.slice(ns.indexOf(".") + 1), id);
        const documents = cursor.firstBatch ?? cursor.nextBatch ?? [];
        const text = documents.length === 0 ? "" : formatTop(documents) + (id === "0" ? "" : '\nType "it" for more');
        result = { text, value: promoted(documents) };
      }
    }
    clockOffset = offset();
    return { ...result, printed, ...(failure === null ? {} : { error: failure }) };
  };

  return {
    evaluate,
    get database() {
      return prelude.database.getName();
    },
  };
}

export type { EvaluatedError };
export { Engine } from "./engine.ts";
