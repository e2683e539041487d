/**
 * Sessions of a client: causal consistency, and transactions with their rules of trying again. In the Node driver's
 * shape and words.
 *
 * Invariant: a command of a session gets its fields in `apply` and hands its times back in `learn`; nothing else in the
 * driver knows a transaction. The identities of sessions that ended are used again, and ended with the client.
 */
import { Long, UUID, type Document } from "bson";
import { WITH_WRITE_CONCERN } from "../engine/commands.generated.ts";
import { DISPOSE } from "./dispose.ts";
import {
  MongoAPIError,
  MongoCompatibilityError,
  MongoExpiredSessionError,
  MongoInvalidArgumentError,
  MongoTransactionError,
  MongoError,
} from "./errors.ts";
import type { ClientSessionOptions, TransactionOptions } from "./option-types.ts";
import { readConcerns } from "./settings.ts";
import { unsupported } from "./unsupported.ts";
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
} from "../shell/transaction-rules.ts";

/** The longest pause between two tries, in milliseconds. */
const LONGEST_PAUSE = 50;
/** The options of a session. */
const OPTIONS = ["causalConsistency", "defaultTransactionOptions", "snapshot"];

type State =
  | "NO_TRANSACTION"
  | "STARTING_TRANSACTION"
  | "TRANSACTION_IN_PROGRESS"
  | "TRANSACTION_COMMITTED"
  | "TRANSACTION_COMMITTED_EMPTY"
  | "TRANSACTION_ABORTED";

/** The transaction of a session, the newest or the one under way. */
export class Transaction {
  state: State = "NO_TRANSACTION";
  options: TransactionOptions = {};

  get isStarting(): boolean {
    return this.state === "STARTING_TRANSACTION";
  }
  get isActive(): boolean {
    return this.state === "STARTING_TRANSACTION" || this.state === "TRANSACTION_IN_PROGRESS";
  }
  get isCommitted(): boolean {
    return this.state === "TRANSACTION_COMMITTED" || this.state === "TRANSACTION_COMMITTED_EMPTY";
  }
}

/** What the engine knows of a session. */
export interface ServerSession {
  readonly id: { readonly id: UUID };
  txnNumber: number;
}

/** What a session has of its client. */
export interface SessionOwner {
  /** The client itself: a session is of use to no other. */
  readonly client: object;
  readonly now: () => number;
  /** Sends a command to `admin` in a session. */
  readonly send: (command: Document, session: ClientSession) => Promise<Document>;
  readonly acquire: () => ServerSession;
  readonly release: (session: ClientSession, server: ServerSession) => void;
}

export class ClientSession {
  readonly #owner: SessionOwner;
  readonly #causal: boolean;
  #server: ServerSession | null;
  #snapshotTime: Document | undefined;
  readonly snapshotEnabled: boolean;
  readonly explicit = true;
  readonly defaultTransactionOptions: TransactionOptions;
  readonly transaction = new Transaction();
  hasEnded = false;
  /** The time of the session's last operation, for reads that are to see it. */
  operationTime: Document | undefined;
  /** The newest `$clusterTime` that the session knows. */
  clusterTime: Document | undefined;

  constructor(owner: SessionOwner, options: ClientSessionOptions) {
    const { causalConsistency, snapshot = false, defaultTransactionOptions = {} } = options;
    if (snapshot && causalConsistency === true)
      throw new MongoInvalidArgumentError('Properties "causalConsistency" and "snapshot" are mutually exclusive');
    this.#owner = owner;
    this.#server = owner.acquire();
    this.#causal = causalConsistency ?? !snapshot;
    this.snapshotEnabled = snapshot;
    this.defaultTransactionOptions = { ...defaultTransactionOptions };
    checked(this.defaultTransactionOptions);
  }

  /** The session's identity, as commands carry it in `lsid`. */
  get id(): { readonly id: UUID } | undefined {
    return this.#server?.id;
  }
  /** The client that began the session. */
  get client(): object {
    return this.#owner.client;
  }
  get supports(): { readonly causalConsistency: boolean } {
    return { causalConsistency: this.#causal };
  }
  inTransaction(): boolean {
    return this.transaction.isActive;
  }
  equals(session: ClientSession): boolean {
    return this.id !== undefined && session instanceof ClientSession && session.id?.id.equals(this.id.id) === true;
  }
  toBSON(): never {
    throw new MongoAPIError("ClientSession cannot be serialized to BSON.");
  }

  advanceOperationTime(time: Document): void {
    if (this.operationTime === undefined || isLater(time, this.operationTime)) this.operationTime = time;
  }
  advanceClusterTime(time: Document): void {
    if (typeof time !== "object" || time === null)
      throw new MongoInvalidArgumentError("input cluster time must be an object");
    const given: unknown = time["clusterTime"];
    if ((given as Document | undefined)?.["_bsontype"] !== "Timestamp")
      throw new MongoInvalidArgumentError('input cluster time "clusterTime" property must be a valid BSON Timestamp');
    const known = this.clusterTime?.["clusterTime"] as Document | undefined;
    if (known === undefined || isLater(given as Document, known)) this.clusterTime = time;
  }

  /** Throws unless the session may be used for a command of a client. */
  check(client: object): void {
    if (this.hasEnded) throw new MongoExpiredSessionError();
    if (client !== this.#owner.client)
      throw new MongoInvalidArgumentError("ClientSession must be from the same MongoClient");
  }

  /** A command with the session's fields. */
  apply(command: Document): Document {
    if (this.hasEnded || this.#server === null) throw new MongoExpiredSessionError();
    const { transaction } = this;
    const concern = command["writeConcern"] as Document | undefined;
    if (concern?.["w"] === 0) throw new MongoAPIError("Cannot have explicit session with unacknowledged writes");
    const applied: Document = { ...command, lsid: this.#server.id };
    if (this.clusterTime !== undefined) applied["$clusterTime"] = this.clusterTime;
    const ends = endsTransaction(command);
    if (ends || transaction.isActive) {
      applied["txnNumber"] = Long.fromNumber(this.#server.txnNumber);
      applied["autocommit"] = false;
      if (ends) return applied;
      delete applied["writeConcern"];
      delete applied["readConcern"];
      if (!transaction.isStarting) return applied;
      transaction.state = "TRANSACTION_IN_PROGRESS";
      applied["startTransaction"] = true;
      const after = this.#causal ? this.operationTime : undefined;
      const { readConcern } = readConcerns(transaction.options);
      if (readConcern !== undefined || after !== undefined)
        applied["readConcern"] = { ...readConcern, ...(after === undefined ? {} : { afterClusterTime: after }) };
      return applied;
    }
    if (transaction.state !== "NO_TRANSACTION") transaction.state = "NO_TRANSACTION";
    const isRead = readsAfterTime(command);
    // A write says it too, and is refused for it: it could not be of the state that the session reads.
    if (this.snapshotEnabled && (isRead || writes(command))) {
      const at = this.#snapshotTime;
      applied["readConcern"] = { level: "snapshot", ...(at === undefined ? {} : { atClusterTime: at }) };
    } else if (isRead && this.#causal && this.operationTime !== undefined) {
      applied["readConcern"] = { ...(command["readConcern"] as object), afterClusterTime: this.operationTime };
    }
    return applied;
  }

  /** Takes the times of a reply to a command of the session. */
  learn(reply: Document): void {
    const operationTime = reply["operationTime"] as Document | undefined;
    const clusterTime = reply["$clusterTime"] as Document | undefined;
    if (operationTime !== undefined) this.advanceOperationTime(operationTime);
    if (clusterTime !== undefined) this.advanceClusterTime(clusterTime);
    // A command that was refused read nothing.
    if (this.snapshotEnabled && Number(reply["ok"]) === 1) this.#snapshotTime ??= operationTime;
  }

  startTransaction(options?: TransactionOptions): void {
    if (this.snapshotEnabled) throw new MongoCompatibilityError("Transactions are not supported in snapshot sessions");
    if (this.inTransaction()) throw new MongoTransactionError("Transaction already in progress");
    if (this.#server === null) throw new MongoExpiredSessionError();
    const merged = { ...this.defaultTransactionOptions, ...options };
    checked(merged);
    this.#server.txnNumber += 1;
    this.transaction.options = merged;
    this.transaction.state = "STARTING_TRANSACTION";
  }

  async commitTransaction(): Promise<void> {
    const { transaction } = this;
    if (transaction.state === "NO_TRANSACTION") throw new MongoTransactionError("No transaction started");
    if (transaction.state === "TRANSACTION_ABORTED")
      throw new MongoTransactionError("Cannot call commitTransaction after calling abortTransaction");
    if (transaction.isStarting || transaction.state === "TRANSACTION_COMMITTED_EMPTY") {
      transaction.state = "TRANSACTION_COMMITTED_EMPTY";
      return;
    }
    const command: Document = { commitTransaction: 1, ...readConcerns(transaction.options, "writeConcern") };
    const { maxCommitTimeMS } = transaction.options;
    if (maxCommitTimeMS !== undefined) command["maxTimeMS"] = maxCommitTimeMS;
    if (transaction.state === "TRANSACTION_COMMITTED")
      command["writeConcern"] = concernOfSecondCommit(command["writeConcern"]);
    transaction.state = "TRANSACTION_COMMITTED";
    try {
      await this.#owner.send(command, this);
    } catch (error) {
      if (hasUnknownResult(error)) error.addErrorLabel(UNKNOWN_RESULT);
      throw error;
    }
  }

  async abortTransaction(): Promise<void> {
    const { transaction } = this;
    if (transaction.state === "NO_TRANSACTION") throw new MongoTransactionError("No transaction started");
    if (transaction.isStarting) {
      transaction.state = "TRANSACTION_ABORTED";
      return;
    }
    if (transaction.state === "TRANSACTION_ABORTED")
      throw new MongoTransactionError("Cannot call abortTransaction twice");
    if (transaction.isCommitted)
      throw new MongoTransactionError("Cannot call abortTransaction after calling commitTransaction");
    transaction.state = "TRANSACTION_ABORTED";
    try {
      await this.#owner.send({ abortTransaction: 1, ...readConcerns(transaction.options, "writeConcern") }, this);
    } catch {
      // It ends by itself at the latest when its time is over.
    }
  }

  /**
   * Runs a function in a transaction: again as a whole after a passing conflict, and the commit alone again where its
   * result is not known, for two minutes at most.
   */
  async withTransaction<Result>(
    work: (session: this) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    const ends = this.#owner.now() + PATIENCE;
    let tries = 0;
    // An engine in this thread answers without a task of its own: what holds the documents has to have its turn.
    const mayTryAgain = async (error: unknown, label: string): Promise<boolean> => {
      if (!(error instanceof MongoError && error.hasErrorLabel(label) && this.#owner.now() < ends)) return false;
      tries += 1;
      await new Promise((resolve) => setTimeout(resolve, Math.min(tries, LONGEST_PAUSE)));
      return true;
    };
    for (;;) {
      this.startTransaction(options);
      let result: Result;
      try {
        const promise: unknown = work(this);
        if (typeof (promise as Promise<Result> | undefined)?.then !== "function")
          throw new MongoInvalidArgumentError("Function provided to `withTransaction` must return a Promise");
        result = await (promise as Promise<Result>);
      } catch (error) {
        if (this.inTransaction()) await this.abortTransaction();
        if (await mayTryAgain(error, TRANSIENT)) continue;
        throw error;
      }
      // The function ended the transaction itself.
      if (!this.inTransaction()) return result;
      if (await this.#commits(mayTryAgain)) return result;
    }
  }
  /** Commits; false where the whole transaction is to be tried again. */
  async #commits(mayTryAgain: (error: unknown, label: string) => Promise<boolean>): Promise<boolean> {
    for (;;) {
      try {
        await this.commitTransaction();
        return true;
      } catch (error) {
        if (!isLate(error) && (await mayTryAgain(error, UNKNOWN_RESULT))) continue;
        if (await mayTryAgain(error, TRANSIENT)) return false;
        throw error;
      }
    }
  }

  /** Ends the session; a transaction under way is aborted. */
  async endSession(): Promise<void> {
    if (this.hasEnded) return;
    if (this.inTransaction()) await this.abortTransaction();
    this.hasEnded = true;
    const server = this.#server;
    this.#server = null;
    if (server !== null) this.#owner.release(this, server);
  }
  async [DISPOSE](): Promise<void> {
    await this.endSession();
  }
}

const writes = (command: Document): boolean => WITH_WRITE_CONCERN.some((name) => name in command);

function isLater(one: Document, other: Document): boolean {
  return (one as unknown as { greaterThan(other: unknown): boolean }).greaterThan(other);
}

/** Throws for options that no transaction can have. */
function checked(options: TransactionOptions): void {
  const known = ["readConcern", "writeConcern", "readPreference", "maxCommitTimeMS", "timeoutMS"];
  const strange = Object.keys(options).filter((name) => !known.includes(name));
  if (strange.length > 0) throw new MongoInvalidArgumentError(`option ${strange[0]} is not supported`);
  const preference = options.readPreference as { mode?: unknown } | string | undefined;
  const mode = typeof preference === "object" ? preference.mode : preference;
  checkConcerns(readConcerns(options, "writeConcern")["writeConcern"], mode);
}

/** The sessions of one client. */
export class SessionPool {
  readonly #free: ServerSession[] = [];
  readonly #open = new Set<ClientSession>();
  readonly #owner: SessionOwner;

  constructor(owner: Pick<SessionOwner, "client" | "now" | "send">) {
    this.#owner = {
      ...owner,
      acquire: () => this.#free.pop() ?? { id: { id: new UUID() }, txnNumber: 0 },
      release: (session, server) => {
        this.#open.delete(session);
        this.#free.push(server);
      },
    };
  }

  start(options: ClientSessionOptions): ClientSession {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const unknown = given.map(([name]) => name).filter((name) => !OPTIONS.includes(name));
    if (unknown.length > 0) throw new MongoInvalidArgumentError(unsupported(unknown));
    const session = new ClientSession(this.#owner, options);
    this.#open.add(session);
    return session;
  }
  /** Ends all sessions; gives the identities that the engine is to forget. */
  async end(): Promise<Document[]> {
    await Promise.all([...this.#open].map((session) => session.endSession()));
    return this.#free.splice(0).map((server) => server.id);
  }
}
