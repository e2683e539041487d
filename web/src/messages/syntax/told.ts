/**
 * The errors of a run that are worded by reading the script once more: mistakes in its syntax, and SQL. Every view that
 * shows the errors of scripts has them worded here.
 *
 * Invariant: the parser and the words are fetched with the first such error; where they cannot be had, the shell's own
 * words stay.
 */
import type { ScriptError } from "../../protocol/run.ts";
import type { Language } from "../../state/settings.ts";
import type { SyntaxFault } from "./fault.ts";

/** A first word of SQL that the shell took for a name. */
const SQL_WORD = /^'?(?:select|insert|delete|update)'? is not defined$/i;

/** Whether the script is to be read for the words of an error. */
export function isRead({ name, message, line }: Pick<ScriptError, "name" | "message" | "line">): boolean {
  return line !== null && (name === "SyntaxError" || SQL_WORD.test(message));
}

/**
 * An error as a reader is told it: text and place by the script where that is read, by the shell elsewhere. `source` is
 * the script that ended with it.
 */
export async function worded<Told extends Pick<ScriptError, "name" | "message" | "text" | "line" | "column">>(
  error: Told,
  source: string,
  language: Language,
): Promise<Told> {
  const fault = await faultOf(error, source, language);
  return fault === null ? error : { ...error, text: fault.message, line: fault.line, column: fault.column };
}

/**
 * The fault that reading the script finds for an error, or null. `above`: lines of the editor before the script's
 * first.
 */
export async function faultOf(
  error: Pick<ScriptError, "name" | "message" | "line" | "column">,
  source: string,
  language: Language,
  above = 0,
): Promise<SyntaxFault | null> {
  if (!isRead(error)) return null;
  try {
    const [{ errorFault }, { syntaxMessagesOf }] = await Promise.all([import("./fault.ts"), import("./words.ts")]);
    return errorFault(error, source, syntaxMessagesOf(language), above);
  } catch {
    return null;
  }
}
