/**
 * BSON bytes handled as bytes: documents cut out of a stream or a reply, and put into a command, untouched.
 *
 * Invariants: nothing is decoded that need not be, so every type survives; a length that cannot be one is an error at
 * its offset.
 */
import type { Document } from "bson";
import { encode } from "../../codec/encode.ts";
import { member, members } from "../../codec/members.ts";

/** Bytes that come in pieces, taken out in whatever lengths are needed. */
export class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #bytes = new Uint8Array(0);
  #at = 0;
  /** Bytes taken so far. */
  offset = 0;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** The next bytes, which stay; fewer than asked for at the end. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#bytes.length - this.#at < length) {
      const { value, done } = await this.#reader.read();
      if (done) break;
      const left = this.#bytes.subarray(this.#at);
      const joined = new Uint8Array(left.length + value.length);
      joined.set(left);
      joined.set(value, left.length);
      this.#bytes = joined;
      this.#at = 0;
    }
    return this.#bytes.subarray(this.#at, this.#at + length);
  }

  async take(length: number): Promise<Uint8Array> {
    const taken = await this.peek(length);
    if (taken.length < length) throw new Error(`The file ends inside a document at byte ${this.offset}`);
    this.#at += length;
    this.offset += length;
    return taken;
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}

/** Bytes of the largest document there can be: 16 MiB, and 16 KiB for the fields that commands add around it. */
export const largestDocument = 16 * 1024 * 1024 + 16 * 1024;

/** The next whole document, or null at the end of the stream. */
export async function nextDocument(reader: ByteReader): Promise<Uint8Array | null> {
  const head = await reader.peek(4);
  if (head.length === 0) return null;
  const length = head.length < 4 ? 0 : new DataView(head.buffer, head.byteOffset, 4).getInt32(0, true);
  if (length < 5 || length > largestDocument) throw new Error(`No BSON document at byte ${reader.offset}`);
  return (await reader.take(length)).slice();
}

/** A command whose last field is an array of documents that are bytes already. */
export function withDocuments(command: Document, field: string, documents: readonly Uint8Array[]): Uint8Array {
  const head = encode(command);
  const names = documents.map((_, index) => String(index));
  const inner = documents.reduce(
    (total, document, index) => total + 2 + (names[index] as string).length + document.length,
    5,
  );
  const whole = new Uint8Array(head.length + 2 + field.length + inner);
  const view = new DataView(whole.buffer);
  whole.set(head);
  view.setInt32(0, whole.length, true);
  let at = head.length - 1;
  const name = (kind: number, text: string): void => {
    whole[at++] = kind;
    for (let index = 0; index < text.length; index++) whole[at++] = text.charCodeAt(index);
    whole[at++] = 0;
  };
  name(4, field);
  view.setInt32(at, inner, true);
  at += 4;
  for (const [index, document] of documents.entries()) {
    name(3, names[index] as string);
    whole.set(document, at);
    at += document.length;
  }
  return whole;
}

/** The bytes of the documents of a cursor's batch, out of its reply. */
export function batchDocuments(reply: Uint8Array): readonly Uint8Array[] {
  const cursor = member(reply, "cursor");
  const batch = cursor === null ? null : member(cursor, "firstBatch", "nextBatch");
  const documents: Uint8Array[] = [];
  if (batch !== null) for (const { start, end } of members(batch)) documents.push(batch.subarray(start, end));
  return documents;
}
