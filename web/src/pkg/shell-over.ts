/**
 * The mongosh-like shell over any deployment that answers at once: an engine in this thread, or a server behind a
 * thread.
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

/** The deployment that a shell is over, in this thread or behind something that waits for it. */
export interface ShellBackend {
  /** Runs a command, which is Extended JSON text, and gives its reply as such. */
  runJson(text: string): string;
  runBytes(command: Uint8Array): Uint8Array;
  readonly now: () => number;
  /** How far the deployment's clock was set on from its host's, where it can be set. */
  readonly clockOffsetMillis: () => number | undefined;
  /** Told where the texts go that functions inside commands print. */
  readonly printing: (print: (text: string) => void) => void;
  /** Takes each printed text at once, beside the outcome. */
  readonly print?: (text: string) => void;
}

/** A shell over any deployment that answers at once. */
export function shellOver(backend: ShellBackend, options: ShellOptions = {}): Shell {
  let printed: string[] = [];
  const print = (text: string): void => {
    printed.push(text);
    backend.print?.(text);
  };
  const exchange: ShellHost["exchange"] = (database, command, numbersAsDouble, cut) => {
    const bytes = bytesOf({ ...command, $db: database }, { numbersAsDouble, cut });
    return bytes === undefined ? undefined : valueOf(backend.runBytes(bytes));
  };
  const prelude = new Prelude(
    { command: (text) => backend.runJson(text), exchange, print },
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
    backend.printing(print);
    // The clock is the realm's; each evaluation, which nothing interrupts, sets it to its own shell's.
    useHostClock(options.now ?? backend.now);
    setOffset(Number(backend.clockOffsetMillis() ?? clockOffset));
    const { value, error } = evaluated(source);
    let result: { value: unknown; text: string } = { value: undefined, text: "" };
    let failure = error;
    if (value.kind === "text") {
      result = { value: value.text, text: value.text };
    } else if (value.kind === "value") {
      const made = decode(encode({ value: typed(value.json) }), TYPED)["value"] as unknown;
      result = { text: formatTop(made), value: promoted(made) };
    } else if (value.kind === "cursor") {
      const reply = decode(backend.runBytes(encode(typed(value.command) as Document)), TYPED);
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
