/**
 * Scripts as the fragment of a link: `#q1.<data>`, where data is JSON, raw-deflated, in base64url.
 *
 * Invariants: the fragment never leaves the browser; the number after `q` is the format's version, and a reader
 * refuses one it does not know. Kept apart from `decode.ts` because snippets only write links.
 */

/** One script of a link; its name is a tab's title, or empty. */
export interface SharedScript {
  readonly name: string;
  readonly source: string;
}

/** The contents of a link. */
export interface Shared {
  readonly scripts: readonly SharedScript[];
}

/** The beginning of a link's fragment; the number is the format's version. */
export const SHARE_PREFIX = "#q1.";

/** The bytes that a stream makes of some bytes. */
export async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}

/** The fragment, with its `#`, that `decodeShared` reads. */
export async function encodeShared(shared: Shared): Promise<string> {
  const json = new TextEncoder().encode(
    JSON.stringify({ scripts: shared.scripts.map(({ name, source }) => ({ name, source })) }),
  );
  const packed = await through(json, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return SHARE_PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
