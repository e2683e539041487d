/**
 * The events of a client, by the Node driver's names and members: `commandStarted`, then `commandSucceeded` or
 * `commandFailed`, which a client made with `monitorCommands: true` has; `open` when its deployment was opened, and
 * `close` when it was closed, which each client has.
 *
 * Invariants: a listener that throws ends neither the command nor another listener; its error is the page's or the
 * process's, as that of any event. Events of connections and servers are refused by their names: none would ever come.
 */
import type { Document } from "bson";
import type { MongoClient } from "./client.ts";
import { MongoInvalidArgumentError } from "./errors.ts";

/** What all events of a command have. */
interface CommandEvent {
  /** The client's address. */
  readonly address: string;
  /** Tells a client's commands apart. */
  readonly requestId: number;
  readonly commandName: string;
  readonly databaseName: string;
}
export interface CommandStartedEvent extends CommandEvent {
  /** The command as it is sent, with `$db`. */
  readonly command: Document;
}
export interface CommandSucceededEvent extends CommandEvent {
  /** Milliseconds from the start to the reply. */
  readonly duration: number;
  readonly reply: Document;
}
export interface CommandFailedEvent extends CommandEvent {
  /** Milliseconds from the start to the failure. */
  readonly duration: number;
  readonly failure: Error;
}

/** The events of a client, with what their listeners are given. */
export interface MongoClientEvents {
  open: [client: MongoClient];
  close: [];
  commandStarted: [event: CommandStartedEvent];
  commandSucceeded: [event: CommandSucceededEvent];
  commandFailed: [event: CommandFailedEvent];
}
export type MongoClientEventName = keyof MongoClientEvents;
export type MongoClientListener<Name extends MongoClientEventName> = (...given: MongoClientEvents[Name]) => void;

const NAMES: readonly string[] = ["open", "close", "commandStarted", "commandSucceeded", "commandFailed"];

interface Entry {
  readonly listener: (...given: readonly unknown[]) => void;
  readonly once: boolean;
}

/** The listeners of one client. */
export class Monitor {
  readonly #address: string;
  readonly #entries = new Map<string, readonly Entry[]>();
  #requests = 0;

  constructor(address: string) {
    this.#address = address;
  }

  /** Throws for a name that is no event's, and for a listener that is no function. */
  add(name: string, listener: unknown, once: boolean): void {
    if (!NAMES.includes(name))
      throw new MongoInvalidArgumentError(
        `there is no event ${JSON.stringify(name)} here: the events of a client are ${NAMES.join(", ")}`,
      );
    if (typeof listener !== "function") throw new MongoInvalidArgumentError("a listener is a function");
    this.#entries.set(name, [...(this.#entries.get(name) ?? []), { listener: listener as Entry["listener"], once }]);
  }
  /** Takes away the newest of the same listeners. */
  remove(name: string, listener: unknown): void {
    const entries = this.#entries.get(name) ?? [];
    const last = entries.findLastIndex((entry) => entry.listener === listener);
    if (last >= 0)
      this.#entries.set(
        name,
        entries.filter((_, index) => index !== last),
      );
  }
  /** Takes away all listeners, or those of one event. */
  clear(name: string | undefined): void {
    if (name === undefined) this.#entries.clear();
    else this.#entries.delete(name);
  }
  count(name: string): number {
    return this.#entries.get(name)?.length ?? 0;
  }

  /** Tells the listeners of an event. */
  emit<Name extends MongoClientEventName>(name: Name, ...given: MongoClientEvents[Name]): void {
    const entries = this.#entries.get(name) ?? [];
    for (const { listener, once } of entries) {
      if (once) this.remove(name, listener);
      try {
        listener(...given);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Tells of a command that is about to be sent; gives what tells of its end. */
  started(databaseName: string, command: Document): CommandEnd {
    this.#requests += 1;
    const [commandName = ""] = Object.keys(command);
    const about = { address: this.#address, requestId: this.#requests, commandName, databaseName };
    const begun = performance.now();
    this.emit("commandStarted", { ...about, command: { ...command, $db: databaseName } });
    return {
      succeeded: (reply) => this.emit("commandSucceeded", { ...about, duration: performance.now() - begun, reply }),
      failed: (failure) => this.emit("commandFailed", { ...about, duration: performance.now() - begun, failure }),
    };
  }
}

export interface CommandEnd {
  readonly succeeded: (reply: Document) => void;
  readonly failed: (failure: Error) => void;
}
