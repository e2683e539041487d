/**
 * The operations of a server: what runs or waits for its turn, for whom, and how each is ended. `currentOp` shows them,
 * `killOp` ends one.
 */
import { Long, type Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { nameOf, rawField } from "../../codec/members.ts";
import { WITH_PASSWORD } from "../../engine/commands.generated.ts";

/** Who asks. */
export interface Client {
  readonly id: number;
  /** The addresses of both ends: `127.0.0.1:50123`. */
  readonly local: string;
  readonly remote: string;
  /** What the client told of itself in its first hello. */
  readonly metadata: Document | null;
}

/** A longer command is shown by its beginning. */
const MOST_SHOWN_BYTES = 1000;

/** How an operation's kind is called; any other is a command. */
const KINDS: Readonly<Record<string, string>> = {
  find: "query",
  getMore: "getmore",
  insert: "insert",
  update: "update",
  delete: "remove",
};

export class Operation {
  readonly id: number;
  readonly client: Client;
  readonly command: Uint8Array;
  readonly #started = performance.now();
  #stop: (() => void) | null = null;
  #killed = false;

  constructor(id: number, client: Client, command: Uint8Array) {
    this.id = id;
    this.client = client;
    this.command = command;
  }

  get killed(): boolean {
    return this.#killed;
  }

  /** Says how what runs now is ended. */
  runs(stop: () => void): void {
    this.#stop = stop;
    if (this.#killed) stop();
  }

  kill(): void {
    this.#killed = true;
    this.#stop?.();
  }

  /** As `currentOp` shows it; a long command whole or by its beginning. */
  document(truncates: boolean): Document {
    const micros = Math.max(0, Math.round((performance.now() - this.#started) * 1000));
    const shown = this.#shown(truncates);
    return {
      type: "op",
      ...clientFields(this.client),
      active: true,
      currentOpTime: new Date().toISOString().replace("Z", "+00:00"),
      opid: this.id,
      ...(this.#killed ? { killPending: true } : {}),
      ...shown,
      secs_running: Long.fromNumber(Math.floor(micros / 1_000_000)),
      microsecs_running: Long.fromNumber(micros),
      numYields: 0,
      locks: {},
      waitingForLock: false,
      lockStats: {},
      waitingForFlowControl: false,
      flowControlStats: {},
    };
  }

  #shown(truncates: boolean): Document {
    try {
      const name = nameOf(this.command);
      const database = String(rawField(this.command, "$db"));
      const collection = rawField(this.command, name === CURSOR_READER ? "collection" : name);
      const none = name === PIPELINE ? `$cmd.${name}` : "$cmd";
      const ns = `${database}.${typeof collection === "string" ? collection : none}`;
      const kind = { op: Object.hasOwn(KINDS, name) ? KINDS[name] : "command", ns, redacted: false };
      if (truncates && this.command.length > MOST_SHOWN_BYTES)
        return { ...kind, command: { $truncated: `{ ${name}: ${JSON.stringify(collection ?? 1)}, ...` } };
      const command = decode(this.command, { numbers: "typed" });
      // As the engine shows them.
      if (WITH_PASSWORD.includes(name) && command["pwd"] !== undefined) command["pwd"] = "xxx";
      return { ...kind, ...(command["lsid"] === undefined ? {} : { lsid: command["lsid"] as Document }), command };
    } catch {
      // The command cannot be decoded; the engine is about to refuse it.
      return { op: "command", ns: "", command: {} };
    }
  }
}

const CURSOR_READER = "getMore";
const PIPELINE = "aggregate";

function clientFields(client: Client): Document {
  const application = (client.metadata?.["application"] as Document | undefined)?.["name"] as string | undefined;
  return {
    host: client.local,
    desc: `conn${client.id}`,
    connectionId: client.id,
    client: client.remote,
    ...(application === undefined ? {} : { appName: application }),
    ...(client.metadata === null ? {} : { clientMetadata: client.metadata }),
  };
}

/** A connection that asks for nothing now. */
export const idleDocument = (client: Client): Document => ({ type: "op", ...clientFields(client), active: false });

export class Operations {
  #last = 0;
  readonly #running = new Map<number, Operation>();

  begin(client: Client, command: Uint8Array): Operation {
    this.#last += 1;
    const begun = new Operation(this.#last, client, command);
    this.#running.set(begun.id, begun);
    return begun;
  }

  end(operation: Operation): void {
    this.#running.delete(operation.id);
  }

  /** Ends an operation; a number that none has is no error. */
  kill(id: number): void {
    this.#running.get(id)?.kill();
  }

  get all(): readonly Operation[] {
    return [...this.#running.values()];
  }
}
