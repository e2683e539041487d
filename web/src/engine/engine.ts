/**
 * An open engine: BSON in, BSON out. `document-engine.ts` takes and gives objects.
 *
 * Invariants: views over wasm memory live only within one call, because memory moves when it grows. A trap
 * never reaches the caller: it becomes an error reply, and the engine answers nothing but errors from then on, without
 * calling the WebAssembly again, whose objects are as the trap left them. A deployment that is stored may miss pages,
 * and a page's own thread the languages of text indexes: `commandBytes` waits for them, the synchronous calls cannot.
 */
import type { Document } from "bson";
import { MAX_COMMAND_BYTES } from "../codec/cut.ts";
import { encode, type ByteTarget } from "../codec/encode.ts";
import { accountOf, NO_TOTALS, type Account } from "./account.ts";
import { Trouble, type EngineStatus, type WasmEngine } from "./bindings.ts";

/** Longer room is given back after the next command that does with less; it is kept for others like it until then. */
const KEPT_ROOM = 1 << 19;

/** A reply that says the command could not be run at all. */
export function errorReply(code: number, codeName: string, errmsg: string): Document {
  return { ok: 0, errmsg, code, codeName };
}

export const tooLarge = (length: number): Document =>
  errorReply(10334, "BSONObjectTooLarge", `the command is ${length} bytes long; the limit is ${MAX_COMMAND_BYTES}`);

/** The reply to a synchronous command that met a page, or languages of a text index, which are not in memory. */
const UNREAD = errorReply(
  39,
  "FileStreamFailed",
  "a page of the deployment, or the languages of a text index, are still being read: run the command again",
);

/** The reply to a command that the engine's memory has no room for. */
const TOO_LONG = errorReply(
  146,
  "ExceededMemoryLimit",
  "the engine's memory has reached its limit (maxMemoryBytes): there is no room for the command itself",
);

/** Thrown by `grow` where memory has no room, up to the call that began. */
export class NoRoom extends Error {}

const NO_BYTES = new Uint8Array(0);

export class Engine implements ByteTarget {
  #wasm: WasmEngine;
  #memory: WebAssembly.Memory;
  readonly #begins: () => void;
  /** All of wasm memory; empty once memory moved. */
  #bytes: Uint8Array = NO_BYTES;
  /** The room for commands. */
  #target: Uint8Array = NO_BYTES;
  #pointer = 0;
  #room = 0;
  /** Wasm memory holds more room than `#room` says. */
  #bulky = false;
  #broken: string | null = null;
  /** Rejects each call that waits for storage: after a trap such a call never ends by itself. */
  readonly #waiting = new Set<(error: Error) => void>();
  #lastStatus: EngineStatus = {};
  #closed = false;

  /** `begins` is called before each command is run. */
  constructor(wasm: WasmEngine, memory: WebAssembly.Memory, begins: () => void = () => undefined) {
    this.#wasm = wasm;
    this.#memory = memory;
    this.#begins = begins;
  }

  /** All of wasm memory, as it is now: a view over memory that moved is empty. */
  protected all(): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  /** Room in wasm memory for a command; bytes written before are carried over. */
  grow(length: number): Uint8Array {
    if (length > this.#room) {
      const pointer = this.#wasm.commandBuffer(length);
      if (pointer === 0) throw new NoRoom();
      this.#pointer = pointer;
      this.#room = length;
      this.#target = NO_BYTES;
    }
    if (this.#target.length === 0) this.#target = new Uint8Array(this.#memory.buffer, this.#pointer, this.#room);
    return this.#target;
  }

  protected usable(): void {
    if (this.#closed) throw new Error("the engine is closed");
  }

  /** Runs the command in the room; gives where its reply lies. */
  protected call(length: number): number {
    this.#begins();
    const reply = this.#wasm.run(length);
    if (this.#room > KEPT_ROOM) {
      this.#bulky = true;
      this.#room = 0;
    } else if (this.#bulky) {
      this.#bulky = false;
      this.#room = 0;
      this.#wasm.commandBuffer(0);
    }
    return reply;
  }

  /** Why nothing can be run any more, or null. */
  get broken(): string | null {
    return this.#broken;
  }

  /**
   * Notes that the engine's code ended in the middle, by a trap or by a stack that overflowed. Also called from
   * outside: a trap in a task of the engine's own is seen by nobody but the realm.
   */
  trapped(error: unknown): string {
    if (this.#broken === null) {
      this.#broken = `the engine stopped: ${error instanceof Error ? error.message : String(error)}; open it again`;
      for (const reject of this.#waiting) reject(new Error(this.#broken));
      this.#waiting.clear();
    }
    return this.#broken;
  }

  /** The reply to a command that the engine did not come to the end of. */
  protected failed(error: unknown): Document {
    if (error instanceof NoRoom) return TOO_LONG;
    return errorReply(1, "InternalError", this.trapped(error));
  }

  /** Asks the WebAssembly for something; `otherwise` when the engine is closed or has ended, or ends by this. */
  #ask<Answer>(question: () => Answer, otherwise: Answer): Answer {
    if (this.#closed || this.#broken !== null) return otherwise;
    try {
      return question();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.trapped(error);
      return otherwise;
    }
  }

  /** Makes a call that waits for storage; rejects when the engine ends in a trap meanwhile. */
  #awaited<Result>(call: () => Promise<Result>): Promise<Result> {
    this.usable();
    return new Promise<Result>((resolve, reject) => {
      if (this.#broken !== null) return reject(new Error(this.#broken));
      this.#waiting.add(reject);
      let called: Promise<Result>;
      try {
        called = call();
      } catch (error) {
        this.trapped(error);
        return;
      }
      called.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /**
   * Runs a command given as bytes of any kind; bytes that are no command, or are longer than a message may be, get an
   * error reply. To be used where all pages are there.
   */
  runBytes(command: Uint8Array, mostBytes = MAX_COMMAND_BYTES): Uint8Array {
    return this.#tryBytes(command, mostBytes) ?? encode(this.unread());
  }

  /** The reply to a command that stopped at missing pages or languages; they are fetched meanwhile for the next one. */
  protected unread(): Document {
    // A fetch that fails is begun again by the next command that stops there.
    this.#awaited(() => this.#wasm.fetchMissing()).catch(() => undefined);
    return UNREAD;
  }

  /** As `runBytes`, wherever the pages are; a promise only when one had to be fetched. */
  commandBytes(command: Uint8Array, mostBytes = MAX_COMMAND_BYTES): Uint8Array | Promise<Uint8Array> {
    return this.#tryBytes(command, mostBytes) ?? this.#repeat(command, mostBytes);
  }

  /** Fetches the page at which a command stopped and runs it again, until it comes to its end. */
  async #repeat(command: Uint8Array, mostBytes: number): Promise<Uint8Array> {
    for (;;) {
      try {
        await this.#awaited(() => this.#wasm.fetchMissing());
      } catch (error) {
        if (this.#closed) throw error;
        if (this.#broken !== null) return encode(errorReply(1, "InternalError", this.#broken));
        return encode(errorReply(39, "FileStreamFailed", error instanceof Error ? error.message : String(error)));
      }
      const reply = this.#tryBytes(command, mostBytes);
      if (reply !== null) return reply;
    }
  }

  /** Runs the command; null when a page is missing. */
  #tryBytes(command: Uint8Array, mostBytes: number): Uint8Array | null {
    if (command.length > mostBytes) return encode(tooLarge(command.length));
    this.usable();
    if (this.#broken !== null) return encode(errorReply(1, "InternalError", this.#broken));
    try {
      this.grow(Math.max(command.length, 1)).set(command);
      const pointer = this.call(command.length);
      if (pointer === 0) return null;
      return this.all().slice(pointer, pointer + this.#wasm.replyLength());
    } catch (error) {
      return encode(this.failed(error));
    }
  }

  /** Runs a command in canonical Extended JSON; the reply is the same. */
  runJson(text: string): string {
    this.usable();
    const refuse = (reason: string): string =>
      JSON.stringify({
        ok: { $numberDouble: "0.0" },
        errmsg: reason,
        code: { $numberInt: "1" },
        codeName: "InternalError",
      });
    if (this.#broken !== null) return refuse(this.#broken);
    try {
      this.#room = 0;
      this.#begins();
      return this.#wasm.runJson(text);
    } catch (error) {
      return refuse(this.trapped(error));
    }
  }

  /**
   * Set when the last command was a `getMore` with `awaitData` that found nothing yet: for how many milliseconds its
   * reply may be held back, to run the same command again once something was written.
   */
  get awaitDataMillis(): number | undefined {
    return this.#ask(() => this.#wasm.awaitDataMillis(), undefined);
  }
  get hasUnsaved(): boolean {
    return this.#ask(() => this.#wasm.hasUnsaved(), false);
  }
  /** Whether the last command left something to be stored, or asked to be journaled; in memory too. */
  get hasChanged(): boolean {
    return this.#ask(() => this.#wasm.hasChanged(), false);
  }
  /** About how many bytes are still to be stored. */
  get unsavedBytes(): number {
    return this.#ask(() => this.#wasm.unsavedBytes(), 0);
  }
  /**
   * The totals of all commands so far: keys and documents examined, pages touched, documents changed. `accountSince`
   * gives the growth between two of them. A copy, which later commands leave as it is.
   */
  account(): Account {
    return accountOf(this.#ask(() => this.#wasm.account(), NO_TOTALS));
  }
  /** Which pages the commands since the last call touched, where they were watched; and whether to watch the next. */
  takeTouched(watch: boolean): Uint32Array<ArrayBuffer> {
    return this.#ask(() => this.#wasm.takeTouched(watch), new Uint32Array());
  }
  /**
   * What the commands since the last call changed, where that was gathered, and whether to gather what the next ones
   * change: bytes for `worker/written.ts`.
   */
  takeWritten(gather: boolean): Uint8Array<ArrayBuffer> {
    return this.#ask(() => this.#wasm.takeWritten(gather), new Uint8Array());
  }
  /** The reason why changes cannot be stored now: one of `Trouble`. */
  get trouble(): number {
    return this.#ask(() => this.#wasm.trouble(), Trouble.None);
  }
  /** Whether the last command asked to be journaled; in memory too. */
  get askedJournal(): boolean {
    return this.#ask(() => this.#wasm.askedJournal(), false);
  }
  /** Whether a command asked for journaling that it has not got yet. */
  get wantsStrict(): boolean {
    return this.#ask(() => this.#wasm.wantsStrict(), false);
  }
  /** A batch for another worker to store; see `worker/slices.ts`. */
  lendBatch(): Uint8Array<ArrayBuffer> | undefined {
    return this.#ask(() => this.#wasm.lendBatch() as Uint8Array<ArrayBuffer> | undefined, undefined);
  }
  lentStored(sequence: number): void {
    this.#ask(() => this.#wasm.lentStored(sequence), undefined);
  }
  endLending(stored: boolean): void {
    this.#ask(() => this.#wasm.endLending(stored), undefined);
  }
  /** Bytes of the whole wasm memory. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }
  /** After a trap, the state before it. */
  status(): EngineStatus {
    this.usable();
    this.#lastStatus = this.#ask(() => (this.#wasm.status() ?? {}) as EngineStatus, this.#lastStatus);
    return this.#lastStatus;
  }
  /**
   * Stores the changes made so far. Where there was no room the last time, nothing is tried before something changed,
   * unless it is to be tried `again`.
   */
  flush(strict: boolean, again = false): Promise<void> {
    return this.#awaited(() => this.#wasm.flush(strict, again));
  }
  /** Drops changes that are not stored, after another tab took over, and goes on from the stored pages. */
  startAnew(): Promise<void> {
    return this.#awaited(() => this.#wasm.startAnew());
  }
  /**
   * Resolves once all pages are there, to be awaited before anything synchronous; a `reload` may make some miss again.
   */
  resident(): Promise<void> {
    return this.#awaited(() => this.#wasm.resident());
  }
  reload(): Promise<boolean> {
    return this.#awaited(() => this.#wasm.reload());
  }

  /** Ends the engine and gives its memory back; later calls throw. */
  close(): void {
    this.#ask(() => this.#wasm.free(), undefined);
    this.#closed = true;
    // A reference to a closed engine then holds none of its memory.
    this.#wasm = {} as WasmEngine;
    this.#memory = new WebAssembly.Memory({ initial: 0 });
    this.#bytes = this.#target = NO_BYTES;
  }
}
