/** `show dbs`, `show collections` and the rest: the text that each lists. */
import type { Database } from "./database.ts";
import { MongoshInvalidInputError, type Document } from "./errors.ts";
import { format, SHELL_TEXT } from "./format.ts";

/** A text that stands by itself in the shell's output. */
export class ShellText {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  [SHELL_TEXT](): string {
    return this.#text;
  }
  toString(): string {
    return this.#text;
  }
}

/** Bytes in KiB, MiB and so on, as `show dbs` prints them. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (size < 1024 || unit === "GiB") return unit === "B" ? `${size} B` : `${size.toFixed(2)} ${unit}`;
    size /= 1024;
  }
  return `${bytes} B`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const right = Math.max(0, ...rows.map(([, text]) => text.length));
  return rows.map(([name, text]) => (text === "" ? name : `${name.padEnd(width)}  ${text.padStart(right)}`)).join("\n");
}

type Show = (database: Database, name?: string) => string;

function databases(database: Database): string {
  const list = database.getMongo().getDBs()["databases"] as readonly Document[];
  return table(list.map((one) => [String(one["name"]), formatBytes(Number(one["sizeOnDisk"] ?? 0))] as const));
}

function collections(database: Database): string {
  const rows = database
    .getCollectionInfos({}, { nameOnly: true })
    .map(
      (info) =>
        [
          String(info["name"]),
          info["type"] === "view" ? "[view]" : info["type"] === "timeseries" ? "[time-series]" : "",
        ] as const,
    )
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return table(rows);
}

/** The last five operations that took a millisecond, as mongosh words them. */
function profile(database: Database): string {
  const entries = database
    .getCollection("system.profile")
    .find({ millis: { $gt: 0 } })
    .sort({ $natural: -1 })
    .limit(5)
    .toArray() as Document[];
  if (entries.length === 0) {
    return [
      "db.system.profile is empty.",
      "Use db.setProfilingLevel(2) will enable profiling.",
      "Use db.getCollection('system.profile').find() to show raw profile entries.",
    ].join("\n");
  }
  return entries
    .map(({ op, ns, millis, ts, ...rest }) => `${op}\t${ns} ${String(millis)}ms ${format(ts)}\n${format(rest)}`)
    .join("\n");
}

const SHOWS: Readonly<Record<string, Show>> = {
  collections,
  databases,
  dbs: databases,
  log: (database, name) => (database.adminCommand({ getLog: name ?? "global" })["log"] as readonly string[]).join("\n"),
  logs: (database) => format(database.adminCommand({ getLog: "*" })["names"]),
  profile,
  roles: (database) => format(database.runCommand({ rolesInfo: 1, showBuiltinRoles: true })["roles"]),
  tables: collections,
  users: (database) => format(database.runCommand({ usersInfo: 1 })["users"]),
};

/** The text that `show <words>` prints; throws for a first word that names no list. */
export function show(database: Database, words: unknown): ShellText {
  const [first = "", second] = String(words ?? "")
    .trim()
    .split(/\s+/);
  const rule = Object.hasOwn(SHOWS, first) ? SHOWS[first] : undefined;
  if (rule === undefined) {
    throw new MongoshInvalidInputError(`'${first}' is not a valid argument for "show".`);
  }
  return new ShellText(rule(database, second));
}
