/**
 * Judges the statements of a run, after it.
 *
 * Invariants: only the data as the run left it is asked; what a later statement changed is no reason for an empty
 * result before. Where judging fails, there is nothing to say.
 */
import type { Document } from "bson";
import type { Commander } from "../data/ask.ts";
import { isWriteTo } from "../written-told.ts";
import { decodeCommand } from "../decode.ts";
import { foundNothing } from "../missed.ts";
import type { Leaf, LeafStatement } from "../model.ts";
import { sourceOf } from "../statements.ts";
import { fieldOf, isNested } from "../values.ts";
import { targetOf } from "./command-suspects.ts";
import { undoubted, type Judged } from "./doubt.ts";
import { judge, type Samples } from "./judge.ts";
import { sourceDoubts } from "./source-doubts.ts";

/** Statements of one run that are judged. */
const most = 30;

/** Each statement's position and judgement, that of the open statement first. */
export async function* judgeStatements(
  commander: Commander,
  { source, statements, open, failed }: Pick<Leaf, "source" | "statements" | "open" | "failed">,
): AsyncGenerator<readonly [number, Judged]> {
  const samples: Samples = new Map();
  const wanted = [...statements.entries()]
    .filter(([, { judged, value }]) => judged === undefined && value.kind !== "none")
    .toSorted(([one], [other]) => Number(other === open) - Number(one === open));
  const wrote = failed === null ? statements : [...statements, failed];
  for (const [index, statement] of wanted.slice(0, most)) {
    const command = commandOf(statement);
    if (command === null) continue;
    const isEmpty = foundNothing(statement.value) && !isOvertaken(command, wrote.slice(index + 1));
    const written = isByFunction(command) ? sourceDoubts(sourceOf(source, statement)) : [];
    const judged = await judge(commander, command, isEmpty, samples).catch(() => undoubted);
    yield [index, written.length === 0 ? judged : { ...judged, doubts: [...written, ...judged.doubts] }];
  }
}

/** Whether a command's filter is a function. */
export const isByFunction = (command: Document): boolean => fieldOf(targetOf(command)?.filter, "$where") !== undefined;

/** The command behind a value: of its cursor, the statement's only one, or the one that was explained. */
export function commandOf({ value, alone }: Pick<LeafStatement, "value" | "alone">): Document | null {
  if (value.kind === "cursor") return decodeCommand(value.cursor);
  if (alone !== undefined) return decodeCommand(alone);
  const explained = value.kind === "value" ? fieldOf(value.value, "command") : undefined;
  return isNested(explained) && !Array.isArray(explained) ? explained : null;
}

/** Whether statements wrote to the collection of a command. */
function isOvertaken(command: Document, later: readonly Pick<LeafStatement, "written">[]): boolean {
  const namespace = `${String(fieldOf(command, "$db"))}.${String(Object.values(command)[0])}`;
  return later.some(({ written }) => written.some((one) => isWriteTo(one, namespace)));
}
