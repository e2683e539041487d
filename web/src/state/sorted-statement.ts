/**
 * The statement that asks the engine for a result in the order of a column: the command that gave it, worded anew.
 *
 * Invariants: pure; null for a command that cannot be worded with nothing lost, or should not be run again.
 */
import { planQuestion } from "./decode.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import { fieldOf, isNested, partsOf, wordKey, wordLine } from "./values.ts";

/** Options of a command as a script's chain has them. */
const chained = new Map([
  ["skip", "skip"],
  ["limit", "limit"],
  ["hint", "hint"],
  ["collation", "collation"],
  ["comment", "comment"],
  ["allowDiskUse", "allowDiskUse"],
]);
/** Part of the statement already, or of how it travels. */
const known = new Set(["filter", "projection", "sort", "pipeline", "cursor"]);

/** `column` is a field of the documents; `db` has to be the database `database`. */
export function sortedStatement(
  cursor: Pick<ScriptCursor, "command">,
  column: string,
  direction: 1 | -1,
): { readonly database: string; readonly script: string } | null {
  const question = planQuestion(cursor);
  const command: unknown = question?.command["explain"];
  if (question === null || column === "" || column.startsWith("$") || column.includes(".")) return null;
  if (!isNested(command)) return null;
  const [[, collection] = [], ...fields] = partsOf(command);
  if (typeof collection !== "string") return null;
  const target = /^[A-Za-z]\w*$/.test(collection)
    ? `db.${collection}`
    : `db.getCollection(${JSON.stringify(collection)})`;
  const order = `{ ${wordKey(column)}: ${direction} }`;
  const options = fields.filter(([name]) => !known.has(name));
  const pipeline = fieldOf(command, "pipeline");
  const { database } = question;
  if (pipeline === undefined) {
    if (options.some(([name]) => !chained.has(name))) return null;
    const filter = fieldOf(command, "filter");
    const projection = fieldOf(command, "projection");
    const given = projection === undefined ? (isEmpty(filter) ? [] : [filter]) : [filter ?? {}, projection];
    const chain = options.map(([name, value]) => `.${chained.get(name)}(${wordLine(value)})`).join("");
    return { database, script: `${target}.find(${given.map(wordLine).join(", ")}).sort(${order})${chain}` };
  }
  if (!Array.isArray(pipeline)) return null;
  const stages = [...pipeline.map(wordLine), `{ $sort: ${order} }`].map((stage) => `  ${stage},\n`).join("");
  const given = options.length === 0 ? "" : `, ${wordLine(Object.fromEntries(options))}`;
  return { database, script: `${target}.aggregate([\n${stages}]${given})` };
}

function isEmpty(filter: unknown): boolean {
  return filter === undefined || (isNested(filter) && partsOf(filter).length === 0);
}
