/**
 * Sessions in scripts: `db.getMongo().startSession()`, their databases and their transactions, as mongosh has them.
 *
 * Invariants: databases of a session send through a connection of their own, which puts the session's fields into each
 * command and takes the times out of each reply; errors and rules are the Node driver's, as mongosh hands them on.
 */
import type { Cut } from "../codec/cut.ts";
import { Long } from "./bson/numbers.ts";
import type { UUID } from "./bson/binary.ts";
import type { Timestamp } from "./bson/special.ts";
import type { Database } from "./database.ts";
import { MongoInvalidArgumentError, type Document } from "./errors.ts";
import { SHELL_TEXT } from "./format.ts";
import { Connection } from "./host.ts";
import { MongoAPIError, MongoError, MongoExpiredSessionError, MongoTransactionError } from "./mongo-errors.ts";
import {
  checkConcerns,
  concernOfSecondCommit,
  endsTransaction,
  hasUnknownResult,
  isLate,
  PATIENCE,
  readsAfterTime,
  TRANSIENT,
  UNKNOWN_RESULT,
} from "./transaction-rules.ts";

/** How often it tries: nothing but the function itself is run meanwhile, so that a conflict which lasts stays. */
const MOST_TRIES = 100;
const OPTIONS = ["causalConsistency", "snapshot", "readConcern", "readPreference", "writeConcern", "retryWrites"];
const TRANSACTION_OPTIONS = ["readConcern", "writeConcern", "readPreference", "maxCommitTimeMS"];

type MayTryAgain = (error: unknown, label: string) => boolean;
type State = "none" | "starting" | "open" | "committed" | "committed empty" | "aborted";

function onlyThese(options: Document, known: readonly string[]): void {
  const strange = Object.keys(options).find((name) => !known.includes(name));
  if (strange !== undefined) throw new MongoInvalidArgumentError(`option ${strange} is not supported`);
}

/** A connection whose commands are a session's. */
class SessionConnection extends Connection {
  readonly #outer: Connection;
  readonly #session: Session;
  constructor(outer: Connection, session: Session) {
    super(outer.host);
    this.#outer = outer;
    this.#session = session;
    this.numbersAsDouble = outer.numbersAsDouble;
    this.displayBatchSize = outer.displayBatchSize;
  }
  override send(database: string, command: Document, cut?: Cut): Document {
    const reply = this.#outer.send(database, this.#session.apply(command), cut);
    this.#session.learn(reply);
    return reply;
  }
}

export class Session {
  readonly id: { readonly id: UUID };
  readonly #connection: SessionConnection;
  readonly #open: (name: unknown) => Database;
  readonly #options: Document;
  readonly #now: () => number;
  #number = 0;
  #state: State = "none";
  #transaction: Document = {};
  #ended = false;
  #operationTime: Timestamp | undefined;
  #clusterTime: Document | undefined;
  /** The time of the state that all reads of a snapshot session see. */
  #snapshotTime: Timestamp | undefined;

  /** `databases` makes the session's databases over a connection. */
  constructor(
    outer: Connection,
    databases: (connection: Connection) => (name: unknown) => Database,
    options: Document,
    now: () => number,
  ) {
    onlyThese(options, OPTIONS);
    if (options["snapshot"] === true && options["causalConsistency"] === true)
      throw new MongoInvalidArgumentError('Properties "causalConsistency" and "snapshot" are mutually exclusive');
    const reply = outer.run("admin", { startSession: 1 });
    this.id = reply["id"] as { readonly id: UUID };
    this.#options = options;
    this.#now = now;
    this.#connection = new SessionConnection(outer, this);
    this.#open = databases(this.#connection);
  }

  getDatabase(name: unknown): Database {
    return this.#open(name);
  }
  getSessionId(): Document {
    return this.id as unknown as Document;
  }
  getOptions(): Document {
    return this.#options;
  }
  hasEnded(): boolean {
    return this.#ended;
  }
  getOperationTime(): Timestamp | undefined {
    return this.#operationTime;
  }
  getClusterTime(): Document | undefined {
    return this.#clusterTime;
  }
  advanceOperationTime(time: Timestamp): void {
    const known = this.#operationTime;
    if (known === undefined || time.t > known.t || (time.t === known.t && time.i > known.i)) this.#operationTime = time;
  }
  advanceClusterTime(time: Document): void {
    const given = (time as Document | null | undefined)?.["clusterTime"] as Timestamp | undefined;
    if (given?._bsontype !== "Timestamp")
      throw new MongoInvalidArgumentError('input cluster time "clusterTime" property must be a valid BSON Timestamp');
    const known = this.#clusterTime?.["clusterTime"] as Timestamp | undefined;
    if (known === undefined || given.t > known.t || (given.t === known.t && given.i > known.i))
      this.#clusterTime = time;
  }
  #inTransaction(): boolean {
    return this.#state === "starting" || this.#state === "open";
  }

  /** A command with the session's fields. */
  apply(command: Document): Document {
    if (this.#ended) throw new MongoExpiredSessionError();
    const concern = command["writeConcern"] as Document | undefined;
    if (concern !== undefined && Number(concern["w"]) === 0 && concern["w"] !== null)
      throw new MongoAPIError("Cannot have explicit session with unacknowledged writes");
    const applied: Document = { ...command, lsid: this.id };
    if (this.#clusterTime !== undefined) applied["$clusterTime"] = this.#clusterTime;
    const ends = endsTransaction(command);
    const isCausal = this.#options["causalConsistency"] !== false && this.#options["snapshot"] !== true;
    const after = isCausal && this.#operationTime !== undefined ? { afterClusterTime: this.#operationTime } : {};
    if (ends || this.#inTransaction()) {
      applied["txnNumber"] = new Long(this.#number);
      applied["autocommit"] = false;
      if (ends) return applied;
      delete applied["writeConcern"];
      delete applied["readConcern"];
      if (this.#state === "open") return applied;
      this.#state = "open";
      applied["startTransaction"] = true;
      const concern = { ...(this.#transaction["readConcern"] as object), ...after };
      if (Object.keys(concern).length > 0) applied["readConcern"] = concern;
      return applied;
    }
    this.#state = "none";
    if (!readsAfterTime(command)) return applied;
    const at = this.#snapshotTime === undefined ? {} : { atClusterTime: this.#snapshotTime };
    const isSnapshot = this.#options["snapshot"] === true;
    const level = isSnapshot ? { level: "snapshot", ...at } : (command["readConcern"] as object);
    const read = { ...(this.#options["readConcern"] as object), ...level, ...after };
    if (Object.keys(read).length > 0) applied["readConcern"] = read;
    return applied;
  }
  /** Takes the times of a reply. */
  learn(reply: Document): void {
    if (reply["operationTime"] !== undefined) this.advanceOperationTime(reply["operationTime"] as Timestamp);
    if (this.#options["snapshot"] === true && Number(reply["ok"]) === 1)
      this.#snapshotTime ??= reply["operationTime"] as Timestamp;
    if (reply["$clusterTime"] !== undefined) this.advanceClusterTime(reply["$clusterTime"] as Document);
  }

  startTransaction(options: Document = {}): void {
    onlyThese(options, TRANSACTION_OPTIONS);
    if (this.#ended) throw new MongoExpiredSessionError();
    if (this.#options["snapshot"] === true)
      throw new MongoAPIError("Transactions are not supported in snapshot sessions");
    if (this.#inTransaction()) throw new MongoTransactionError("Transaction already in progress");
    const { readConcern, writeConcern } = this.#options;
    this.#transaction = {
      ...(readConcern === undefined ? {} : { readConcern }),
      ...(writeConcern === undefined ? {} : { writeConcern }),
      ...options,
    };
    checkConcerns(this.#transaction["writeConcern"], options["readPreference"]);
    this.#number += 1;
    this.#state = "starting";
  }
  #ending(name: string): Document {
    const { writeConcern } = this.#transaction;
    return { [name]: 1, ...(writeConcern === undefined ? {} : { writeConcern }) };
  }
  commitTransaction(): void {
    if (this.#state === "none") throw new MongoTransactionError("No transaction started");
    if (this.#state === "aborted")
      throw new MongoTransactionError("Cannot call commitTransaction after calling abortTransaction");
    if (this.#state === "starting" || this.#state === "committed empty") {
      this.#state = "committed empty";
      return;
    }
    const command = this.#ending("commitTransaction");
    const { maxCommitTimeMS } = this.#transaction;
    if (maxCommitTimeMS !== undefined) command["maxTimeMS"] = maxCommitTimeMS;
    if (this.#state === "committed") command["writeConcern"] = concernOfSecondCommit(command["writeConcern"]);
    this.#state = "committed";
    try {
      this.#connection.run("admin", command);
    } catch (error) {
      if (hasUnknownResult(error)) error.addErrorLabel(UNKNOWN_RESULT);
      throw error;
    }
  }
  abortTransaction(): void {
    if (this.#state === "none") throw new MongoTransactionError("No transaction started");
    if (this.#state === "aborted") throw new MongoTransactionError("Cannot call abortTransaction twice");
    if (this.#state === "committed" || this.#state === "committed empty")
      throw new MongoTransactionError("Cannot call abortTransaction after calling commitTransaction");
    const isKnown = this.#state === "open";
    this.#state = "aborted";
    // What cannot be aborted any more has ended by itself.
    if (isKnown) this.#connection.send("admin", this.#ending("abortTransaction"));
  }
  /**
   * Runs a function in a transaction: again as a whole after a passing conflict, a hundred times and for two minutes at
   * most. Of an async function it gives a promise.
   */
  withTransaction(work: unknown, options: Document = {}): unknown {
    if (typeof work !== "function") throw new MongoInvalidArgumentError("withTransaction needs a function");
    const ends = this.#now() + PATIENCE;
    let tries = 0;
    const mayTryAgain: MayTryAgain = (error, label) => {
      if (!(error instanceof MongoError && error.hasErrorLabel(label))) return false;
      tries += 1;
      return tries < MOST_TRIES && this.#now() < ends;
    };
    const run = (): unknown => {
      for (;;) {
        this.startTransaction(options);
        let result: unknown;
        try {
          result = (work as (session: Session) => unknown)(this);
        } catch (error) {
          this.#failed(error, mayTryAgain);
          continue;
        }
        if (typeof (result as PromiseLike<unknown> | null | undefined)?.then === "function")
          return (result as PromiseLike<unknown>).then(
            (value) => (this.#isDone(mayTryAgain) ? value : run()),
            (error: unknown) => {
              this.#failed(error, mayTryAgain);
              return run();
            },
          );
        if (this.#isDone(mayTryAgain)) return result;
      }
    };
    return run();
  }
  /** The function failed: throws unless the transaction is to be tried again. */
  #failed(error: unknown, mayTryAgain: MayTryAgain): void {
    if (this.#inTransaction()) this.abortTransaction();
    if (!mayTryAgain(error, TRANSIENT)) throw error;
  }
  /** Commits unless the function ended the transaction itself; false where the whole is to be tried again. */
  #isDone(mayTryAgain: MayTryAgain): boolean {
    if (!this.#inTransaction()) return true;
    for (;;) {
      try {
        this.commitTransaction();
        return true;
      } catch (error) {
        if (!isLate(error) && mayTryAgain(error, UNKNOWN_RESULT)) continue;
        if (mayTryAgain(error, TRANSIENT)) return false;
        throw error;
      }
    }
  }
  endSession(): void {
    if (this.#ended) return;
    if (this.#inTransaction()) this.abortTransaction();
    this.#connection.run("admin", { endSessions: [this.id] });
    this.#ended = true;
  }
  [SHELL_TEXT](): string {
    return `Session ${this.id.id.toString()}`;
  }
}
