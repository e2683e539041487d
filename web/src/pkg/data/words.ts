/** The words behind a verb of the program, by a table of the verb's options. */
import { parseArgs } from "node:util";

/** What a verb is to do; a text instead says why its words are wrong. */
export type Read<Options> = Options | string;

type Kind = "text" | "flag";
type Given<Table extends Readonly<Record<string, Kind>>> = {
  readonly [Name in keyof Table]: (Table[Name] extends "flag" ? boolean : string) | undefined;
};

/** Reads words by a table of options, and has `made` judge them. */
export function readWords<const Table extends Readonly<Record<string, Kind>>, Options>(
  words: readonly string[],
  table: Table,
  made: (positionals: readonly string[], given: Given<Table>) => Read<Options>,
): Read<Options> {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, kind]) => [name, { type: kind === "flag" ? "boolean" : "string" } as const]),
  );
  try {
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    return made(positionals, values as Given<Table>);
  } catch (error) {
    // The first sentence names the word; the others are about the syntax of options.
    return error instanceof Error ? (error.message.split(". ")[0] as string) : String(error);
  }
}

/** The database that an address names. */
export function databaseOf(uri: string | undefined): string | undefined {
  const [, name = ""] = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(uri?.replace(/\/\/.*@/s, "//") ?? "") ?? [];
  return name === "" ? undefined : decodeURIComponent(name);
}
