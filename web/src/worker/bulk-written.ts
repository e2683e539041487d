/**
 * The documents that a `bulkWrite` wrote in each collection, read from the bytes of the command and of its reply.
 *
 * The reply counts the whole command; of single operations it tells those that failed, and the others only where
 * `errorsOnly` is not asked for. Invariants: a number at one collection is exactly that collection's; where only a sum
 * over several is known, the sum is told with the names of all of them; nothing is guessed.
 */
import { elements, flagField, member, members, rawField } from "../codec/members.ts";
import type { Written } from "../protocol/run.ts";

type Kind = "inserted" | "updated" | "deleted";

/** An operation's kind of write, by the name of its first field. */
const DOES: Readonly<Record<string, Kind>> = { insert: "inserted", update: "updated", delete: "deleted" };

interface Operation {
  readonly kind: Kind;
  readonly namespace: string;
  /** It changes one document at most. */
  readonly isSingle: boolean;
  readonly upserts: boolean;
}

function operationsOf(command: Uint8Array): readonly Operation[] {
  const namespaces = elements(command, "nsInfo").map((entry) => String(rawField(entry, "ns") ?? ""));
  return elements(command, "ops").flatMap((entry): Operation[] => {
    const [first] = members(entry);
    const kind = first === undefined ? undefined : DOES[first.name];
    const namespace = first === undefined ? undefined : namespaces[Number(rawField(entry, first.name))];
    if (kind === undefined || namespace === undefined) return [];
    return [
      {
        kind,
        namespace,
        isSingle: kind === "inserted" || !flagField(entry, "multi"),
        upserts: flagField(entry, "upsert"),
      },
    ];
  });
}

/** The documents that a `bulkWrite` wrote, by kind and collection; `reply` is one whose `ok` is 1. */
export function bulkWritten(command: Uint8Array, reply: Uint8Array): readonly Written[] {
  const operations = operationsOf(command);
  const cursor = member(reply, "cursor");
  const results = cursor === null ? [] : elements(cursor, "firstBatch");
  const isWhole = cursor !== null && Number(rawField(cursor, "id")) === 0;
  const told = new Map(results.map((result) => [Number(rawField(result, "idx")), result]));
  const sums = new Map<string, Written>();
  const add = (kind: Kind, namespace: string, count: number): void => {
    const key = `${kind} ${namespace}`;
    sums.set(key, { kind, namespace, count: (sums.get(key)?.count ?? 0) + count });
  };
  const total = (name: string): number => Number(rawField(reply, name) ?? 0);

  if (isWhole && !flagField(command, "errorsOnly")) {
    for (const [index, { kind, namespace }] of operations.entries()) {
      const result = told.get(index);
      if (result === undefined || rawField(result, "ok") !== 1) continue;
      if (member(result, "upserted") !== null) add("inserted", namespace, 1);
      else add(kind, namespace, Number(rawField(result, kind === "updated" ? "nModified" : "n") ?? 0));
    }
  } else {
    const failed = [...told].flatMap(([index, result]) => (rawField(result, "ok") === 1 ? [] : [index]));
    const end = flagField(command, "ordered", true) ? Math.min(...failed) : Infinity;
    const ran = operations.filter((_, index) => !isWhole || (index < end && !failed.includes(index)));
    // Gives each operation its one where all of them must have done that, and says whether it is so.
    const share = (kind: Kind, candidates: readonly Operation[], count: number, atMostOne: boolean): boolean => {
      const eachOne = atMostOne && candidates.length === count;
      if (eachOne) for (const { namespace } of candidates) add(kind, namespace, 1);
      else add(kind, [...new Set(candidates.map(({ namespace }) => namespace))].join(", "), count);
      return eachOne;
    };
    const of = (kind: Kind): readonly Operation[] => ran.filter((operation) => operation.kind === kind);
    const areSingle = (candidates: readonly Operation[]): boolean => candidates.every(({ isSingle }) => isSingle);
    share("inserted", of("inserted"), total("nInserted"), true);
    const upserts = of("updated").filter((operation) => operation.upserts);
    const areUpserted = share("inserted", upserts, total("nUpserted"), true);
    const updates = of("updated").filter((operation) => !(areUpserted && operation.upserts));
    share("updated", updates, total("nModified"), areSingle(updates));
    share("deleted", of("deleted"), total("nDeleted"), areSingle(of("deleted")));
  }
  return [...sums.values()];
}
