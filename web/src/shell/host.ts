/**
 * The shell's only way out: one function that takes a command and gives the reply, both as canonical
 * Extended JSON text or, where the host can, as values, and one that takes printed lines.
 *
 * Invariant: nothing else in `shell/` reaches outside the language itself: no console, no timers, no fetch.
 */
import type { Cut } from "../codec/cut.ts";
import { MongoInvalidArgumentError, MongoServerError, MongoWriteConcernError, type Document } from "./errors.ts";
import { parse, stringify, type StringifyOptions } from "./ejson.ts";

/** A line and a column of a script, both from 1. */
export interface ErrorPlace {
  readonly line: number;
  readonly column: number;
}

/** Finds the call that failed from the place that a stack gives, and from the frames above the script's own. */
export type FailedCall = (
  source: string,
  place: ErrorPlace,
  thrown: {
    readonly error: Error;
    readonly above: readonly string[];
    readonly scope: Readonly<Record<string, unknown>>;
  },
) => ErrorPlace;

export interface ShellHost {
  /** Runs a command (with `$db`) and gives the reply; a failed command is a reply with `ok: 0`. */
  command(text: string): string;
  /**
   * As `command`, with values in the place of texts. Undefined, and nothing was done, for a command that the host
   * cannot read as a value and needs as text.
   */
  exchange?(database: string, command: Document, numbersAsDouble: boolean, cut?: Cut): Document | undefined;
  /**
   * Told the end of a script's top-level statement by its number, with its value as JSON (`EvaluatedValue`). Of a
   * cursor it runs the command, and gives the cursor's id, or the Extended JSON of a failed command's reply.
   */
  statement?(number: number, value: string): { readonly cursorId: string } | { readonly failure: string } | undefined;
  /** Takes a script's value that is to be shown; false where only its text can show it. */
  show?(value: unknown): boolean;
  /** Takes one printed text, without a final line break. */
  print(text: string): void;
  /** Mends the places of errors, where the host's engine gives calls the places of their arguments. */
  readonly failedCall?: FailedCall;
  /** Runs the pending jobs of promises, where the host can; then `await` of a true promise works in a script. */
  runJobs?(): void;
  /** Blocks for a while, where the host can. */
  sleep?(millis: number): void;
  /**
   * Where the host can tell whether an object was changed: given the language's, numbered from the first on, as they
   * are now. The one numbered 0 may be given more properties.
   */
  hold?(first: number, ...objects: readonly object[]): void;
  /** The number of the first object from this on that is not as it was given; -1 when there is none. */
  nextSpoilt?(from: number): number;
}

/** The host, and the way plain numbers are stored, shared by all parts of the shell. */
export class Connection {
  readonly host: ShellHost;
  numbersAsDouble = false;
  /** Documents of a first batch which is to be shown, and of each `it`. */
  displayBatchSize = 20;
  /**
   * Called in the place of each sending, with a function that sends: the courses' adversary comes between two commands
   * of a script this way. The shell takes it away before each script.
   */
  around: ((database: string, command: Document, send: () => Document) => Document) | null = null;

  constructor(host: ShellHost) {
    this.host = host;
  }

  get #options(): StringifyOptions {
    return { numbersAsDouble: this.numbersAsDouble };
  }

  /** The command's text, as it would be sent. */
  text(database: string, command: Document): string {
    return stringify({ ...command, $db: database }, this.#options);
  }

  /**
   * Sends a command; throws `MongoServerError` unless the reply is ok, and `MongoWriteConcernError` where a write was
   * not made as durable as asked.
   */
  run(database: string, command: Document): Document {
    const reply = this.write(database, command);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }

  /**
   * Sends a command whose caller looks at `writeErrors` and `writeConcernError` itself; throws `MongoServerError`
   * unless the reply is ok. The reply to a write with `w: 0` is not looked at, as a driver never sees it. `cut`:
   * statements that the host may leave out where the command would be too long.
   */
  write(database: string, command: Document, cut?: Cut): Document {
    const reply = this.send(database, command, cut);
    if (!isAcknowledged(command)) return { ok: 1 };
    if (Number(reply["ok"]) !== 1) throw new MongoServerError(reply);
    return reply;
  }

  /** Sends a command and gives the reply, ok or not. */
  send(database: string, command: Document, cut?: Cut): Document {
    refuseSession(command);
    const { around } = this;
    return around === null
      ? this.#send(database, command, cut)
      : around(database, command, () => this.#send(database, command, cut));
  }

  #send(database: string, command: Document, cut?: Cut): Document {
    return (
      this.host.exchange?.(database, command, this.numbersAsDouble, cut) ??
      (parse(this.host.command(this.text(database, command))) as Document)
    );
  }
}

/** The types of numbers that are no numbers of the language. */
const NUMBERS = ["Int32", "Double", "Long", "Decimal128"];

/**
 * Whether a command, or options that hold its write concern, ask for a reply that counts the changes: all but a `w`
 * that is the number zero. What is no number is the server's to refuse.
 */
export function isAcknowledged({ writeConcern }: Document): boolean {
  const w = (writeConcern as { readonly w?: unknown } | undefined | null)?.w;
  const type = (w as { readonly _bsontype?: unknown } | undefined | null)?._bsontype;
  const isNumber = typeof w === "number" || (typeof type === "string" && NUMBERS.includes(type));
  return !isNumber || Number(w) !== 0;
}

/** A session as an option is how drivers do it. Here it would be left out, and the method be done outside. */
function refuseSession(options: Document): void {
  const session = options["session"] as { readonly getDatabase?: unknown } | null | undefined;
  if (typeof session?.getDatabase === "function")
    throw new MongoInvalidArgumentError(
      'option session is for drivers: here use the collections of session.getDatabase("name"), ' +
        "which are in the session",
    );
}

/** Only those options that were given, in the order named. */
export function pick(options: Document | undefined, names: readonly string[]): Document {
  const picked: Document = {};
  if (options === undefined) return picked;
  refuseSession(options);
  for (const name of names) if (options[name] !== undefined) picked[name] = options[name];
  return picked;
}

/** The options without those named: the rest goes to the server, which refuses unknown ones. */
export function omit(options: Document | undefined, names: readonly string[]): Document {
  const kept: Document = {};
  if (options !== undefined) refuseSession(options);
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value !== undefined && !names.includes(name)) kept[name] = value;
  }
  return kept;
}
