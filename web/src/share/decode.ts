/**
 * Reads the scripts out of a link that `encode.ts` made.
 *
 * Invariants: a link is a stranger's input: every field is checked, and a small link that would unfold into a huge text
 * is refused before it is unfolded. Reading neither runs nor keeps anything.
 */
import { SHARE_PREFIX, type Shared, type SharedScript } from "./encode.ts";

/** Why a link cannot be read: another version's, damaged, or too much. */
export type ShareFault = "version" | "damaged" | "too-large";

export class ShareError extends Error {
  readonly fault: ShareFault;
  constructor(fault: ShareFault) {
    super(`the link cannot be read: ${fault}`);
    this.name = "ShareError";
    this.fault = fault;
  }
}

/** Bytes of JSON that a link may unfold into. */
export const MOST_SHARED_BYTES = 4 * 1024 * 1024;

/**
 * The scripts in a location's fragment; null when it is no link of ours. Throws a `ShareError` for one that cannot be
 * read.
 */
export async function decodeShared(fragment: string): Promise<Shared | null> {
  if (!/^#q\d+\./.test(fragment)) return null;
  if (!fragment.startsWith(SHARE_PREFIX)) throw new ShareError("version");
  let found: unknown;
  try {
    const binary = atob(fragment.slice(SHARE_PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    found = JSON.parse(await unfold(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  } catch (error) {
    throw error instanceof ShareError ? error : new ShareError("damaged");
  }
  const { scripts } = (typeof found === "object" && found !== null ? found : {}) as { scripts?: unknown };
  if (!Array.isArray(scripts) || scripts.length === 0 || !scripts.every(isScript)) throw new ShareError("damaged");
  return { scripts: scripts.map(({ name, source }) => ({ name, source })) };
}

function isScript(value: unknown): value is SharedScript {
  const { name, source } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return typeof name === "string" && typeof source === "string";
}

async function unfold(packed: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MOST_SHARED_BYTES) {
      void reader.cancel();
      throw new ShareError("too-large");
    }
    text += decoder.decode(value, { stream: true });
  }
}
