/**
 * The documents, indexes and collections that a command wrote, read from its bytes, its reply's, and the engine's
 * counters.
 *
 * Example: `{ update: "teas", …, $db: "shop" }` with the reply `{ n: 3, nModified: 2, ok: 1 }` updated two documents of
 * `shop.teas`. Invariants: every number is the reply's or the engine's; a command that failed wrote nothing, but for an
 * aggregation whose `$merge` had written before; one that only reads wrote nothing.
 */
import { elements, flagField, member, members, rawField, withFields } from "../codec/members.ts";
import type { Account } from "../engine/account.ts";
import type { Written } from "../protocol/run.ts";
import { bulkWritten } from "./bulk-written.ts";

type Tell = (command: Uint8Array, reply: Uint8Array) => readonly (readonly [Written["kind"], number])[];

const count = (document: Uint8Array, ...path: readonly string[]): number => Number(rawField(document, ...path) ?? 0);
const text = (document: Uint8Array, name: string): string => String(rawField(document, name) ?? "");
const has = (document: Uint8Array, name: string): boolean => member(document, name) !== null;

/** By the command's name. */
const TELL: Readonly<Record<string, Tell>> = {
  insert: (_, reply) => [["inserted", count(reply, "n")]],
  update: (_, reply) => [
    ["updated", count(reply, "nModified")],
    ["inserted", elements(reply, "upserted").length],
  ],
  delete: (_, reply) => [["deleted", count(reply, "n")]],
  findAndModify: findAndModified,
  findandmodify: findAndModified,
  create: () => [["created", 1]],
  // Where there was no collection to drop, the reply has no `nIndexesWas`.
  drop: (_, reply) => [["dropped", has(reply, "nIndexesWas") ? 1 : 0]],
  dropDatabase: (_, reply) => [["dropped", has(reply, "dropped") ? 1 : 0]],
  createIndexes: (_, reply) => [["indexed", count(reply, "numIndexesAfter") - count(reply, "numIndexesBefore")]],
  dropIndexes: () => [["unindexed", 1]],
  collMod: () => [["changed", 1]],
  convertToCapped: () => [["changed", 1]],
  cloneCollectionAsCapped: () => [["created", 1]],
};

function findAndModified(command: Uint8Array, reply: Uint8Array): ReturnType<Tell> {
  const found = count(reply, "lastErrorObject", "n");
  if (flagField(command, "remove")) return [["deleted", found]];
  const done = member(reply, "lastErrorObject");
  return [[done !== null && has(done, "upserted") ? "inserted" : "updated", found]];
}

/** A command's name: that of its first field. */
export function nameOf(command: Uint8Array): string {
  for (const { name } of members(command)) return name;
  return "";
}

/** Where the results of an aggregation go. */
interface Target {
  readonly namespace: string;
  /** The results take the place of all documents of the collection (`$out`). */
  readonly replaces: boolean;
}

/** A collection as the document of its database's name, which may be absent, and its own. */
const named = (document: Uint8Array, own: string, name = "coll"): string =>
  `${text(document, "db") || own}.${text(document, name)}`;

/** A collection that a field names by a text or by such a document. */
function namedBy(document: Uint8Array, field: string, own: string): string {
  const name = rawField(document, field);
  return typeof name === "string" ? `${own}.${name}` : named(member(document, field) ?? document, own);
}

/** Where an aggregation or a `mapReduce` writes; null for one that only reads. */
function targetOf(command: Uint8Array): Target | null {
  const kind = nameOf(command);
  // Asked of every command: only these two are read any further.
  if (kind !== "aggregate" && kind !== "mapReduce" && kind !== "mapreduce") return null;
  const database = text(command, "$db");
  switch (kind) {
    case "aggregate": {
      const stage = elements(command, "pipeline").at(-1);
      const name = stage === undefined ? "" : nameOf(stage);
      if (stage === undefined || (name !== "$out" && name !== "$merge")) return null;
      const inside = member(stage, name);
      const isNested = name === "$merge" && inside !== null && typeof rawField(stage, name) !== "string";
      const namespace = isNested ? namedBy(inside, "into", database) : namedBy(stage, name, database);
      return { namespace, replaces: name === "$out" };
    }
    case "mapReduce":
    case "mapreduce": {
      const name = rawField(command, "out");
      if (typeof name === "string") return { namespace: `${database}.${name}`, replaces: true };
      const out = member(command, "out");
      const mode = ["replace", "merge", "reduce"].find((one) => out !== null && has(out, one));
      if (out === null || mode === undefined) return null;
      return { namespace: named(out, database, mode), replaces: mode === "replace" };
    }
  }
}

/** Commands whose replies are the same where there was nothing to do. */
const UNTOLD = new Set(["create", "collMod", "dropIndexes", "convertToCapped"]);

/** Whether a command's reply does not count its writes, so that the engine's totals before and after it are needed. */
export const isUntold = (command: Uint8Array): boolean =>
  UNTOLD.has(nameOf(command)) || isObserving(command) || targetOf(command) !== null;

const isObserving = (command: Uint8Array): boolean => nameOf(command) === "quireObserve";

/**
 * The writes of a command; empty for most.
 *
 * @param account the growth of the engine's totals while it ran; absent only where `isUntold` says that it may be
 */
export function writtenBy(command: Uint8Array, reply: Uint8Array, account?: Account): readonly Written[] {
  const target = targetOf(command);
  if (target !== null) return aggregated(target, rawField(reply, "ok") === 1, account);
  if (rawField(reply, "ok") !== 1 || (UNTOLD.has(nameOf(command)) && account?.pagesWritten === 0)) return [];
  const name = nameOf(command);
  const database = text(command, "$db");
  switch (name) {
    case "bulkWrite":
      return bulkWritten(command, reply).filter(({ count }) => count > 0);
    case "renameCollection":
      return [{ kind: "renamed", namespace: text(command, "to"), count: 1, from: text(command, name) }];
    case "quireRestore":
      return elements(reply, "restored").map((_, at) => ({
        kind: "restored",
        namespace: text(member(reply, "restored") as Uint8Array, String(at)),
        count: 1,
      }));
    case "quireObserve": {
      const [inner, own] = [member(command, "command"), member(reply, "reply")];
      const within = inner === null || has(inner, "$db") ? inner : withFields(inner, { $db: database });
      return within === null || own === null ? [] : writtenBy(within, own, account);
    }
  }
  const tell = TELL[name];
  if (tell === undefined) return [];
  const collection = rawField(command, name);
  const namespace = typeof collection === "string" ? `${database}.${collection}` : database;
  return tell(command, reply)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => ({ kind, namespace, count: number }));
}

/** The writes of an aggregation: one that failed may have written a part, which the engine counted. */
function aggregated({ namespace, replaces }: Target, isDone: boolean, account?: Account): readonly Written[] {
  const { documentsInserted = 0, documentsUpdated = 0 } = account ?? {};
  // A collection that holds nothing now is another than before, too.
  if (replaces) return isDone ? [{ kind: "replaced", namespace, count: documentsInserted }] : [];
  const written: readonly Written[] = [
    { kind: "inserted", namespace, count: documentsInserted },
    { kind: "updated", namespace, count: documentsUpdated },
  ];
  return written.filter(({ count }) => count > 0);
}

/** Several commands' together: one entry for a kind of change of one namespace. */
export class WrittenSoFar {
  #written = new Map<string, Written>();

  add(command: Uint8Array, reply: Uint8Array, account?: Account): void {
    for (const one of writtenBy(command, reply, account)) {
      const key = `${one.kind} ${one.namespace} ${one.from ?? ""}`;
      const before = this.#written.get(key);
      this.#written.set(
        key,
        before === undefined || one.kind === "replaced" ? one : { ...one, count: before.count + one.count },
      );
    }
  }

  take(): readonly Written[] {
    if (this.#written.size === 0) return [];
    const taken = [...this.#written.values()];
    this.#written = new Map();
    return taken;
  }
}
