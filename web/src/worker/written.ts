/**
 * What a command wrote, told from its bytes and its reply's.
 *
 * Example: `{ update: "teas", …, $db: "shop" }` with the reply `{ n: 3, nModified: 2, ok: 1 }` updated two documents of
 * `shop.teas`. Invariants: only what the reply says is told; a command that failed, or that only reads, wrote nothing.
 */
import { members, rawField } from "../codec/members.ts";
import type { Written } from "../protocol/run.ts";

type Tell = (command: Uint8Array, reply: Uint8Array) => readonly (readonly [Written["kind"], number])[];

const count = (document: Uint8Array, ...path: readonly string[]): number => Number(rawField(document, ...path) ?? 0);

/** The number of members of an array inside a document. */
function lengthOf(document: Uint8Array, name: string): number {
  for (const { name: found, start, end } of members(document))
    if (found === name) return [...members(document.subarray(start, end))].length;
  return 0;
}

/** By the command's name. */
const TELL: Readonly<Record<string, Tell>> = {
  insert: (_, reply) => [["inserted", count(reply, "n")]],
  update: (_, reply) => [
    ["updated", count(reply, "nModified")],
    ["inserted", lengthOf(reply, "upserted")],
  ],
  delete: (_, reply) => [["deleted", count(reply, "n")]],
  findAndModify: findAndModified,
  findandmodify: findAndModified,
  bulkWrite: (_, reply) => [
    ["inserted", count(reply, "nInserted") + count(reply, "nUpserted")],
    ["updated", count(reply, "nModified")],
    ["deleted", count(reply, "nDeleted")],
  ],
  create: () => [["created", 1]],
  // Of what was not there the reply tells nothing.
  drop: (_, reply) => [["dropped", hasField(reply, "nIndexesWas") ? 1 : 0]],
  dropDatabase: (_, reply) => [["dropped", hasField(reply, "dropped") ? 1 : 0]],
  createIndexes: (_, reply) => [["indexed", count(reply, "numIndexesAfter") - count(reply, "numIndexesBefore")]],
  dropIndexes: () => [["unindexed", 1]],
  renameCollection: () => [["renamed", 1]],
  collMod: () => [["changed", 1]],
  convertToCapped: () => [["changed", 1]],
  cloneCollectionAsCapped: () => [["created", 1]],
};

function findAndModified(command: Uint8Array, reply: Uint8Array): ReturnType<Tell> {
  const found = count(reply, "lastErrorObject", "n");
  if (booleanField(command, "remove")) return [["deleted", found]];
  for (const { name, start, end } of members(reply))
    if (name === "lastErrorObject" && hasField(reply.subarray(start, end), "upserted")) return [["inserted", 1]];
  return [["updated", found]];
}

function hasField(document: Uint8Array, name: string): boolean {
  for (const member of members(document)) if (member.name === name) return true;
  return false;
}

function booleanField(document: Uint8Array, name: string): boolean {
  for (const member of members(document)) if (member.name === name) return document[member.start] === 1;
  return false;
}

/** A command's name: that of its first field. */
export function nameOf(command: Uint8Array): string {
  for (const { name } of members(command)) return name;
  return "";
}

/** Commands whose replies are the same where there was nothing to do. */
const UNTOLD = new Set(["create", "collMod", "dropIndexes", "convertToCapped"]);

/** Whether a command's reply does not say if there was anything to do. */
export const isUntold = (command: Uint8Array): boolean => UNTOLD.has(nameOf(command));

/** What a command wrote; empty for most. `changed`: whether any page is another than before, where that is known. */
export function writtenBy(command: Uint8Array, reply: Uint8Array, changed = true): readonly Written[] {
  const name = nameOf(command);
  const tell = TELL[name];
  if (tell === undefined || !changed || rawField(reply, "ok") !== 1) return [];
  const database = String(rawField(command, "$db") ?? "");
  const target = rawField(command, name);
  const namespace =
    name === "renameCollection"
      ? String(rawField(command, "to") ?? target)
      : name === "bulkWrite" || typeof target !== "string"
        ? database
        : `${database}.${target}`;
  return tell(command, reply)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => ({ kind, namespace, count: number }));
}

/** Several commands' together: one entry for a kind of change of one namespace. */
export class WrittenSoFar {
  #written = new Map<string, Written>();

  add(command: Uint8Array, reply: Uint8Array, changed = true): void {
    for (const one of writtenBy(command, reply, changed)) {
      const key = `${one.kind} ${one.namespace}`;
      const before = this.#written.get(key);
      this.#written.set(key, before === undefined ? one : { ...one, count: before.count + one.count });
    }
  }

  take(): readonly Written[] {
    if (this.#written.size === 0) return [];
    const taken = [...this.#written.values()];
    this.#written = new Map();
    return taken;
  }
}
