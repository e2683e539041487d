/** `Mongo`: the connection as scripts see it (`db.getMongo()`), and the databases it holds. */
import { watch, type ChangeStreamCursor } from "./change-stream.ts";
import { clientBulkWrite, type ClientBulkWriteResult } from "./client-bulk.ts";
import { withId } from "./collection/base.ts";
import { toSort } from "./cursor.ts";
import { Database } from "./database.ts";
import {
  MongoClientBulkWriteError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoshInvalidInputError,
  type Document,
} from "./errors.ts";
import { SHELL_TEXT } from "./format.ts";
import { isAcknowledged, type Connection } from "./host.ts";
import { Session } from "./session.ts";

/** Characters that the manual forbids in a database's name; the engine checks the rest. */
const FORBIDDEN = /[/\\. "$*<>:|?\0]/;

/** The address by which the one connection shows itself. */
export const HERE = "quire://this-page";

export class Mongo {
  readonly #connection: Connection;
  readonly #databases = new Map<string, Database>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  connection(): Connection {
    return this.#connection;
  }
  getDB(name: unknown): Database {
    if (typeof name !== "string" || name === "" || FORBIDDEN.test(name)) {
      throw new MongoshInvalidInputError(`Invalid database name: ${String(name)}`);
    }
    let database = this.#databases.get(name);
    if (database === undefined) {
      database = new Database(this, name);
      this.#databases.set(name, database);
    }
    return database;
  }
  getDBs(options: Document = {}): Document {
    return this.#connection.run("admin", { listDatabases: 1, ...options });
  }
  getDBNames(): string[] {
    return (this.getDBs({ nameOnly: true })["databases"] as Document[]).map((database) => String(database["name"]));
  }
  adminCommand(command: unknown): Document {
    return this.getDB("admin").adminCommand(command);
  }
  /** Writes to several collections in one command. */
  bulkWrite(models: readonly Document[], options: Document = {}): ClientBulkWriteResult {
    const commands = clientBulkWrite(
      models,
      options,
      {
        withId,
        cursorId: (id) => id,
        sort: toSort,
        invalid: (message) => new MongoInvalidArgumentError(message),
        failed: (message, failure) => new MongoClientBulkWriteError(message, failure),
      },
      isAcknowledged(options),
    );
    let step = commands.next();
    while (step.done !== true) {
      const reply = this.#connection.send("admin", step.value.command, step.value.cut);
      step = Number(reply["ok"]) === 1 ? commands.next(reply) : commands.throw(new MongoServerError(reply));
    }
    return step.value;
  }
  startSession(options: Document = {}): Session {
    const databases = (connection: Connection): ((name: unknown) => Database) => {
      const mongo = new Mongo(connection);
      return (name) => mongo.getDB(name);
    };
    return new Session(this.#connection, databases, options, () => Date.now());
  }
  /** A change stream over all databases. */
  watch(pipeline?: unknown, options?: Document): ChangeStreamCursor {
    const stage = { allChangesForCluster: true };
    return watch({ connection: this.#connection, database: "admin", stage, on: HERE }, pipeline, options);
  }
  setReadPref(mode: string): void {
    if (!["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"].includes(mode)) {
      throw new MongoshInvalidInputError(`Invalid read preference mode "${mode}"`);
    }
  }
  getReadPrefMode(): string {
    return "primary";
  }
  [SHELL_TEXT](): string {
    return HERE;
  }
}
