/**
 * The changes of a deployment, brought to a copy of it as they are made.
 *
 * An event is applied so that it may be applied twice: a document is put in the place of the one with its `_id`, as it
 * is at the source when the event is read. Invariants: the resume token is kept behind the changes before it, and these
 * are on stable storage then, so that a follower who is killed misses none; documents come and are written as bytes.
 */
import type { Timestamp, Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { elements, member, members, withDocument, withFields } from "../../codec/members.ts";
import { DOCUMENT } from "../../codec/types.ts";
import { ask, judged, Refusal, type Commander } from "../../state/data/ask.ts";
import { withDocuments } from "../../state/data/bytes.ts";
import { PlaceError } from "../data/driver-place.ts";
import { documentOf, elementsOf } from "../data/lossless.ts";
import { persistently, Stopped } from "./copying.ts";
import { idOf, isCursorGone, isPassing } from "./places.ts";
import { counted, type Progress } from "./progress.ts";
import type { StateFile } from "./state-file.ts";

export interface FollowOptions {
  readonly from: { readonly place: Commander; readonly name: string };
  readonly to: { readonly place: Commander };
  readonly database: string | null;
  readonly state: StateFile;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** All changes made before the copy ended are there. */
  caughtUp(): Promise<void>;
}

const OWN = new Set(["admin", "config", "local"]);
const AWAITED_MILLIS = 1000;
/** A stream that ends at once so many times in a row does not come again. */
const ENDINGS = 5;
/** The token is kept behind each batch with changes, and of those without behind every so many. */
const KEPT_EACH = 30;
const DUPLICATE = 11000;
const HISTORY_LOST = new Set([280, 286]);
const NO_STREAMS = 40573;
/** A field that an older server does not know. */
const UNKNOWN = new Set([9, 72, 40415]);

interface Batch {
  readonly events: readonly Uint8Array[];
  readonly id: string;
  readonly token: Uint8Array | null;
}

function batchOf(reply: Uint8Array): Batch {
  const { id } = judged(reply)["cursor"] as { id: unknown };
  const cursor = member(reply, "cursor") as Uint8Array;
  return {
    events: [...elements(cursor, "firstBatch"), ...elements(cursor, "nextBatch")],
    id: String(id),
    token: member(cursor, "postBatchResumeToken"),
  };
}

export class Follower {
  readonly #options: FollowOptions;
  readonly #database: string;
  #isExpanded = true;
  /** Batches without an event, one behind the other. */
  #idle = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#database = options.database ?? "admin";
  }

  /**
   * Opens the stream behind the token that is kept, or at the present. `startAfter` goes on behind the end of a
   * database too, which ends a stream.
   */
  async #open(): Promise<Batch> {
    const { from, database, state, signal } = this.#options;
    const { token } = state.kept;
    for (;;) {
      let stage = encode({
        fullDocument: "updateLookup",
        ...(this.#isExpanded ? { showExpandedEvents: true } : {}),
        ...(database === null ? { allChangesForCluster: true } : {}),
      });
      if (token !== undefined) stage = withDocument(stage, "startAfter", Buffer.from(token, "base64"));
      const command = withDocuments({ aggregate: 1, cursor: {}, $db: this.#database }, "pipeline", [
        withDocument(encode({}), "$changeStream", stage),
      ]);
      try {
        return await persistently(async () => batchOf(await from.place.commandBytes(command)), signal);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { code } = error;
        if (code !== null && UNKNOWN.has(code) && this.#isExpanded) {
          this.#isExpanded = false;
          this.#options.progress.line(
            "the source is older than 6.0: indexes that are made there later are not followed",
          );
        } else if (code === NO_STREAMS)
          throw new PlaceError(`${from.name} is a standalone, which has no change streams: pull it without --follow`);
        else if (code !== null && HISTORY_LOST.has(code))
          throw new PlaceError(
            `${from.name} no longer has the changes since this stopped: ` +
              `delete ${state.path} and pull again with --drop`,
          );
        else throw error;
      }
    }
  }

  /** Notes the present, before the copy begins. */
  async begin(): Promise<void> {
    const { state, from } = this.#options;
    if (state.kept.token !== undefined) return;
    const { id, token } = await this.#open();
    await ask(from.place, this.#database, { killCursors: "$cmd.aggregate", cursors: [BigInt(id)] });
    if (token === null) throw new PlaceError(`${from.name} gives no resume token`);
    this.#keep(token);
  }

  #keep(token: Uint8Array): void {
    const { state } = this.#options;
    state.kept.token = Buffer.from(token).toString("base64");
    state.save();
  }

  /** Applies changes until somebody wants it to end. */
  async run(): Promise<void> {
    const { from, signal } = this.#options;
    const until = (await ask(from.place, "admin", { ping: 1 }))["operationTime"] as Timestamp | undefined;
    let isBehind = true;
    let endings = 0;
    while (!signal.aborted) {
      try {
        let batch = await this.#open();
        for (;;) {
          const last = await this.#apply(batch);
          if (
            isBehind &&
            (batch.events.length === 0 || (until !== undefined && last?.greaterThanOrEqual(until) === true))
          ) {
            isBehind = false;
            await this.#options.caughtUp();
          }
          if (signal.aborted) {
            if (batch.id !== "0") await this.#close(batch.id);
            return;
          }
          if (batch.id === "0") break;
          const command = { getMore: BigInt(batch.id), collection: "$cmd.aggregate", maxTimeMS: AWAITED_MILLIS };
          batch = batchOf(await from.place.commandBytes(encode({ ...command, $db: this.#database })));
          endings = 0;
        }
      } catch (error) {
        if (error instanceof Stopped) return;
        endings += 1;
        if (endings === ENDINGS || !(isPassing(error) || isCursorGone(error))) throw error;
      }
    }
  }

  async #close(id: string): Promise<void> {
    const command = { killCursors: "$cmd.aggregate", cursors: [BigInt(id)] };
    await ask(this.#options.from.place, this.#database, command).catch(() => undefined);
  }

  /** Applies a batch, and keeps its token; gives the time of its last event. */
  async #apply({ events, token }: Batch): Promise<Timestamp | undefined> {
    const { to, progress } = this.#options;
    let last: Timestamp | undefined;
    let applied = 0;
    for (const event of events) {
      if (await this.#told(event)) applied += 1;
      last = decode(event, { numbers: "typed" })["clusterTime"] as Timestamp | undefined;
    }
    if (events.length > 0) await ask(to.place, "admin", { fsync: 1 });
    const behind = token ?? (events.length === 0 ? null : member(events.at(-1) as Uint8Array, "_id"));
    // Where nothing happens the token grows old all the same.
    this.#idle = events.length > 0 ? 0 : this.#idle + 1;
    if (behind !== null && this.#idle % KEPT_EACH === 0) this.#keep(behind);
    if (applied > 0) progress.line(`${counted(applied, "change")} applied`);
    return last;
  }

  /** Applies an event; one that is refused here is named. */
  async #told(event: Uint8Array): Promise<boolean> {
    try {
      return await this.#event(event);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { operationType, ns = {} } = decode(event) as {
        operationType: string;
        ns?: { db?: string; coll?: string };
      };
      throw new PlaceError(`${operationType} of ${ns.db}.${ns.coll ?? "*"} is refused here: ${error.message}`);
    }
  }

  /** Applies an event; false where it is none of those that change data here. */
  async #event(event: Uint8Array): Promise<boolean> {
    const { to } = this.#options;
    const facts = decode(event, { numbers: "typed" }) as {
      operationType: string;
      ns?: { db: string; coll?: string };
      to?: { db: string; coll: string };
    };
    const { db = "", coll = "" } = facts.ns ?? {};
    if (OWN.has(db) || coll.startsWith("system.")) return false;
    const described = member(event, "operationDescription");
    const tolerating = async (command: Uint8Array, ...codes: readonly number[]): Promise<boolean> => {
      try {
        judged(await to.place.commandBytes(command));
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === null || !codes.includes(error.code)) throw error;
      }
      return true;
    };
    const ending = { $db: db };
    switch (facts.operationType) {
      case "insert":
      case "update":
      case "replace": {
        const document = documentIn(event, "fullDocument");
        // It is deleted by now, which is told later.
        if (document === null) return false;
        await this.#put(db, coll, document);
        return true;
      }
      case "delete": {
        const q = documentOf(elementsOf(member(event, "documentKey") as Uint8Array, (name) => name === "_id"));
        const one = withFields(withDocument(encode({}), "q", q), { limit: 1 });
        return tolerating(withDocuments({ delete: coll, ...ending }, "deletes", [one]));
      }
      case "drop":
        return tolerating(encode({ drop: coll, ...ending }), 26);
      case "dropDatabase":
        return tolerating(encode({ dropDatabase: 1, ...ending }));
      case "rename": {
        const target = `${facts.to?.db}.${facts.to?.coll}`;
        const command = { renameCollection: `${db}.${coll}`, to: target, dropTarget: true, $db: "admin" };
        return tolerating(encode(command), 26);
      }
      case "create":
        return tolerating(behind({ create: coll }, described, ending, ["idIndex", "expireAfterSeconds"]), 48);
      case "createIndexes": {
        const indexes = described === null ? [] : elements(described, "indexes");
        const specifications = indexes.map((one) =>
          documentOf(elementsOf(one, (name) => name !== "v" && name !== "ns")),
        );
        return tolerating(withDocuments({ createIndexes: coll, ...ending }, "indexes", specifications));
      }
      case "dropIndexes": {
        for (const one of described === null ? [] : elements(described, "indexes"))
          await tolerating(encode({ dropIndexes: coll, index: decode(one)["name"] as string, ...ending }), 26, 27);
        return true;
      }
      case "modify":
        return tolerating(behind({ collMod: coll }, described, ending, []), 26);
      default:
        return false;
    }
  }

  /** Puts a document in its place. One that has its unique key here has another at the source by now, as it is told. */
  async #put(db: string, coll: string, document: Uint8Array): Promise<void> {
    const { to } = this.#options;
    const one = withDocument(withDocument(encode({ upsert: true }), "q", idOf(document) as Uint8Array), "u", document);
    const command = withDocuments({ update: coll, bypassDocumentValidation: true, $db: db }, "updates", [one]);
    for (;;) {
      const reply = await to.place.commandBytes(command);
      const [failed] = elements(reply, "writeErrors");
      const key = failed === undefined ? null : member(failed, "keyValue");
      if (failed === undefined || key === null || Number(decode(failed)["code"]) !== DUPLICATE) {
        judged(reply);
        return;
      }
      const room = withFields(withDocument(encode({}), "q", key), { limit: 1 });
      const { n } = judged(await to.place.commandBytes(withDocuments({ delete: coll, $db: db }, "deletes", [room])));
      if (Number(n) === 0) judged(reply);
    }
  }
}

/** A field that is a document; null for any other. */
function documentIn(event: Uint8Array, name: string): Uint8Array | null {
  for (const { kind, name: found, start, end } of members(event))
    if (found === name) return kind === DOCUMENT ? event.subarray(start, end) : null;
  return null;
}

/** A command with the fields of a description behind its first, as they are. */
function behind(head: Document, described: Uint8Array | null, tail: Document, without: readonly string[]): Uint8Array {
  const all = (): boolean => true;
  return documentOf([
    ...elementsOf(encode(head), all),
    ...(described === null ? [] : elementsOf(described, (name) => !without.includes(name))),
    ...elementsOf(encode(tail), all),
  ]);
}
