/**
 * The statements of a run that found nothing because their collection is not there, and the collection that each may
 * have meant.
 *
 * Invariant: pure; nothing is said of a collection that the run itself did away with.
 */
import type { Written } from "../protocol/run.ts";
import { collectionHint, type CollectionHint } from "./hints.ts";
import { mayHaveMissed, namespaceNotFound } from "./missed.ts";
import type { CatalogDatabase, Leaf } from "./model.ts";
import { sourceOf } from "./statements.ts";

/** A hint, and the position of the statement that it is for; null for the run's error. */
export interface MissedCollection {
  readonly statement: number | null;
  readonly hint: CollectionHint;
}

/** The hints for a leaf's statements and its error; `databases` is the catalog as the run left it. */
export function missedCollections(
  leaf: Pick<Leaf, "source" | "database" | "statements" | "error" | "failed">,
  databases: readonly CatalogDatabase[],
): readonly MissedCollection[] {
  const { source, statements, error, failed } = leaf;
  const wrote = failed === null ? statements : [...statements, failed];
  const gone = new Set(wrote.flatMap(({ written }) => written.flatMap(goneBy)));
  const missed: MissedCollection[] = [];
  const see = (statement: number | null, text: string, before: string, namespace: string | null): void => {
    const database = databaseAfter(before, leaf.database);
    const hint = collectionHint([text, before], database, namespace, databases);
    if (hint === null) return;
    const whole = hint.elsewhere ? hint.wrong : `${namespace?.split(".")[0] ?? database}.${hint.wrong}`;
    if (!gone.has(whole) && !gone.has(whole.split(".")[0] ?? "")) missed.push({ statement, hint });
  };
  for (const [index, statement] of statements.entries()) {
    if (!mayHaveMissed(statement)) continue;
    const { value, endLine } = statement;
    const namespace = value.kind === "cursor" ? value.batch.namespace : null;
    see(index, sourceOf(source, statement), linesUntil(source, endLine), namespace);
  }
  if (error?.code === namespaceNotFound)
    see(
      null,
      failed === null ? source : sourceOf(source, failed),
      failed === null ? source : linesUntil(source, failed.endLine),
      null,
    );
  return missed;
}

const linesUntil = (source: string, line: number): string => source.split("\n").slice(0, line).join("\n");

/** The namespaces that a write left empty, by dropping or renaming; a database's name stands for all it held. */
function goneBy({ kind, namespace, from }: Written): readonly string[] {
  if (kind === "dropped") return [namespace];
  return kind === "renamed" && from !== undefined ? [from] : [];
}

/** The database in use behind a script's lines: the shell's own lines say so. */
function databaseAfter(lines: string, first: string): string {
  const used = [...lines.matchAll(/^[ \t]*use[ \t]+([^\s;()=]+)[ \t]*;?[ \t]*(?:\/\/.*)?$/gm)].at(-1)?.[1];
  return used ?? first;
}
