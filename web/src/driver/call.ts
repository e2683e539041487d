/**
 * One call of a method: its options taken apart, and the commands it sends with them.
 *
 * Invariant: the concerns and fields that the options name are in the method's own command and in no other (`getMore`,
 * `killCursors`).
 */
import type { Document } from "bson";
import type { Cut } from "../codec/cut.ts";
import type { Connection, Promised } from "./connection.ts";
import { MongoInvalidArgumentError } from "./errors.ts";
import { take, type Method, type Taken } from "./options.ts";
import { readSettings, type Settings } from "./settings.ts";

/** Where a client, a database or a collection sends commands, and the options it hands on. */
export interface Handle {
  readonly connection: Connection;
  readonly database: string;
  readonly settings: Settings;
}

function writes(pipeline: unknown): boolean {
  const last: unknown = Array.isArray(pipeline) ? pipeline.at(-1) : undefined;
  return typeof last === "object" && last !== null && ("$out" in last || "$merge" in last);
}

export class Call {
  readonly #handle: Handle;
  #taken: Taken;
  #deadline: number | undefined;

  /** Throws `MongoInvalidArgumentError` for options that the method does not have. */
  constructor(handle: Handle, method: Method, options: unknown) {
    this.#handle = handle;
    this.#taken = take(method, options, handle.settings);
  }

  /**
   * The same call again, with its time before it and some settings changed; `session: null` takes it out of its
   * session.
   */
  fresh(options: Document = {}): Call {
    const { settings } = this.#taken;
    const again = new Call(this.#handle, "ping", null);
    const session = "session" in options ? options["session"] : settings.session;
    again.#taken = {
      ...this.#taken,
      settings: readSettings({ signal: settings.signal, ...options, session }, settings),
    };
    return again;
  }

  get database(): string {
    return this.#handle.database;
  }
  get settings(): Settings {
    return this.#taken.settings;
  }
  /** Options that the method reads itself. */
  get own(): Document {
    return this.#taken.own;
  }
  /** Options that are fields of the one statement or index. */
  get statement(): Document {
    return this.#taken.statement;
  }
  /** Whether the reply of a write counts the documents it changed. */
  get acknowledged(): boolean {
    return this.#taken.settings.writeConcern?.["w"] !== 0;
  }
  /** Whether the call is to be explained instead of run. */
  get isExplained(): boolean {
    return this.own["explain"] !== undefined && this.own["explain"] !== null;
  }

  /** When the call's time is over, by `performance.now()`; it runs from the first command on. */
  #ends(): number | undefined {
    const { timeoutMS } = this.settings;
    if (timeoutMS === undefined || timeoutMS === 0) return undefined;
    this.#deadline ??= performance.now() + timeoutMS;
    return this.#deadline;
  }
  /** Has the call's time begin anew with its next command. */
  renew(): void {
    this.#deadline = undefined;
  }

  /**
   * The method's command with the fields that its options name, which are put into the very object: the method worded
   * it for this.
   */
  filled(base: Document): Document {
    return Object.assign(base, this.#taken.fields);
  }
  /** A command with the concerns that its method carries, put into it likewise. */
  concerned(command: Document): Document {
    const { concern, settings } = this.#taken;
    const isWrite = concern === "write" || (concern === "both" && writes(command["pipeline"]));
    const isRead = concern === "read" || concern === "both";
    if (isWrite && settings.writeConcern !== undefined) command["writeConcern"] = settings.writeConcern;
    if (isRead && settings.readConcern !== undefined) command["readConcern"] = settings.readConcern;
    return command;
  }
  #command(base: Document): Document {
    return this.concerned(this.filled(base));
  }

  /** Sends the method's command; see `Connection.run`. */
  run(base: Document): Promised<Document> {
    return this.send(this.#command(base));
  }
  /** See `Connection.reply`. */
  reply(base: Document, cut?: Cut): Promised<Document> {
    return this.#handle.connection.reply(this.#handle.database, this.#command(base), this.settings, this.#ends(), cut);
  }
  /** See `Connection.write`. */
  write(base: Document): Promised<Document> {
    return this.#handle.connection.write(this.#handle.database, this.#command(base), this.settings, this.#ends());
  }
  /** Sends a command that has none of the method's options. */
  send(command: Document): Promised<Document> {
    return this.#handle.connection.run(this.#handle.database, command, this.settings, this.#ends());
  }
  /**
   * Explains a command without running it. `verbosity` is the option `explain` of the call, unless the caller gives
   * another.
   */
  explain(command: Document, verbosity: unknown = this.own["explain"]): Promised<Document> {
    return this.send({ explain: command, verbosity: verbosityOf(verbosity) });
  }
}

function verbosityOf(explain: unknown): string {
  if (typeof explain === "boolean") return explain ? "allPlansExecution" : "queryPlanner";
  const verbosity: unknown =
    typeof explain === "object" && explain !== null ? (explain as { verbosity?: unknown }).verbosity : explain;
  if (typeof verbosity !== "string")
    throw new MongoInvalidArgumentError('Field "explain" must be a string, a boolean or an object with a verbosity');
  return verbosity;
}
