/** The words behind a verb of the program, by a table of the verb's options. */
import { parseArgs } from "node:util";
import { mostSimilar } from "../../state/similar.ts";
import type { Where } from "./place.ts";

/** What a verb is to do; a text instead says why its words are wrong. */
export type Read<Options> = Options | string;

type Kind = "text" | "texts" | "flag";
type Given<Table extends Readonly<Record<string, Kind>>> = {
  readonly [Name in keyof Table]:
    | (Table[Name] extends "flag" ? boolean : Table[Name] extends "texts" ? readonly string[] : string)
    | undefined;
};

/** Reads words by a table of options (`texts`: one that may be given again), and has `made` judge them. */
export function readWords<const Table extends Readonly<Record<string, Kind>>, Options>(
  words: readonly string[],
  table: Table,
  made: (positionals: readonly string[], given: Given<Table>) => Read<Options>,
): Read<Options> {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, kind]) => [
      name,
      { type: kind === "flag" ? "boolean" : "string", multiple: true } as const,
    ]),
  );
  try {
    const { positionals, values: all } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    const values: Record<string, unknown> = {};
    for (const [name, given = []] of Object.entries(all)) {
      if (given.includes("")) return `--${name} needs a value`;
      if (given.length > 1 && table[name] === "text") return `--${name} is given twice`;
      values[name] = table[name] === "texts" ? given : given[0];
    }
    return made(positionals, values as Given<Table>);
  } catch (error) {
    // The first sentence names the word; the others are about the syntax of options.
    const words = error instanceof Error ? (error.message.split(". ")[0] as string) : String(error);
    const [, unknown = ""] = /^Unknown option '--?([^']*)'$/.exec(words) ?? [];
    const meant = mostSimilar(unknown, Object.keys(table));
    return meant === null ? words : `${words}: is --${meant} meant?`;
  }
}

/** Where the data are, by the two options of which one says so; undefined for neither, and a text for both. */
export function whereOf({
  uri,
  data,
}: {
  readonly uri: string | undefined;
  readonly data: string | undefined;
}): Where | string | undefined {
  if (uri !== undefined && data !== undefined) return "--uri and --data are two places, and one is asked for";
  return uri === undefined ? (data === undefined ? undefined : { data }) : { uri };
}

/** The database that an address names. */
export function databaseOf(uri: string | undefined): string | undefined {
  const [, name = ""] = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(uri?.replace(/\/\/.*@/s, "//") ?? "") ?? [];
  return name === "" ? undefined : decodeURIComponent(name);
}
