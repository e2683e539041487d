/**
 * Whether a command holds a function to call: for such a command the sandbox is loaded, before it is run.
 *
 * Invariant: a command that may hold one is said to hold one. A name that stands in a text or in data costs the loading
 * of the sandbox and nothing else.
 */
import type { Document } from "bson";
import { isMap } from "../codec/brand.ts";
import { CALLING_FUNCTIONS, EXPLAINING } from "../engine/commands.generated.ts";

/** The operators that call functions. */
const CALLERS = ["$accumulator", "$function", "$where"];

const bytesOf = (name: string): Uint8Array => new TextEncoder().encode(`${name}\0`);
/** The operators' names as they stand in a command's bytes, closing zero included. */
const CALLER_BYTES = CALLERS.map(bytesOf);
/** Names of commands that call functions: behind the document's length and its first field's type. */
const COMMAND_BYTES = CALLING_FUNCTIONS.map(bytesOf);
const FIRST_NAME = 5;
/** The command may be wrapped in `explain`, whose value is then the command's document. */
const EXPLAINING_BYTES = EXPLAINING.map(bytesOf);

/** Whether a command's bytes have such a name somewhere. */
export function holdsFunction(command: Uint8Array): boolean {
  const isAt = (name: Uint8Array, at: number): boolean => name.every((byte, index) => command[at + index] === byte);
  const around = EXPLAINING_BYTES.find((name) => isAt(name, FIRST_NAME));
  const first = around === undefined ? FIRST_NAME : FIRST_NAME + around.length + FIRST_NAME;
  if (COMMAND_BYTES.some((name) => isAt(name, first))) return true;
  for (let at = command.indexOf(0x24); at >= 0; at = command.indexOf(0x24, at + 1)) {
    if (CALLER_BYTES.some((name) => isAt(name, at))) return true;
  }
  return false;
}

/** A value that is nested deeper, or refers to itself, is refused when it is encoded. */
const MAX_DEPTH = 200;

/** Whether a command that is an object still, and has no bytes yet, may hold a function to call. */
export function objectHoldsFunction(command: Document): boolean {
  // Documents to insert hold data.
  return !("documents" in command) && hasCaller(command, 0);
}

function hasCaller(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => hasCaller(item, depth + 1));
  // `toBSON` makes the value when the command is written, and may make any.
  if (typeof (value as { toBSON?: unknown }).toBSON === "function") return true;
  if (isMap(value)) return hasCaller(Object.fromEntries(value as Map<string, unknown>), depth);
  if ("_bsontype" in value || ArrayBuffer.isView(value)) return false;
  for (const name in value)
    if (
      (name.charCodeAt(0) === 0x24 && CALLERS.includes(name)) ||
      CALLING_FUNCTIONS.includes(name) ||
      hasCaller((value as Document)[name], depth + 1)
    )
      return true;
  return false;
}
