/** The words behind `push` and `pull`. */
import type { Where } from "../data/place.ts";
import { addressFault } from "../data/unreached.ts";
import { databaseOf, readWords, type Read } from "../data/words.ts";
import { readWish, type Wish } from "./shard-key.ts";

export const PUSH_USAGE = `quiredb push mongodb://… (--data FILE | ARCHIVE | DIR | -) [OPTIONS]

Copies databases to a real deployment (a replica set, a sharded cluster, Atlas), by MongoDB's own driver
(npm install mongodb): documents as their bytes, options, validators, indexes and views. Afterwards counts and hashes of
both sides are compared. What is here is only read. Who is stopped or killed gives the same command again: it goes on
where it stopped.

  --data FILE         the data are in a file of \`quiredb serve\`; otherwise in an archive of the playground's or of
                      mongodump's, in a folder of mongodump's, or come by the standard input (-)
  --db NAME           this database alone (default: the address's, or all)
  --drop              replace collections that are there already, which are left alone and told otherwise
  --shard-key NAMESPACE[=KEY]
                      shard a collection: shop.orders=customer,number or shop.orders=customer:hashed; without a key by
                      the one that the data and the indexes speak for. May be given again
  --dry-run           tell what would be done, and write nothing

Exit code: 0 all was copied and compared, 1 something is not as it should be, 2 it could not begin or was cut off.`;

export const PULL_USAGE = `quiredb pull mongodb://… (--data FILE | --out ARCHIVE) [OPTIONS]

Copies databases from a real deployment (a replica set, a sharded cluster, Atlas), by MongoDB's own driver
(npm install mongodb): documents as their bytes, options, validators, indexes and views. Afterwards counts and hashes
are compared. The deployment is only read. Who is stopped or killed gives the same command again: it goes on where it
stopped.

  --data FILE         into a file, for \`quiredb serve\` and \`quiredb run\`; it is made where there is none
  --out ARCHIVE       into an archive, which the playground and mongorestore read; packed where the name ends with .gz
  --db NAME           this database alone (default: the address's, or all)
  --drop              replace collections that are in the file already, which are left alone and told otherwise
  --follow            go on with the changes that are made there, by a change stream, until Ctrl+C; given again it goes
                      on behind the last change that it has
  --dry-run           tell what would be done, and write nothing

Exit code: 0 all was copied and compared, 1 something is not as it should be, 2 it could not begin or was cut off.`;

export interface PushOptions {
  readonly uri: string;
  readonly source: Extract<Where, { data: string }> | { readonly archive: string };
  readonly database: string | null;
  readonly drop: boolean;
  readonly dryRun: boolean;
  readonly wishes: readonly Wish[];
}

export interface PullOptions {
  readonly uri: string;
  readonly target: Extract<Where, { data: string }> | { readonly out: string };
  readonly database: string | null;
  readonly drop: boolean;
  readonly dryRun: boolean;
  readonly follow: boolean;
}

/** The database that is meant; `admin` in an address says whose its user is. */
function databaseIn(uri: string, given: string | undefined): string | null {
  const named = databaseOf(uri);
  return given ?? (named === "admin" ? undefined : named) ?? null;
}

const ADDRESS = "the address is missing, as mongodb://HOST:PORT/";
const OWN = new Set(["admin", "config", "local"]);

/** The database of words that may do (null for all), or why they do not. */
function databaseFor(uri: string, given: string | undefined): { readonly database: string | null } | string {
  const wrong = addressFault(uri);
  if (wrong !== null) return wrong;
  const database = databaseIn(uri, given);
  return database !== null && OWN.has(database)
    ? `${database} is a server's own database, and is not copied`
    : { database };
}

export function readPushOptions(words: readonly string[]): Read<PushOptions> {
  const table = { data: "text", db: "text", drop: "flag", "shard-key": "texts", "dry-run": "flag" } as const;
  return readWords(words, table, ([uri, archive, more], given) => {
    const { data, db, drop = false, "dry-run": dryRun = false, "shard-key": keys = [] } = given;
    if (uri === undefined) return ADDRESS;
    const found = databaseFor(uri, db);
    if (typeof found === "string") return found;
    const { database } = found;
    if (more !== undefined) return `${more} is a word too many`;
    if (archive !== undefined && data !== undefined)
      return `--data and ${archive} are two places, and one is asked for`;
    if (archive !== undefined && /^mongodb(?:\+srv)?:/.test(archive))
      return "two addresses: pull the one into a file, and push that to the other";
    if (archive?.endsWith(".quire") === true) return `a file of \`quiredb serve\` is told by --data: --data ${archive}`;
    const source = data === undefined ? (archive === undefined ? null : { archive }) : { data };
    if (source === null) return "--data FILE or an archive says what is pushed";
    const wishes: Wish[] = [];
    for (const key of keys) {
      const wish = readWish(key);
      if (typeof wish === "string") return wish;
      wishes.push(wish);
    }
    return { uri, source, database, drop, dryRun, wishes };
  });
}

export function readPullOptions(words: readonly string[]): Read<PullOptions> {
  const table = { data: "text", out: "text", db: "text", drop: "flag", follow: "flag", "dry-run": "flag" } as const;
  return readWords(words, table, ([uri, more], given) => {
    const { data, out, db, drop = false, follow = false, "dry-run": dryRun = false } = given;
    if (uri === undefined) return ADDRESS;
    const found = databaseFor(uri, db);
    if (typeof found === "string") return found;
    const { database } = found;
    if (more !== undefined) return `${more} is a word too many: --data FILE or --out ARCHIVE says where the data go`;
    if (data !== undefined && out !== undefined) return "--data and --out are two places, and one is asked for";
    const target = data === undefined ? (out === undefined ? null : { out }) : { data };
    if (target === null) return "--data FILE or --out ARCHIVE says where the data go";
    if (follow && "out" in target) return "--follow needs --data: an archive is done once it is written";
    return { uri, target, database, drop, dryRun, follow };
  });
}
