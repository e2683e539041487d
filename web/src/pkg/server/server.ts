/**
 * The server: sockets on one side, an engine on the other.
 *
 * Invariants: it listens to this machine alone unless it is told another address, and then only to who knows the
 * password; nothing of it keeps the process alive once it is closed.
 */
import { createServer as listenOn, isIPv6, type AddressInfo, type Server, type Socket } from "node:net";
import { hostname } from "node:os";
import { constants, deflateSync, inflateSync } from "node:zlib";
import { Double, Int32 } from "bson";
import { topologyFault } from "../../engine/topology.ts";
import { memoryLimitFault } from "../../engine/heap.ts";
import type { Compressor } from "../../wire/compressed.ts";
import { isTlsHello } from "../../wire/tls.ts";
import type { Engine } from "../engine.ts";
import { optionNamesFault } from "../option-names.ts";
import { Connection, type Service, type StartedWith } from "./connection.ts";
import { Front } from "./front.ts";
import { EngineHere, topologyOf } from "./here.ts";
import { Operations } from "./operations.ts";
import type { Runner } from "./runner.ts";
import { credentials } from "./scram.ts";
import { ServedHere } from "./served-here.ts";
import { EngineThread, MOST_COMMANDS } from "./thread.ts";
import { ownUser, Users } from "./users.ts";

export interface ServerOptions {
  /** The port; 0 takes one that is free. Default 27017. */
  readonly port?: number;
  /** The address to listen on. Default `127.0.0.1`; one that other machines reach needs `user` and `password`. */
  readonly host?: string;
  /** The name of the one user, of the database `admin`; with `password`. Clients then have to authenticate. */
  readonly user?: string;
  readonly password?: string;
  /**
   * The engine to serve, which stays the caller's to close. By default the server has one of its own, in a thread of
   * its own, where `killOp` and a closed socket end a running command.
   */
  readonly engine?: Engine;
  /**
   * The file that keeps the data, made where there is none; not with `engine`. Without it they are in memory, and gone
   * with the server.
   */
  readonly data?: string;
  /** As of `Engine.create`; not with `engine`. */
  readonly topology?: "replicaSet" | "standalone";
  /** As of `Engine.create`; not with `engine`. */
  readonly maxMemoryBytes?: number;
  /** The name of the replica set; default `quire`. */
  readonly replicaSet?: string;
  /**
   * Where the server's own engine runs: in a thread of its own (`"own"`, the default), or in the caller's (`"this"`):
   * it starts sooner and takes less there, and the thread stands still while a command runs. Not with `data`.
   */
  readonly thread?: "own" | "this";
}

export interface QuireServer {
  readonly host: string;
  readonly port: number;
  /** The connection string, with the user and the password where there are some. */
  readonly uri: string;
  /** Ends all connections and what runs for them; what was to be stored is stored. */
  close(): Promise<void>;
}

const DEFAULT_PORT = 27017;
const LOOPBACK = "127.0.0.1";
const BACKLOG = 1024;
/** Not one address but all that the machine has, which its name stands for. */
const EVERY_ADDRESS = ["0.0.0.0", "::"];

const zlib: Compressor = {
  name: "zlib",
  id: 2,
  // As fast as it can: the other side is near.
  compress: (bytes) => deflateSync(bytes, { level: constants.Z_BEST_SPEED }),
  decompress: (bytes, length) => inflateSync(bytes, { maxOutputLength: Math.max(length, 1) }),
};

const WANTS_TLS =
  "a client wants to speak TLS (tls=true in its connection string, or mongodb+srv), which this server does not: " +
  "leave it out of the connection string, or put a tunnel with TLS before the server";

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host);
/** An address as drivers write it; one of IPv4 that came over a socket of IPv6 is that of IPv4. */
export function addressOf(host = "", port = 0): string {
  const plain = host.replace(/^::ffff:(?=\d+\.)/, "");
  return `${isIPv6(plain) ? `[${plain}]` : plain}:${port}`;
}

const OPTION_NAMES = {
  port: true,
  host: true,
  user: true,
  password: true,
  engine: true,
  data: true,
  topology: true,
  maxMemoryBytes: true,
  replicaSet: true,
  thread: true,
} as const;

/** Why a server cannot be had with these options, for a person; null when it can. */
export function serverFault(options: ServerOptions): string | null {
  const { port, host, user, password, engine, data, topology, maxMemoryBytes, replicaSet, thread } = options;
  const strange = optionNamesFault(options, OPTION_NAMES);
  if (strange !== null) return strange;
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    return `port must be a number from 0 to 65535, not ${String(port)}`;
  if ((user === undefined) !== (password === undefined)) return "user and password belong together";
  if (user === "" || password === "") return "user and password must not be empty";
  if (host !== undefined && !isLoopback(host) && user === undefined)
    return `on ${host} other machines reach the server: it needs a user and a password`;
  if (engine !== undefined && (topology !== undefined || maxMemoryBytes !== undefined || data !== undefined))
    return "data, topology and maxMemoryBytes are the engine's, which is given";
  if (thread !== undefined && thread !== "own" && thread !== "this")
    return `thread must be "own" or "this", not ${JSON.stringify(thread)}`;
  if (thread === "this" && data !== undefined) return "data in a file need the thread of their own";
  if (thread === "own" && engine !== undefined) return "an engine that is given runs in the caller's thread";
  if (replicaSet === "") return "replicaSet must not be empty";
  if (replicaSet !== undefined && (topology ?? topologyOf(engine)) === "standalone")
    return "a standalone has no replicaSet";
  if (data === "") return "data must be the name of a file";
  return topologyFault(topology) ?? memoryLimitFault(maxMemoryBytes);
}

/** Runs commands on a server's engine before anybody else can. */
export type Prepare = (run: (command: Uint8Array) => Promise<Uint8Array>) => Promise<void>;

/** Tells the person who runs the server of something. */
type Complain = (text: string) => void;

/**
 * Starts a server; resolves once it listens. Rejects with Node's error where the port is taken (`EADDRINUSE`), and
 * with a `TypeError` for options that cannot be had or that there are not.
 */
export function createServer(options: ServerOptions = {}): Promise<QuireServer> {
  return startServer(options, () => Promise.resolve());
}

/** Opens what runs a server's commands. */
export function openRunner(options: ServerOptions): Runner | Promise<Runner> {
  const { engine, thread, data, topology, maxMemoryBytes } = options;
  if (engine !== undefined) return new EngineHere(engine, credentials);
  return (thread === "this" ? ServedHere : EngineThread).open({ data, topology, maxMemoryBytes });
}

/** The same, after `prepare` has put data in. */
export async function startServer(
  options: ServerOptions,
  prepare: Prepare,
  complain: Complain = (text) => process.emitWarning(text),
): Promise<QuireServer> {
  const fault = serverFault(options);
  if (fault !== null) throw new TypeError(fault);
  const { topology = topologyOf(options.engine) } = options;
  const [runner] = await Promise.all([openRunner(options), Front.of(topology)]);
  try {
    await prepare((command) => runner.start(command).reply);
    const server = await listenFor(runner, options, complain);
    let closing: Promise<void> | null = null;
    return { ...server, close: () => (closing ??= server.close().then(() => runner.close())) };
  } catch (error) {
    await runner.close();
    throw error;
  }
}

/** Has a server listen for a runner, which stays open when the server is closed. */
export async function listenFor(
  runner: Runner,
  options: ServerOptions,
  complain: Complain = (text) => process.emitWarning(text),
): Promise<QuireServer> {
  const { user, password, engine, topology = topologyOf(engine), replicaSet = null } = options;
  const front = await Front.of(topology);
  const clients = new Map<Socket, Connection>();
  const service: Service = {
    front,
    runner,
    operations: new Operations(),
    users: new Users(user === undefined || password === undefined ? null : ownUser(user, password), runner),
    compressors: [zlib],
    setName: replicaSet,
    clients: { [Symbol.iterator]: () => clients.values() },
    startedWith: startedWith(options, 0),
    lastReply: null,
  };
  let last = 0;
  let isTold = false;
  /** Once is enough: a driver tries again and again. */
  const tellOfTls = (): void => {
    if (!isTold) complain(WANTS_TLS);
    isTold = true;
  };
  const server = listenOn({ noDelay: true, keepAlive: true }, (socket) => {
    last += 1;
    serve(socket, last, service, { clients, tellOfTls });
  });
  server.maxConnections = MOST_COMMANDS;
  const { host = LOOPBACK, port = DEFAULT_PORT } = options;
  await listening(server, host, port);
  const { address, port: bound } = server.address() as AddressInfo;
  service.startedWith = startedWith(options, bound);
  runner.present(addressOf(EVERY_ADDRESS.includes(address) ? hostname() : address, bound));
  const name = user === undefined ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`;
  return {
    host,
    port: bound,
    uri: `mongodb://${name}${addressOf(host, bound)}/`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of clients.keys()) socket.destroy();
      await closed;
      runner.present(undefined);
    },
  };
}

/** How a server with these options is told of. */
function startedWith(
  { host = LOOPBACK, user, data, topology, replicaSet = "quire", maxMemoryBytes }: ServerOptions,
  port: number,
): StartedWith {
  const words = ["quiredb", "serve", "--port", String(port), "--host", host];
  if (user !== undefined) words.push("--user", user, "--password", "<password>");
  if (data !== undefined) words.push("--data", data);
  return {
    argv: words,
    parsed: {
      net: { bindIp: host, port: new Int32(port) },
      ...(topology === "standalone" ? {} : { replication: { replSet: replicaSet } }),
      ...(user === undefined ? {} : { security: { authorization: "enabled" } }),
      storage: {
        ...(data === undefined ? { engine: "inMemory" } : { dbPath: data }),
        ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes: new Double(maxMemoryBytes) }),
      },
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

/** What a socket that ends or is refused concerns beside its own connection. */
interface Others {
  readonly clients: Map<Socket, Connection>;
  tellOfTls(): void;
}

/** Puts a connection behind a socket. */
function serve(socket: Socket, id: number, service: Service, { clients, tellOfTls }: Others): void {
  let isFirst = true;
  /** Wakes who waits until the client has read what was sent. */
  let drained: (() => void) | null = null;
  const drain = (): void => {
    drained?.();
    drained = null;
  };
  const connection = new Connection(
    id,
    {
      local: addressOf(socket.localAddress, socket.localPort),
      remote: addressOf(socket.remoteAddress, socket.remotePort),
      send(bytes) {
        if (socket.destroyed || socket.write(bytes)) return null;
        return new Promise((resolve) => (drained = resolve));
      },
      end: () => socket.destroy(),
    },
    service,
  );
  clients.set(socket, connection);
  socket.on("data", (bytes: Buffer) => {
    const { buffer, byteOffset, length } = bytes;
    if (isFirst && isTlsHello(bytes)) {
      tellOfTls();
      socket.destroy();
      return;
    }
    isFirst = false;
    // A plain view: the methods of a Buffer share bytes where those of other arrays copy them.
    connection.receive(new Uint8Array(buffer, byteOffset, length)).then(
      () => {
        if (socket.isPaused() && !connection.isFull) socket.resume();
      },
      (error: unknown) => process.emitWarning(error as Error),
    );
    if (connection.isFull) socket.pause();
  });
  socket.on("drain", drain);
  // Its connection is all that ends.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clients.delete(socket);
    connection.closed();
    drain();
  });
}
