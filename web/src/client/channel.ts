/**
 * Requests and responses between the page and one worker. Commands that are sent in one task travel in one message.
 *
 * While the worker has not begun with `MOST_UNDER_WAY` such messages, further commands wait and travel together:
 * otherwise each message's answers would make the page send as many again, in ever smaller messages. A command that is
 * sent alone never waits.
 *
 * Invariants: each request is settled exactly once, at the latest when the worker ends; messages of a worker
 * that was ended are ignored; messages leave in the order of their requests.
 */
import { ALONE_BYTES, Packet, unpack } from "../protocol/packet.ts";
import type {
  Answers,
  EngineCode,
  EventMessage,
  Request,
  RequestKind,
  RunSoon,
  SliceSettled,
  WorkerMessage,
} from "../protocol/messages.ts";

/** The error of a request that the worker refused, or that can have no answer because the worker has ended. */
export class WorkerFailure extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Names of failures: the worker is gone, or its script was not to be had. */
export const ENDED = "WorkerEnded";
export const MISSING = "WorkerMissing";

/** How many messages of commands are on their way: one that the worker is at, and one that it goes on with. */
const MOST_UNDER_WAY = 2;

interface Waiting {
  resolve(answer: Answers[RequestKind]): void;
  reject(error: Error): void;
}

export class Channel {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** Commands that leave at the end of this task, or when the worker has begun with those before them. */
  readonly #leaving = new Packet();
  /** Messages of commands that the worker has not begun with. */
  #underWay = 0;
  #lastId = 0;
  #ended: WorkerFailure | null = null;

  readonly #onEvent: (event: EventMessage) => void;

  constructor(worker: Worker, onEvent: (event: EventMessage) => void) {
    this.#worker = worker;
    this.#onEvent = onEvent;
    worker.addEventListener("message", (event: MessageEvent<WorkerMessage>) => this.#receive(event.data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      // A script that was not there, or was refused, has no message.
      const isMissing = (event as Partial<ErrorEvent>).message === undefined;
      const reason = isMissing ? "it could not be loaded" : event.message;
      this.end(`the engine's worker failed: ${reason}`, isMissing ? MISSING : ENDED);
    });
    worker.addEventListener("messageerror", () => this.end("a message of the engine's worker could not be read"));
  }

  #receive(message: WorkerMessage): void {
    if (this.#ended !== null) return;
    if (message.kind === "answers") {
      this.#underWay -= message.taken;
      // Requests that were held back go together with those that these answers cause.
      if (message.taken > 0 && !this.#leaving.isEmpty) this.#leaveSoon();
      unpack(message.packet, (id, bytes) => {
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        waiting?.resolve(bytes);
      });
    } else if (message.kind === "answer" || message.kind === "failure") {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.kind === "answer") waiting?.resolve(message.answer);
      else waiting?.reject(new WorkerFailure(message.name, message.message));
    } else {
      this.#onEvent(message);
    }
  }

  /** The answer to a request that was sent to this worker before there was a channel, and all it said meanwhile. */
  adopt<Kind extends RequestKind>(id: number, heard: readonly WorkerMessage[]): Promise<Answers[Kind]> {
    const answer = new Promise<Answers[Kind]>((resolve, reject) =>
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject }),
    );
    for (const message of heard) this.#receive(message);
    return answer;
  }

  /** Sends a request; `id` is told before the answer comes, to match progress with it. */
  send<Kind extends RequestKind>(
    request: Extract<Request, { kind: Kind }>,
    transfer: readonly Transferable[] = [],
  ): { id: number; answer: Promise<Answers[Kind]> } {
    const id = ++this.#lastId;
    const answer = new Promise<Answers[Kind]>((resolve, reject) => {
      if (this.#ended !== null) {
        reject(this.#ended);
        return;
      }
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.#leaveNow();
      this.#worker.postMessage({ ...request, id }, [...transfer]);
    });
    return { id, answer };
  }

  /** Sends a command, whose buffer is handed over. */
  command(bytes: Uint8Array): Promise<Uint8Array> {
    if (bytes.length >= ALONE_BYTES)
      return this.send<"command">({ kind: "command", bytes }, [bytes.buffer as ArrayBuffer]).answer;
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended);
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      if (this.#leaving.isEmpty && this.#underWay < MOST_UNDER_WAY) this.#leaveSoon();
      this.#leaving.add(id, bytes);
      if (this.#leaving.isFull) this.#leaveNow();
    });
  }

  /**
   * Sends the gathered commands once no more are added. The answers of one message make a page send its next commands a
   * few microtasks apart; these are to travel together.
   */
  #leaveSoon(length = 0): void {
    queueMicrotask(() => {
      if (this.#leaving.length !== length) this.#leaveSoon(this.#leaving.length);
      else if (this.#underWay < MOST_UNDER_WAY) this.#leaveNow();
    });
  }

  #leaveNow(): void {
    if (this.#leaving.isEmpty) return;
    const packet = this.#leaving.take();
    this.#underWay += 1;
    if (this.#ended === null) this.#worker.postMessage({ kind: "commands", packet }, [packet.buffer]);
  }

  /** Sends a message that gets no answer. */
  tell(message: SliceSettled | EngineCode | RunSoon): void {
    if (this.#ended === null) this.#worker.postMessage(message);
  }

  /** Ends the worker. Requests that have no answer yet are rejected with `reason`. */
  end(reason: string, name: string = ENDED): void {
    if (this.#ended !== null) return;
    this.#ended = new WorkerFailure(name, reason);
    this.#worker.terminate();
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}
