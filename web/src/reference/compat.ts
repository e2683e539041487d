/**
 * COMPAT.md as rows: every name of the manual, and how far it is supported.
 *
 * Invariants: pure; COMPAT.md alone decides which names are supported. Its sections whose tables have the columns name,
 * status and note are read, the rest of its text is not.
 */

/** Whether a name does what MongoDB's does, does it in part (the note says which), or is refused. */
export type Support = "supported" | "partial" | "absent";

export interface CompatRow {
  readonly section: string;
  readonly name: string;
  readonly support: Support;
  /** The difference from MongoDB's own; empty where there is none. */
  readonly note: string;
}

const HEADING = /^## (.+)$/;
const COLUMNS = "| name | status | note |";
const ROW = /^\| `([^`]+)` \| (supported|partial|absent) \|(.*)\|$/;

/** The rows of every table of names, in their order. Throws for a row that cannot be read. */
export function readCompat(text: string): readonly CompatRow[] {
  const rows: CompatRow[] = [];
  let section = "";
  let isNames = false;
  for (const line of text.split(/\r?\n/)) {
    section = HEADING.exec(line)?.[1] ?? section;
    if (line === COLUMNS) isNames = true;
    else if (!line.startsWith("|")) isNames = false;
    else if (isNames && !line.startsWith("| ---")) {
      const [, name, support, note] = ROW.exec(line) ?? [];
      if (name === undefined) throw new Error(`a row of ${section} cannot be read: ${line}`);
      rows.push({ section, name, support: support as Support, note: (note ?? "").trim() });
    }
  }
  return rows;
}
