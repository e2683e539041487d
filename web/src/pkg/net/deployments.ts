/**
 * What sockets end in: a deployment for each host of a connection string.
 *
 * A host is the deployment of its name, as `quire://<host>` is, unless an engine was given for it: in a browser in a
 * worker of its own where there are some, kept in IndexedDB, else in this thread and in memory. Invariants: all sockets
 * to a host share its engine; one that was opened here is closed behind the last of them, and not opened again before
 * that is done.
 */
import { openEngine } from "../../client/open.ts";
import { MAX_JOINED_BYTES } from "../../wire/msg.ts";
import type { Engine } from "../engine.ts";
import { hasWorkers, isBrowser } from "../realm.ts";
import type { Connection, Service } from "../server/connection.ts";
import { Front } from "../server/front.ts";
import { EngineHere, topologyOf } from "../server/here.ts";
import { Operations } from "../server/operations.ts";
import type { Runner } from "../server/runner.ts";

/** Runs commands by a function that takes bytes for good: those of a connection are parts of messages. */
const runner = (
  run: (command: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>,
  close: Runner["close"],
): Runner => ({
  start(command) {
    const ending = new AbortController();
    return { reply: run(command.slice(), ending.signal), stop: () => ending.abort() };
  },
  // Nobody reaches it from outside, so that it has no address.
  present: () => undefined,
  close,
});

async function openRunner(name: string): Promise<Runner> {
  const storage = isBrowser() ? "indexeddb" : "memory";
  if (hasWorkers()) {
    const client = await openEngine({ deployment: { name, storage, mostBytes: MAX_JOINED_BYTES } });
    return runner(
      (command, signal) => client.commandBytes(command, signal),
      () => client.close(),
    );
  }
  const { Abortion, keep } = await import("../stored.ts");
  const kept = await keep(name, { storage, mostBytes: MAX_JOINED_BYTES });
  return runner((command, signal) => kept.run(command, new Abortion(signal)), kept.close);
}

/** The open deployment of a host. */
export interface Open {
  readonly service: Service;
  readonly clients: Set<Connection>;
}
interface Used {
  readonly open: Promise<Open>;
  users: number;
}

/** The engines that were given, by host. */
const given = new Map<string, Engine>();
const used = new Map<string, Used>();
/** What is being closed, by host. */
const closing = new Map<string, Promise<unknown>>();

/**
 * Has sockets to a host end in this engine, which stays the caller's to close. Gives what ends that for sockets to
 * come.
 */
export function listen(host: string, engine: Engine): () => void {
  const name = host.toLowerCase();
  if (given.has(name) || used.has(name)) throw new Error(`there is a deployment at ${host} already`);
  given.set(name, engine);
  return () => {
    if (given.get(name) === engine) given.delete(name);
  };
}

async function open(host: string): Promise<Open> {
  await closing.get(host);
  const engine = given.get(host);
  const [front, runner] = await Promise.all([
    Front.of(topologyOf(engine)),
    engine === undefined ? openRunner(host) : new EngineHere(engine),
  ]);
  const clients = new Set<Connection>();
  const service = {
    front,
    runner,
    operations: new Operations(),
    users: null,
    compressors: [],
    setName: null,
    startedWith: null,
    clients,
    lastReply: null,
  };
  return { service, clients };
}

/** Takes the deployment of a host for one socket more; rejects where it cannot be opened. */
export function take(host: string): Promise<Open> {
  let found = used.get(host);
  if (found === undefined) {
    found = { open: open(host), users: 0 };
    used.set(host, found);
  }
  found.users += 1;
  return found.open;
}

/** Gives the deployment of a host back. */
export function release(host: string): void {
  const found = used.get(host);
  if (found === undefined || --found.users > 0) return;
  used.delete(host);
  const closed = found.open.then(({ service }) => service.runner.close()).catch(() => undefined);
  closing.set(host, closed);
  void closed.then(() => {
    if (closing.get(host) === closed) closing.delete(host);
  });
}
