/**
 * What a copy asks of both places: the kind of a deployment, its collections with their options and indexes as bytes,
 * and a few words that say what was refused.
 *
 * Invariant: options, validators, pipelines and keys are never taken apart, so that each goes over as it is.
 */
import { Binary, EJSON, type Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { elements, member, members } from "../../codec/members.ts";
import { ask, judged, Refusal, type Commander } from "../../state/data/ask.ts";
import { batchDocuments } from "../../state/data/bytes.ts";
import { mostSimilar } from "../../state/similar.ts";
import { Lost, PlaceError } from "../data/driver-place.ts";
import { documentOf, elementsOf } from "../data/lossless.ts";

/** A deployment that is connected to. */
export interface Deployment {
  readonly kind: "sharded cluster" | "replica set" | "standalone";
  readonly version: string;
}

export async function deploymentAt(place: Commander): Promise<Deployment> {
  const { msg, setName } = await ask(place, "admin", { hello: 1 });
  const { version } = await ask(place, "admin", { buildInfo: 1 });
  const kind = msg === "isdbgrid" ? "sharded cluster" : setName === undefined ? "standalone" : "replica set";
  return { kind, version: String(version) };
}

export interface Listed {
  readonly database: string;
  readonly name: string;
  readonly namespace: string;
  /** `collection`, `view`, `timeseries`. */
  readonly type: string;
  readonly isCapped: boolean;
  /** Documents may be refused by a validator. */
  readonly hasValidator: boolean;
  /** The options of `create`, as bytes. */
  readonly options: Uint8Array;
  readonly uuid: string | null;
}

/** Databases that a deployment has for itself. */
const OWN = new Set(["admin", "config", "local"]);

/** The databases that hold a person's data; with `only`, that one, which has to be there. */
export async function databasesOf(place: Commander, only: string | null, where: string): Promise<readonly string[]> {
  const { databases } = await ask(place, "admin", { listDatabases: 1, nameOnly: true });
  const names = (databases as { name: string }[]).map(({ name }) => name).filter((name) => !OWN.has(name));
  if (only === null) return names;
  if (names.includes(only)) return [only];
  // Who may use one database alone is not told of any.
  if ((await collectionsOf(place, only)).listed.length > 0) return [only];
  const near = mostSimilar(only, names);
  const known = names.length === 0 ? "" : `: there is ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  throw new PlaceError(`${where} has no database ${only}${near === null ? known : `: is ${near} meant?`}`);
}

/** All documents of a listing, as bytes. */
export async function listing(place: Commander, database: string, command: Document): Promise<readonly Uint8Array[]> {
  const found: Uint8Array[] = [];
  let bytes = await place.commandBytes(encode({ ...command, $db: database }));
  for (;;) {
    const { id, ns } = judged(bytes)["cursor"] as { id: unknown; ns: string };
    found.push(...batchDocuments(bytes));
    if (String(id) === "0") return found;
    const collection = ns.slice(database.length + 1);
    bytes = await place.commandBytes(encode({ getMore: id, collection, $db: database }));
  }
}

/** The collections and views of a database, collections first; and names that a server has for itself. */
export async function collectionsOf(
  place: Commander,
  database: string,
): Promise<{ readonly listed: readonly Listed[]; readonly leftOut: readonly string[] }> {
  const listed: Listed[] = [];
  const leftOut: string[] = [];
  for (const bytes of await listing(place, database, { listCollections: 1 })) {
    const {
      name,
      type,
      options = {},
      info = {},
    } = decode(bytes, { numbers: "typed" }) as {
      name: string;
      type: string;
      options?: Document;
      info?: Document;
    };
    if (name.startsWith("system.")) {
      if (!/^system\.(?:views|buckets\.)/.test(name)) leftOut.push(`${database}.${name}`);
      continue;
    }
    const uuid: unknown = info["uuid"];
    listed.push({
      database,
      name,
      namespace: `${database}.${name}`,
      type,
      isCapped: options["capped"] === true,
      hasValidator: options["validator"] !== undefined,
      options: member(bytes, "options") ?? encode({}),
      uuid: uuid instanceof Binary ? uuid.toString("hex").replaceAll("-", "") : null,
    });
  }
  listed.sort((left, right) => Number(left.type === "view") - Number(right.type === "view"));
  return { listed, leftOut };
}

/** The command that makes a collection; `without`: options that are set later. */
export function createCommand({ name, database, options }: Listed, without: readonly string[]): Uint8Array {
  return documentOf([
    ...elementsOf(encode({ create: name }), () => true),
    // The server gives views their version itself.
    ...elementsOf(options, (option) => !without.includes(option)),
    ...elementsOf(encode({ $db: database }), () => true),
  ]);
}

export interface ListedIndex {
  readonly name: string;
  readonly key: Document;
  readonly isUnique: boolean;
  readonly expires: boolean;
  readonly specification: Uint8Array;
}

/** The indexes of a collection, but that of `_id`. */
export async function indexesOf(place: Commander, database: string, collection: string): Promise<ListedIndex[]> {
  const found: ListedIndex[] = [];
  for (const bytes of await listing(place, database, { listIndexes: collection })) {
    const { name, key, unique, clustered, expireAfterSeconds } = decode(bytes, { numbers: "driver" });
    if (name === "_id_" || clustered === true) continue;
    found.push({
      name: String(name),
      key: key as Document,
      isUnique: unique === true,
      expires: expireAfterSeconds !== undefined,
      specification: documentOf(elementsOf(bytes, (field) => field !== "ns" && field !== "v")),
    });
  }
  return found;
}

/** `{ _id }` of a document, as bytes; null where it has none. */
export function idOf(document: Uint8Array): Uint8Array | null {
  const [first] = elementsOf(document, (name) => name === "_id");
  return first === undefined ? null : documentOf([first]);
}

export const shownId = (id: Uint8Array): string =>
  EJSON.stringify(decode(id, { numbers: "typed" })["_id"], { relaxed: true });

/** The errors of documents in a write's reply. */
export function writeErrors(
  reply: Uint8Array,
): readonly { index: number; code: number; message: string; isId: boolean }[] {
  return elements(reply, "writeErrors").map((bytes) => {
    const { index, code, errmsg, keyPattern } = decode(bytes, { numbers: "driver" });
    const isId =
      keyPattern === undefined
        ? / index: _id_ /.test(String(errmsg))
        : Object.keys(keyPattern as object).join() === "_id";
    return { index: Number(index), code: Number(code), message: String(errmsg), isId };
  });
}

/** Codes of a server that will take the command when it is asked again. */
const PASSING = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

export function isPassing(error: unknown): boolean {
  return error instanceof Lost || (error instanceof Refusal && PASSING.has(error.code ?? 0));
}

/** Whether a cursor is gone with the server or the session that had it. */
export const isCursorGone = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 43 || isPassing(error));

/** A place that refuses everything: no other collection would fare better. */
export function isHopeless(error: unknown): boolean {
  return error instanceof PlaceError || (error instanceof Refusal && (error.code === 13 || error.code === 18));
}

export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Refusal)) return words;
  if (error.code === 13) return `${words}: the address needs a user that may do that (mongodb://USER:PASSWORD@HOST/)`;
  return words.replace(/^Index build failed: .* :: caused by :: /s, "");
}

/** True where two documents' bytes are the same. */
export const isSame = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

/** The names of a document's fields. */
export const namesOf = (document: Uint8Array): string[] => [...members(document)].map(({ name }) => name);
