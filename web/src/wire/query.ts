/**
 * OP_QUERY and OP_REPLY: the older messages, which clients still open a connection with (`isMaster`, `hello`), before
 * they know that the server takes OP_MSG.
 *
 * ```text
 *  header │ flags │ "admin.$cmd" │ skip │ return │ document │ fields, which may be left out
 *  header │ flags │ cursor │ from │ count │ document
 * ```
 */
import { broken, WireError } from "./error.ts";
import { frame, HEADER_BYTES, Opcode, viewOf, type Frame } from "./frames.ts";

/** Set in an answer that is an error. */
const QUERY_FAILURE = 2;
const COMMANDS = ".$cmd";

export interface Query {
  readonly database: string;
  /** The command, without `$db`. */
  readonly command: Uint8Array;
}

/** Reads a command; throws for a query of a collection, which servers take no more. */
export function readQuery({ bytes }: Frame): Query {
  const start = HEADER_BYTES + 4;
  const zero = bytes.indexOf(0, start);
  const at = zero + 1 + 8;
  if (zero < 0 || at + 5 > bytes.length) throw broken("an OP_QUERY that ends too early");
  const length = viewOf(bytes).getInt32(at, true);
  if (length < 5 || at + length > bytes.length) throw broken("an OP_QUERY whose document has a wrong length");
  const namespace = new TextDecoder().decode(bytes.subarray(start, zero));
  if (!namespace.endsWith(COMMANDS) || namespace.length === COMMANDS.length)
    throw new WireError(
      5739101,
      "Location5739101",
      "OP_QUERY is no longer supported. The client driver may require an upgrade.",
    );
  return { database: namespace.slice(0, -COMMANDS.length), command: bytes.subarray(at, at + length) };
}

/** An answer of one document. */
export function writeReply(request: number, respondsTo: number, document: Uint8Array, failed: boolean): Uint8Array {
  const head = new Uint8Array(20);
  const view = viewOf(head);
  view.setInt32(0, failed ? QUERY_FAILURE : 0, true);
  view.setInt32(16, 1, true);
  return frame(request, respondsTo, Opcode.Reply, head, document);
}
