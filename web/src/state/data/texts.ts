/**
 * A file's bytes as text, piece by piece.
 *
 * Invariant: no byte is lost for a sign that stands for all that cannot be read: a file that is no text in UTF-8 is
 * refused at the line where that shows, and what stands before it is taken.
 */
import { LineError } from "./line-error.ts";

/** The sign that decoders put in the place of bytes that are no text. */
const REPLACEMENT = "\ufffd";
/** A sign that no text has, and that nearly all other files have. */
const NO_TEXT = "\0";

/** The beginning of a file without a sign that may be cut at its end. */
export function uncut(head: Uint8Array): Uint8Array {
  let end = head.length;
  while (end > 0 && ((head[end - 1] as number) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end > 0 && (head[end - 1] as number) >= 0xc0 ? end - 1 : end);
}

/** The text at the beginning of a file, and the mistake that ends it; null where all of it is text. */
export async function beginning(
  head: Uint8Array,
): Promise<{ readonly text: string; readonly failure: LineError | null }> {
  let text = "";
  try {
    const stream = new Blob([head as Uint8Array<ArrayBuffer>]).stream();
    await textsOf(stream, { done: false }, (more) => {
      text += more;
      return Promise.resolve();
    });
    return { text, failure: null };
  } catch (error) {
    if (error instanceof LineError) return { text, failure: error };
    throw error;
  }
}

/** Pieces of text; each begins where the one before ended. Throws a `LineError` where the bytes are no text. */
export async function textsOf(
  stream: ReadableStream<Uint8Array>,
  reading: { readonly done: boolean },
  take: (text: string) => Promise<void>,
): Promise<void> {
  const reader = stream.getReader();
  const strict = new TextDecoder("utf-8", { fatal: true });
  // Decodes alike, and tells where the mistake is.
  const lenient = new TextDecoder();
  let line = 1;
  for (;;) {
    const { value, done } = await reader.read();
    const text = lenient.decode(value, { stream: !done });
    let isRight = !text.includes(NO_TEXT);
    try {
      strict.decode(value, { stream: !done });
    } catch {
      isRight = false;
    }
    if (!isRight) {
      void reader.cancel().catch(() => undefined);
      const wrong = [text.indexOf(REPLACEMENT), text.indexOf(NO_TEXT)].filter((place) => place >= 0);
      const at = wrong.length === 0 ? text.length : Math.min(...wrong);
      const before = text.slice(0, at);
      await take(before.slice(0, before.lastIndexOf("\n") + 1));
      const kind = text[at] === NO_TEXT ? "binary" : "encoding";
      throw new LineError(line + before.split("\n").length - 1, kind, { final: true });
    }
    line += text.split("\n").length - 1;
    await take(text);
    if (done) return;
    if (reading.done) return void reader.cancel().catch(() => undefined);
  }
}
