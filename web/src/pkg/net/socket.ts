/**
 * A socket that ends in an engine of this page or process.
 *
 * The stream is Node's, or what the bundler has in its place. Invariants: what the client does not read holds up its
 * own connection alone; a socket gives its deployment back once, however it ends.
 */
// biome-ignore lint/style/useNodejsImportProtocol: bundlers have another module in its place by this name
import { Duplex } from "stream";
import { Connection } from "../server/connection.ts";
import { release, take } from "./deployments.ts";

/** What a client asks for; the rest steers a network. */
export interface ConnectOptions {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
}

let last = 0;

export class Socket extends Duplex {
  /** What a client may ask of a socket. */
  readonly remoteFamily = "IPv4";
  readonly encrypted = true;
  readonly authorized = true;
  remoteAddress = "";
  remotePort = 0;
  localAddress = "";
  localPort = 0;
  connecting = false;
  #connection: Connection | null = null;
  #release: (() => void) | null = null;
  /** Wakes the connection when what it sent was read. */
  #read: (() => void) | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #idleMillis = 0;

  constructor() {
    super({ allowHalfOpen: false });
  }

  /** Opens the deployment; `connect` and `secureConnect` tell that it is there. */
  connect({ host = "localhost", port = 27017, path }: ConnectOptions): this {
    if (path !== undefined) {
      this.destroy(new Error(`${path} is a socket of a machine's files, and this one ends in an engine`));
      return this;
    }
    last += 1;
    const id = last;
    const name = host.toLowerCase();
    this.connecting = true;
    [this.remoteAddress, this.remotePort, this.localAddress, this.localPort] = [name, port, name, id];
    this.#release = () => release(name);
    take(name).then(
      ({ service, clients }) => {
        if (this.destroyed) return;
        const connection = new Connection(
          id,
          {
            local: `${name}:${port}`,
            remote: `${name}:${id}`,
            send: (bytes) => this.#give(bytes),
            end: () => this.destroy(),
          },
          service,
        );
        this.#connection = connection;
        clients.add(connection);
        const leave = this.#release;
        this.#release = () => {
          clients.delete(connection);
          leave?.();
        };
        this.connecting = false;
        this.emit("connect");
        this.emit("secureConnect");
        this.emit("ready");
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return this;
  }

  #give(bytes: Uint8Array): Promise<void> | null {
    this.#touch();
    if (this.destroyed || this.push(bytes)) return null;
    return new Promise((resolve) => (this.#read = resolve));
  }
  override _read(): void {
    const read = this.#read;
    this.#read = null;
    read?.();
  }
  override _write(chunk: Uint8Array, _encoding: unknown, done: (error?: Error | null) => void): void {
    this.#touch();
    const connection = this.#connection;
    if (connection === null) {
      this.once("connect", () => this._write(chunk, _encoding, done));
      return;
    }
    // A plain view: the methods of a Buffer share bytes where those of other arrays copy them.
    const received = connection.receive(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length));
    received.catch((error: unknown) => this.destroy(error as Error));
    if (!connection.isFull) done();
    else
      received.then(
        () => done(),
        () => undefined,
      );
  }
  override _final(done: () => void): void {
    done();
    this.destroy();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.connecting = false;
    this.#connection?.closed();
    this._read();
    this.#release?.();
    this.#release = null;
    done(error);
  }

  #touch(): void {
    clearTimeout(this.#idle);
    if (this.#idleMillis > 0) this.#idle = setTimeout(() => this.emit("timeout"), this.#idleMillis);
  }
  /** Has `timeout` told when nothing was sent for so many milliseconds; never for 0. */
  setTimeout(millis: number, heard?: () => void): this {
    this.#idleMillis = millis;
    if (heard !== undefined) this.once("timeout", heard);
    this.#touch();
    return this;
  }
  // There is no network that these could steer.
  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
