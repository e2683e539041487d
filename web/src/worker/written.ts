/**
 * What commands wrote, as the engine noted it.
 *
 * Invariant: the engine alone says what was written; nothing is read from a command's name or reply.
 */
import { decode } from "../codec/decode.ts";
import type { Written } from "../protocol/run.ts";

/** The bytes of `Engine.takeWritten`; of one namespace in the order of its first change. */
export function readWritten(bytes: Uint8Array<ArrayBuffer>): readonly Written[] {
  if (bytes.length === 0) return [];
  const { written } = decode(bytes) as { readonly written: readonly Written[] };
  return written.map((one) => ({ ...one, count: Number(one.count) }));
}
