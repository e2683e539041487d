/**
 * A hash of many documents, by which two places are compared.
 *
 * Invariants: the hash is of the documents' bytes, so that another type or order of fields is another hash; documents
 * in another order have the same, but where the order counts, as in a capped collection.
 */
import { createHash } from "node:crypto";

const LANES = [0, 8, 16, 24] as const;
const HEX_OF_LANE = 16;

export class Digest {
  documents = 0;
  readonly #lanes: bigint[] = [0n, 0n, 0n, 0n];
  readonly #ordered: boolean;

  constructor(ordered = false) {
    this.#ordered = ordered;
  }

  add(document: Uint8Array): void {
    const hash = createHash("sha256").update(document);
    if (this.#ordered) hash.update(String(this.documents));
    const bytes = hash.digest();
    for (const [lane, at] of LANES.entries())
      this.#lanes[lane] = BigInt.asUintN(64, (this.#lanes[lane] as bigint) + bytes.readBigUInt64LE(at));
    this.documents += 1;
  }

  get text(): string {
    return this.#lanes.map((lane) => lane.toString(16).padStart(HEX_OF_LANE, "0")).join("");
  }

  equals({ documents, text }: { readonly documents: number; readonly text: string }): boolean {
    return this.documents === documents && this.text === text;
  }
}
