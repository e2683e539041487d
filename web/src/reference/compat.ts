/**
 * COMPAT.md as rows: every name of the manual with what there is of it.
 *
 * Invariants: pure; COMPAT.md is the one source of what is supported. Its sections whose tables have the columns name,
 * status and note are read, the rest of its text is not.
 */

/** Whether a name does what MongoDB's does, does it in part (the note says which), or is refused. */
export type Support = "supported" | "partial" | "absent";

export interface CompatRow {
  readonly section: string;
  readonly name: string;
  readonly support: Support;
  /** What differs; empty where nothing does. */
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
