/**
 * The change stream behind the Watch panel.
 *
 * Example: `getMore` waits in the worker until this tab or another has written, and so nothing is asked by a clock but
 * to keep the cursor. Invariants: what an error cuts off goes on behind the last event where the drivers' specification
 * says so; pausing and closing end the cursor, so that neither costs anything.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { elements, member, rawField } from "../../codec/members.ts";
import { RESUMABLE } from "../../driver/resumable.ts";
import { ask, change, cursorOf, Refusal, type Changer, type Commander } from "../data/ask.ts";
import type { WatchSubject } from "../model.ts";
import { fieldOf } from "../values.ts";
import { eventOf, Fragments, type WatchEvent } from "./event.ts";
import { KEPT_EVENTS, type Obstacle } from "./watch.ts";

/** How long a reply may be held back: well under the time after which an idle cursor is closed. */
const AWAIT_MILLIS = 120_000;
/** A cursor that fails at once each time is not opened for ever. */
const MOST_TRIES = 3;
/** Another tab took over in the middle of a command, which may be sent again. */
const WRITE_CONFLICT = 112;
const HISTORY_LOST = [280, 286];
const NOT_A_REPLICA_SET = 40573;

/** Is told of what the stream gives. */
export interface StreamListener {
  /** The stream is open; `images`: documents are kept before and after changes. */
  opened(images: boolean): void;
  /** `skipped` older events of the same reply were not read. */
  came(events: readonly WatchEvent[], skipped: number): void;
  /** The stream goes on behind this token. */
  reached(token: string): void;
  /** The stream has ended by itself. */
  ended(): void;
  failed(error: unknown): void;
}

/** Whether a collection keeps documents before and after changes. */
async function readImages(commander: Commander, { database, collection }: WatchSubject): Promise<boolean> {
  const reply = await ask(commander, database, { listCollections: 1, filter: { name: collection } });
  const images = fieldOf(fieldOf(cursorOf(reply).documents[0], "options"), "changeStreamPreAndPostImages");
  return fieldOf(images, "enabled") === true;
}

/** Has a collection keep documents before and after changes from now on. */
export async function keepImages(changer: Changer, { database, collection }: WatchSubject): Promise<void> {
  await change(
    changer,
    database,
    { collMod: collection, changeStreamPreAndPostImages: { enabled: true } },
    { did: "images", on: `${database}.${collection}` },
  );
}

/** Why an error keeps the stream from going on. */
export function obstacleOf(error: unknown): Obstacle {
  const code = error instanceof Refusal ? error.code : null;
  if (code === NOT_A_REPLICA_SET) return "standalone";
  return code !== null && HISTORY_LOST.includes(code) ? "history" : "other";
}

/** A worker that was ended, by a second press of Stop, is followed by another. */
function isResumable(error: unknown): boolean {
  if (!(error instanceof Refusal)) return error instanceof Error && error.name === "WorkerEnded";
  return error.code !== null && (error.code === WRITE_CONFLICT || RESUMABLE.includes(error.code));
}

function judged(reply: Uint8Array): Uint8Array {
  if (rawField(reply, "ok") !== 1) throw new Refusal(decode(reply));
  return reply;
}

export class WatchStream {
  readonly #commander: Commander;
  readonly #subject: WatchSubject;
  readonly #listener: StreamListener;
  #fragments = new Fragments();
  /** Counts beginnings: an answer to an earlier one is none any more. */
  #run = 0;
  #cursor = 0n;
  #token: string | null = null;
  #events = 0;

  constructor(commander: Commander, subject: WatchSubject, listener: StreamListener) {
    this.#commander = commander;
    this.#subject = subject;
    this.#listener = listener;
  }

  /** The place behind the last event that was given; null where there is none yet. */
  get token(): string | null {
    return this.#token;
  }

  /** Opens the stream behind a token, or without one with what happens next, and follows it. Never rejects. */
  async follow(token: string | null): Promise<void> {
    this.close();
    // The beginning of an event is of use only where its end comes next.
    if (token !== this.#token) this.#fragments = new Fragments();
    this.#token = token;
    const run = this.#run;
    for (let tries = 0; ; tries += 1) {
      try {
        for (;;) {
          const images = await readImages(this.#commander, this.#subject);
          if (run !== this.#run) return;
          const end = await this.#open(run, images, () => (tries = 0));
          if (run !== this.#run) return;
          if (end === "ended") return this.#listener.ended();
        }
      } catch (error) {
        if (run !== this.#run) return;
        if (tries >= MOST_TRIES || !isResumable(error)) return this.#listener.failed(error);
      }
    }
  }

  /** Ends the cursor; the token stays. */
  close(): void {
    this.#run += 1;
    const cursor = this.#cursor;
    this.#cursor = 0n;
    if (cursor !== 0n) this.#kill(cursor);
  }

  #kill(cursor: bigint): void {
    const { database, collection } = this.#subject;
    const command = encode({ killCursors: collection, cursors: [cursor], $db: database });
    // The answer to it concerns nobody.
    this.#commander.commandBytes(command).catch(() => undefined);
  }

  /**
   * Follows one cursor to its end; `read` is told of each batch but the first. `altered`: the collection keeps
   * documents otherwise than the cursor gives them.
   */
  async #open(run: number, images: boolean, read: () => void): Promise<"ended" | "altered"> {
    const { database, collection } = this.#subject;
    const stage: Document = {
      showExpandedEvents: true,
      fullDocument: images ? "whenAvailable" : "updateLookup",
      fullDocumentBeforeChange: "whenAvailable",
      // `resumeAfter` would be refused where the token is that of a stream's end.
      ...(this.#token === null ? {} : { startAfter: { _data: this.#token } }),
    };
    const pipeline = [{ $changeStream: stage }, { $changeStreamSplitLargeEvent: {} }];
    const opening = encode({ aggregate: collection, pipeline, cursor: {}, $db: database });
    let reply = judged(await this.#commander.commandBytes(opening));
    let cursor = idOf(reply);
    if (run !== this.#run) {
      // Closed meanwhile, when the cursor had no number yet.
      if (cursor !== 0n) this.#kill(cursor);
      return "ended";
    }
    this.#cursor = cursor;
    this.#listener.opened(images);
    for (;;) {
      const isAltered = this.#take(reply, !images);
      if (cursor === 0n) return "ended";
      if (isAltered && (await readImages(this.#commander, this.#subject)) !== images) {
        if (run === this.#run) this.#kill(cursor);
        return "altered";
      }
      if (run !== this.#run) return "ended";
      const more = encode({ getMore: cursor, collection, maxTimeMS: AWAIT_MILLIS, $db: database });
      reply = judged(await this.#commander.commandBytes(more));
      if (run !== this.#run) return "ended";
      read();
      cursor = idOf(reply);
      this.#cursor = cursor;
    }
  }

  /** Gives the events of a reply; tells whether one of them made or altered the collection. */
  #take(reply: Uint8Array, looksUp: boolean): boolean {
    const inside = member(reply, "cursor") ?? reply;
    const batch = [...elements(inside, "firstBatch"), ...elements(inside, "nextBatch")];
    // The list would let go of the older ones at once.
    const skipped = Math.max(0, batch.length - KEPT_EVENTS);
    this.#events += skipped;
    const events: WatchEvent[] = [];
    for (const bytes of batch.slice(skipped)) {
      const parts = this.#fragments.add(bytes);
      if (parts !== null) events.push(eventOf((this.#events += 1), parts, looksUp));
    }
    if (events.length > 0) this.#listener.came(events, skipped);
    const token = rawField(inside, "postBatchResumeToken", "_data");
    if (typeof token === "string" && token !== this.#token) {
      this.#token = token;
      // After a reload the first fragments of an event would be lacking.
      if (!this.#fragments.isWaiting) this.#listener.reached(token);
    }
    return events.some(({ operation }) => operation === "modify" || operation === "create");
  }
}

const idOf = (reply: Uint8Array): bigint => BigInt(rawField(reply, "cursor", "id") ?? 0);
