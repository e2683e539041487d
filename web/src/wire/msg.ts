/**
 * OP_MSG: a command or a reply, with sequences of documents beside it.
 *
 * ```text
 *  header │ flags │ 0 │ body document │ 1 │ length, name, documents … │ … │ checksum, where the flags say so
 * ```
 * A command that comes with sequences is handed on as one document, each sequence as an array at its end: the engine
 * knows one form of a command.
 */
import { CodecError } from "../codec/error.ts";
import { members } from "../codec/members.ts";
import { crc32c } from "./crc32c.ts";
import { broken, refused, WireError } from "./error.ts";
import { frame, HEADER_BYTES, MAX_MESSAGE_BYTES, Opcode, viewOf, type Frame } from "./frames.ts";

export const Flag = { ChecksumPresent: 1, MoreToCome: 2, ExhaustAllowed: 1 << 16 } as const;
/** Flags that a receiver must know, or refuse. */
const REQUIRED = 0xffff;
const CHECKSUM_BYTES = 4;
/** The longest command that a message makes: the shortest documents, each with its position in an array. */
export const MAX_JOINED_BYTES = 3 * MAX_MESSAGE_BYTES;
const SHORTEST_DOCUMENT = 5;
const DOCUMENT = 3;
const ARRAY = 4;

export interface Msg {
  /** The command, with `$db`. Its bytes were not validated but for their length. */
  readonly command: Uint8Array;
  /** The sender waits for no answer. */
  readonly moreToCome: boolean;
  /** The sender takes several answers to this message. */
  readonly exhaustAllowed: boolean;
  readonly checksum: boolean;
}

/** How far a document reaches; throws where it does not lie before `end`. */
function documentEnd(view: DataView, at: number, end: number): number {
  const length = at + 4 <= end ? view.getInt32(at, true) : 0;
  if (length < SHORTEST_DOCUMENT || at + length > end)
    throw new WireError(22, "InvalidBSON", `a document at byte ${at} of the message has a wrong length`);
  return at + length;
}

interface Sequence {
  readonly name: Uint8Array;
  readonly documents: readonly Uint8Array[];
}

/** The flags of a message, which hold for one that is refused too. */
export function flagsOf({ bytes }: Frame): number {
  if (bytes.length < HEADER_BYTES + 4) throw broken("an OP_MSG without flags");
  return viewOf(bytes).getUint32(HEADER_BYTES, true);
}

/** Reads a message. */
export function readMsg(given: Frame): Msg {
  const { bytes } = given;
  const view = viewOf(bytes);
  const flags = flagsOf(given);
  if ((flags & REQUIRED & ~(Flag.ChecksumPresent | Flag.MoreToCome)) !== 0)
    throw new WireError(227, "IllegalOpMsgFlag", `Message contains illegal flags value: ${flags}`, true);
  const checksum = (flags & Flag.ChecksumPresent) !== 0;
  const end = bytes.length - (checksum ? CHECKSUM_BYTES : 0);
  let at = HEADER_BYTES + 4;
  if (end < at) throw broken("an OP_MSG without its checksum");
  if (checksum && crc32c(bytes.subarray(0, end)) !== view.getUint32(end, true))
    throw new WireError(346, "ChecksumMismatch", "OP_MSG checksum does not match contents", true);
  let body: Uint8Array | null = null;
  const sequences: Sequence[] = [];
  while (at < end) {
    const kind = bytes[at] as number;
    at += 1;
    if (kind === 0) {
      if (body !== null) throw refused(40430, "Multiple body sections in message");
      const until = documentEnd(view, at, end);
      body = bytes.subarray(at, until);
      at = until;
    } else if (kind === 1) {
      const until = sequenceEnd(view, at, end);
      sequences.push(readSequence(bytes, view, at + 4, until));
      at = until;
    } else {
      throw refused(40432, `Unknown section kind ${kind}`);
    }
  }
  if (body === null) throw refused(40587, "OP_MSG messages must have a body");
  return {
    command: joined(body, sequences),
    moreToCome: (flags & Flag.MoreToCome) !== 0,
    exhaustAllowed: (flags & Flag.ExhaustAllowed) !== 0,
    checksum,
  };
}

function sequenceEnd(view: DataView, at: number, end: number): number {
  const length = at + 4 <= end ? view.getInt32(at, true) : 0;
  if (length < 4 + 1 || at + length > end)
    throw new WireError(22, "InvalidBSON", `a sequence of documents at byte ${at} of the message has a wrong length`);
  return at + length;
}

function readSequence(bytes: Uint8Array, view: DataView, start: number, end: number): Sequence {
  const zero = bytes.indexOf(0, start);
  if (zero < 0 || zero >= end) throw new WireError(22, "InvalidBSON", "a sequence of documents without a name");
  const documents: Uint8Array[] = [];
  for (let at = zero + 1; at < end; ) {
    const until = documentEnd(view, at, end);
    documents.push(bytes.subarray(at, until));
    at = until;
  }
  return { name: bytes.subarray(start, zero + 1), documents };
}

/** How many digits a position in an array has. */
function digitsOf(position: number): number {
  let digits = 1;
  for (let rest = position; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
}

/** The bytes of an array of that many documents, without the documents. */
function arrayBytes(count: number): number {
  let length = SHORTEST_DOCUMENT;
  // All positions of as many digits at once.
  for (let digits = 1, from = 0, to = 10; from < count; digits += 1, from = to, to *= 10)
    length += (Math.min(to, count) - from) * (1 + digits + 1);
  return length;
}

/** The body with each sequence as an array at its end. */
function joined(body: Uint8Array, sequences: readonly Sequence[]): Uint8Array {
  if (sequences.length === 0) return body;
  const utf8 = new TextDecoder();
  let length = body.length;
  const names = new Set<string>();
  for (const { name, documents } of sequences) {
    const text = utf8.decode(name.subarray(0, -1));
    if (names.has(text)) throw refused(40431, `Duplicate document sequence: ${text}`);
    if (hasField(body, text)) throw refused(40433, `Duplicate field between body and document sequence ${text}`);
    names.add(text);
    length += 1 + name.length + arrayBytes(documents.length);
    for (const document of documents) length += document.length;
  }
  const whole = new Uint8Array(length);
  const view = viewOf(whole);
  whole.set(body);
  view.setInt32(0, length, true);
  let at = body.length - 1;
  for (const { name, documents } of sequences) {
    whole[at] = ARRAY;
    whole.set(name, at + 1);
    at += 1 + name.length;
    const start = at;
    at += 4;
    documents.forEach((document, position) => {
      whole[at] = DOCUMENT;
      const digits = digitsOf(position);
      for (let digit = digits, rest = position; digit > 0; digit -= 1, rest = Math.floor(rest / 10))
        whole[at + digit] = 0x30 + (rest % 10);
      at += 1 + digits + 1;
      whole.set(document, at);
      at += document.length;
    });
    at += 1;
    view.setInt32(start, at - start, true);
  }
  return whole;
}

/** Whether a document has a field of this name. */
function hasField(body: Uint8Array, name: string): boolean {
  try {
    for (const member of members(body)) if (member.name === name) return true;
    return false;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw new WireError(22, "InvalidBSON", error.message);
  }
}

/** A message with one document: an answer. */
export function writeMsg(
  request: number,
  respondsTo: number,
  document: Uint8Array,
  { moreToCome, checksum }: { readonly moreToCome: boolean; readonly checksum: boolean },
): Uint8Array {
  const head = new Uint8Array(5);
  viewOf(head).setUint32(0, (moreToCome ? Flag.MoreToCome : 0) | (checksum ? Flag.ChecksumPresent : 0), true);
  if (!checksum) return frame(request, respondsTo, Opcode.Msg, head, document);
  const whole = frame(request, respondsTo, Opcode.Msg, head, document, new Uint8Array(CHECKSUM_BYTES));
  const end = whole.length - CHECKSUM_BYTES;
  viewOf(whole).setUint32(end, crc32c(whole.subarray(0, end)), true);
  return whole;
}
