/**
 * One connection of a server: bytes in, bytes out, and what the client is to the server meanwhile.
 *
 * Messages are answered one after another. `hello`, `killOp`, `currentOp` and authentication are the server's own
 * affair (`commands.ts`); the rest is the engine's. Invariants: no socket is known here; what a client sends ends its
 * own connection at most; of what it does not read no more than one answer is kept.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { CodecError } from "../../codec/error.ts";
import { encode } from "../../codec/encode.ts";
import { elements, member, nameOf, rawField } from "../../codec/members.ts";
import { CURSOR_READERS, PLANNED_READS } from "../../engine/commands.generated.ts";
import { compress, decompress, noop, type Compressor } from "../../wire/compressed.ts";
import { broken, WireError } from "../../wire/error.ts";
import { FrameReader, Opcode, type Frame } from "../../wire/frames.ts";
import { Flag, flagsOf, readMsg, writeMsg } from "../../wire/msg.ts";
import { readQuery, writeReply } from "../../wire/query.ts";
import { errorOf, isOpen, openingCommand, ownCommand } from "./commands.ts";
import type { Front } from "./front.ts";
import type { Operation, Client, Operations } from "./operations.ts";
import type { Runner } from "./runner.ts";
import type { Conversation } from "./scram.ts";
import type { User, Users } from "./users.ts";

export interface StartedWith {
  /** The words that start such a server; without the password. */
  readonly argv: readonly string[];
  /** The same by the names of a configuration file. */
  readonly parsed: Document;
}

/** What all connections of a server share. */
export interface Service {
  readonly front: Front;
  readonly runner: Runner;
  readonly operations: Operations;
  /** Who may sign in; null where nobody can. */
  readonly users: Users | null;
  readonly compressors: readonly Compressor[];
  /** The name of the set, where it is not the engine's. */
  readonly setName: string | null;
  /** The open connections. */
  readonly clients: Iterable<Connection>;
  /** How the server was started, as `getCmdLineOpts` tells it; null where none was. */
  startedWith: StartedWith | null;
  /** The newest reply that tells the time of a write. */
  lastReply: Uint8Array | null;
}

/** The other side of a connection, in bytes. */
export interface Peer {
  readonly local: string;
  readonly remote: string;
  /** Sends bytes; a promise where they have to go before others are sent. It never rejects. */
  send(bytes: Uint8Array): Promise<void> | null;
  /** Ends the connection at once. */
  end(): void;
}

/** A request and how it is answered. */
export interface Exchange {
  readonly command: Uint8Array;
  readonly name: string;
  readonly exhaustAllowed: boolean;
  /** Sends an answer; `more` follow it. */
  send(reply: Uint8Array, more: boolean): Promise<void> | null;
}

/** Sends the message that `write` makes of its number. */
type Send = (write: (request: number) => Uint8Array) => Promise<void> | null;

/** More bytes than these wait in the socket while an answer is made. */
const MOST_AHEAD = 1 << 20;
/** Replies of writes are short. */
const MOST_KEPT = 4096;
/** Stages that write, at the end of a pipeline. */
const WRITING = ["$merge", "$out"];

export class Connection implements Client {
  readonly id: number;
  readonly service: Service;
  readonly #peer: Peer;
  readonly #reader = new FrameReader();
  #busy = false;
  #closed = false;
  readonly #whenClosed = new Set<() => void>();
  #operation: Operation | null = null;
  #lastRequest = 0;
  metadata: Document | null = null;
  /** Who signed in. */
  user: User | null = null;
  /** The sign-in under way, and whose it is. */
  conversation: { readonly of: User; readonly talk: Conversation } | null = null;
  /** `Users.changes` when the user was looked up. */
  #knownChanges = 0;

  constructor(id: number, peer: Peer, service: Service) {
    this.id = id;
    this.#peer = peer;
    this.service = service;
  }

  get local(): string {
    return this.#peer.local;
  }
  get remote(): string {
    return this.#peer.remote;
  }
  get isClosed(): boolean {
    return this.#closed;
  }
  get isIdle(): boolean {
    return this.#operation === null;
  }
  /** Whether no more bytes are to be read for now: `receive` resolves when they may be. */
  get isFull(): boolean {
    return this.#busy && this.#reader.pending > MOST_AHEAD;
  }

  /**
   * Takes bytes; resolves when all messages that they complete are answered. Rejects for a fault of this program alone,
   * which ends the connection too.
   */
  async receive(bytes: Uint8Array): Promise<void> {
    this.#reader.push(bytes);
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) {
        // Who is gone waits for no answer; what was to be done without one is done.
        if (this.#closed && !isUnanswered(frame)) break;
        await this.#message(frame);
      }
    } catch (error) {
      this.#peer.end();
      if (!(error instanceof WireError)) throw error;
    } finally {
      this.#busy = false;
    }
  }

  /** The connection is gone: what only reads for it ends. */
  closed(): void {
    this.#closed = true;
    for (const told of [...this.#whenClosed]) told();
    if (this.#operation !== null && endsWithClient(this.#operation.command)) this.#operation.kill();
  }

  /** Resolves after so many milliseconds, or when the connection is gone. */
  wait(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#whenClosed.delete(over);
        resolve();
      };
      const timer = setTimeout(over, millis);
      this.#whenClosed.add(over);
      if (this.#closed) over();
    });
  }

  async #message(given: Frame): Promise<void> {
    let frame = given;
    let compressor: Compressor | null = null;
    if (given.opcode === Opcode.Compressed)
      ({ frame, compressor } = decompress(given, [...this.service.compressors, noop]));
    let respondsTo = frame.request;
    /** Sends a message and gives its number to the one that follows it. */
    const send: Send = (write) => {
      if (this.#closed) return null;
      this.#lastRequest = (this.#lastRequest + 1) & 0x7fffffff;
      const whole = write(this.#lastRequest);
      respondsTo = this.#lastRequest;
      return this.#peer.send(compressor === null ? whole : compress(whole, compressor));
    };
    if (frame.opcode === Opcode.Msg) {
      const flags = flagsOf(frame);
      const answered = (flags & Flag.MoreToCome) === 0;
      const checksum = (flags & Flag.ChecksumPresent) !== 0;
      const reply: Exchange["send"] = (document, moreToCome) =>
        answered ? send((request) => writeMsg(request, respondsTo, document, { moreToCome, checksum })) : null;
      let read: ReturnType<typeof readMsg>;
      try {
        read = readMsg(frame);
      } catch (error) {
        if (!(error instanceof WireError) || error.fatal) throw error;
        await reply(encode(errorOf(error.code, error.codeName, error.message)), false);
        return;
      }
      const name = commandName(read.command);
      await this.#answer({
        command: read.command,
        name,
        exhaustAllowed: read.exhaustAllowed && answered,
        send: reply,
      });
    } else if (frame.opcode === Opcode.Query) {
      await this.#query(frame, send);
    } else {
      throw broken(`a message of kind ${frame.opcode}`);
    }
  }

  /** The first hello of a client that knows nothing of the server. */
  async #query(frame: Frame, send: Send): Promise<void> {
    const reply: Exchange["send"] = (document, failed) =>
      send((request) => writeReply(request, frame.request, document, failed));
    try {
      const { database, command: given } = readQuery(frame);
      const command = unwrapped(given);
      const name = commandName(command);
      const own = openingCommand(name);
      if (own === null)
        throw new WireError(
          352,
          "UnsupportedOpQueryCommand",
          `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
        );
      const answer = await own(this, database, command);
      await reply(answer, false);
    } catch (error) {
      if (error instanceof CodecError) throw broken(error.message);
      if (!(error instanceof WireError) || error.fatal) throw error;
      const document = { $err: error.message, ...errorOf(error.code, error.codeName, error.message) };
      await reply(encode(document), true);
    }
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { name } = exchange;
    const { users } = this.service;
    if (users !== null && this.user !== null && this.#knownChanges !== users.changes) {
      this.#knownChanges = users.changes;
      this.user = await users.again(this.user);
    }
    if (users?.areRequired === true && this.user === null && !isOpen(name)) {
      await exchange.send(encode(errorOf(13, "Unauthorized", `Command ${name} requires authentication`)), false);
      return;
    }
    try {
      const own = ownCommand(name);
      if (own !== null && (await own(this, exchange))) return;
    } catch (error) {
      // The command cannot be decoded here; the engine, which gets its bytes below, refuses it with the reason.
      if (!(error instanceof CodecError)) throw error;
    }
    if (CURSOR_READERS.includes(name) && exchange.exhaustAllowed) return this.#exhaust(exchange);
    const reply = await this.run(exchange.command);
    if (users?.mayChangeBy(name) === true) users.note(name, databaseOf(exchange.command));
    await exchange.send(reply, false);
  }

  /** The client proved to be this user. */
  signIn(user: User): void {
    this.#knownChanges = this.service.users?.changes ?? 0;
    this.user = user;
  }

  /** Runs a `getMore` again and again, until its cursor has nothing more or nobody reads it. */
  async #exhaust({ command, send }: Exchange): Promise<void> {
    for (;;) {
      const reply = await this.run(command);
      const goesOn = rawField(reply, "ok") === 1 && rawField(reply, "cursor", "id") !== 0n && !this.#closed;
      await send(reply, goesOn);
      if (goesOn) continue;
      // Its client read it to its end in one request, and nobody else knows of the cursor.
      if (this.#closed) await this.run(cursorsEnd(command));
      return;
    }
  }

  /** Has the engine run a command, as an operation of this connection. */
  async run(command: Uint8Array): Promise<Uint8Array> {
    const { operations, runner } = this.service;
    const operation = operations.begin(this, command);
    this.#operation = operation;
    try {
      const running = runner.start(command);
      operation.runs(running.stop);
      const reply = await running.reply;
      if (reply.length <= MOST_KEPT) this.service.lastReply = reply;
      return reply;
    } catch (error) {
      return encode(errorOf(1, "InternalError", error instanceof Error ? error.message : String(error)));
    } finally {
      operations.end(operation);
      this.#operation = null;
    }
  }
}

/** The database of a command; empty where the bytes are no command. */
function databaseOf(command: Uint8Array): unknown {
  try {
    return rawField(command, "$db");
  } catch (error) {
    if (error instanceof CodecError) return "";
    throw error;
  }
}

/** A command's name; empty where the bytes are no command. */
function commandName(command: Uint8Array): string {
  try {
    return nameOf(command);
  } catch (error) {
    if (error instanceof CodecError) return "";
    throw error;
  }
}

/** An older client's command that lies in a field beside its read preference; any other as it is. */
const unwrapped = (command: Uint8Array): Uint8Array =>
  commandName(command) === "$query" ? (member(command, "$query") ?? command) : command;

/** The command that closes the cursor of a `getMore`. */
function cursorsEnd(command: Uint8Array): Uint8Array {
  const { getMore, collection, $db, lsid, txnNumber, autocommit } = decode(command, { numbers: "typed" });
  const session = { lsid, txnNumber, autocommit };
  const given = Object.entries(session).filter(([, value]) => value !== undefined);
  return encode({ killCursors: collection, cursors: [getMore], ...Object.fromEntries(given), $db });
}

/** Whether a message wants no answer. */
const isUnanswered = (frame: Frame): boolean =>
  frame.opcode === Opcode.Msg && frame.bytes.length > 20 && (flagsOf(frame) & Flag.MoreToCome) !== 0;

/** Whether a command ends when its client is gone: it only reads. A write is done, as on a server. */
function endsWithClient(command: Uint8Array): boolean {
  try {
    const name = nameOf(command);
    if (CURSOR_READERS.includes(name)) return true;
    if (!PLANNED_READS.includes(name)) return false;
    const last = elements(command, "pipeline").at(-1);
    return last === undefined || !WRITING.includes(nameOf(last));
  } catch {
    return false;
  }
}
