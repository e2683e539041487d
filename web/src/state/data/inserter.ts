/**
 * Documents as bytes, collected into batches and inserted, one batch ahead of the reading.
 *
 * Invariants: no more than two batches are held; a document that is refused is told with its place, and those before it
 * stay.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { Refusal, type Commander } from "./ask.ts";
import { withDocuments } from "./bytes.ts";
import type { LineError } from "./line-error.ts";

export interface InsertJob {
  readonly database: string;
  readonly collection: string;
  readonly stopAtFirst: boolean;
  readonly signal: AbortSignal;
  progress(now: ImportProgress): void;
}

export interface ImportProgress {
  readonly inserted: number;
  readonly failed: number;
  readonly bytesRead: number;
}

/** A document that was not taken; `place` is a line of text, or a document's number in a file of BSON. */
export interface ImportFailure {
  readonly place: number;
  readonly message: string;
  /** The mistake in the text, with the lines that were lost by it; absent where the engine refused the document. */
  readonly error?: LineError;
}

/** Failures that are kept to be shown, and how long the lines lost by them may be together. */
const keptFailures = 1000;
const keptLost = 4 * 1024 * 1024;
/** A batch is sent at so many documents or bytes. */
const batchDocuments = 1000;
const batchBytes = 512 * 1024;

/** Collects documents into batches and sends them, one batch ahead of the reading. */
export class Inserter {
  readonly #commander: Commander;
  readonly #job: InsertJob;
  #documents: Uint8Array[] = [];
  #places: number[] = [];
  #size = 0;
  /** Characters of lost lines that are kept. */
  #lost = 0;
  #underWay: Promise<void> = Promise.resolve();
  inserted = 0;
  failed = 0;
  bytesRead = 0;
  ended = false;
  readonly failures: ImportFailure[] = [];

  constructor(commander: Commander, job: InsertJob) {
    this.#commander = commander;
    this.#job = job;
  }

  /** True once the import was stopped, or met its first failure and is to stop there. */
  get done(): boolean {
    return this.ended || this.#job.signal.aborted;
  }

  fail(place: number, message: string, error?: LineError): void {
    this.failed += 1;
    const lost = error?.lost?.length ?? 0;
    if (this.failures.length < keptFailures && this.#lost + lost <= keptLost) {
      this.#lost += lost;
      this.failures.push({ place, message, ...(error === undefined ? {} : { error }) });
    }
    if (this.#job.stopAtFirst) this.ended = true;
  }

  /** A text that is no document. The documents before it are sent first where the import stops at it. */
  async failText(error: LineError): Promise<void> {
    if (this.#job.stopAtFirst) await this.finish();
    if (!this.done) this.fail(error.line, error.message, error);
  }

  async add(document: Uint8Array, place: number): Promise<void> {
    this.#documents.push(document);
    this.#places.push(place);
    this.#size += document.length;
    if (this.#documents.length >= batchDocuments || this.#size >= batchBytes) await this.send();
  }

  /** Sends the documents collected so far, once the batch before them was answered. */
  async send(): Promise<void> {
    const documents = this.#documents;
    const places = this.#places;
    this.#documents = [];
    this.#places = [];
    this.#size = 0;
    await this.#underWay;
    this.#tell();
    if (documents.length > 0 && !this.done) this.#underWay = this.#insert(documents, places);
    // A failure is thrown where it is awaited, by the next batch or by the end.
    this.#underWay.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.send();
    await this.#underWay;
    this.#tell();
  }

  #tell(): void {
    const { inserted, failed, bytesRead } = this;
    this.#job.progress({ inserted, failed, bytesRead });
  }

  async #insert(documents: readonly Uint8Array[], places: readonly number[]): Promise<void> {
    const { database, collection, stopAtFirst } = this.#job;
    const command = withDocuments({ insert: collection, ordered: stopAtFirst, $db: database }, "documents", documents);
    const reply = decode(await this.#commander.commandBytes(command), { numbers: "driver" });
    if (Number(reply["ok"]) !== 1) throw new Refusal(reply);
    this.inserted += Number(reply["n"] ?? 0);
    for (const error of (reply["writeErrors"] ?? []) as Document[])
      this.fail(places[Number(error["index"])] ?? 0, String(error["errmsg"]));
  }
}
