/**
 * Shard keys, judged as the lesson "Choosing a shard key" does: cardinality, frequency and growth by the data, and
 * which queries give the key by the indexes that there are.
 *
 * Invariants: a key that a cluster would refuse is refused here, before anything is written; every figure is of the
 * documents that were looked at, and says so where these were not all.
 */
import type { Document } from "bson";
import { EJSON } from "bson";
import { ask, cursorOf, type Commander } from "../../state/data/ask.ts";
import { onlyGrow } from "./growth.ts";
import type { Listed, ListedIndex } from "./places.ts";
import { counted } from "./progress.ts";

export type ShardKey = Readonly<Record<string, 1 | "hashed">>;

/** A key for a collection; null asks for the recommended one. */
export interface Wish {
  readonly namespace: string;
  readonly key: ShardKey | null;
}

/** Reads `shop.orders=customer,number`, `shop.orders=at:hashed`, `shop.orders={"customer":1}` or `shop.orders`. */
export function readWish(text: string): Wish | string {
  const at = text.indexOf("=");
  const namespace = at < 0 ? text : text.slice(0, at);
  const form = "--shard-key is DATABASE.COLLECTION=FIELD,FIELD:hashed, or DATABASE.COLLECTION alone for a proposal";
  if (!/^[^.=]+\..+$/.test(namespace)) return `${form}, and not ${text}`;
  if (at < 0) return { namespace, key: null };
  const worded = text.slice(at + 1).trim();
  const key: Record<string, 1 | "hashed"> = {};
  let given: [string, unknown][];
  if (worded.startsWith("{")) {
    try {
      given = Object.entries(EJSON.parse(worded, { relaxed: true }) as Document);
    } catch {
      return `--shard-key: ${worded} is no JSON; without quotation marks it is ${namespace}=FIELD,FIELD:hashed`;
    }
  } else
    given = worded.split(",").map((field): [string, unknown] => {
      const [, name = "", kind = "1"] = /^(.*?)(?::(\w+|-1))?$/.exec(field.trim()) ?? [];
      return [name, kind === "1" ? 1 : kind];
    });
  for (const [name, kind] of given) {
    if (name === "" || name.startsWith("$")) return `${form}, and not ${text}`;
    if (kind !== 1 && kind !== "hashed")
      return `--shard-key: ${name} is 1 or hashed in a shard key, and not ${String(kind)}`;
    key[name] = kind;
  }
  if (given.length === 0) return `${form}, and not ${text}`;
  if (Object.values(key).filter((kind) => kind === "hashed").length > 1)
    return "--shard-key: one field of a shard key may be hashed";
  return { namespace, key };
}

export interface Judged {
  readonly key: ShardKey;
  /** Why a cluster refuses it. */
  readonly refusal: string | null;
  /** What the lesson warns of. */
  readonly warnings: readonly string[];
}

/** Documents that are looked at. */
const SAMPLE = 100_000;
/** Values fewer than this are few; a share larger than this is a large one. */
const FEW = 100;
const LARGE_SHARE = 0.1;
const SMALL_COLLECTION = 200;

export const keyText = (key: ShardKey): string =>
  `{ ${Object.entries(key)
    .map(
      ([name, kind]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${kind === 1 ? 1 : '"hashed"'}`,
    )
    .join(", ")} }`;

/** What the data say of a key. */
export async function judge(
  place: Commander,
  { database, name, isCapped, type }: Listed,
  indexes: readonly ListedIndex[],
  key: ShardKey,
): Promise<Judged> {
  const fields = Object.keys(key);
  const refused = (refusal: string): Judged => ({ key, refusal, warnings: [] });
  if (type !== "collection") return refused(`a ${type} has no shard key here`);
  if (isCapped) return refused("a capped collection cannot be sharded");
  const unique = indexes.find(({ isUnique, key: indexed }) => {
    const names = Object.keys(indexed);
    return isUnique && names[0] !== "_id" && !fields.every((field, at) => names[at] === field);
  });
  if (unique !== undefined)
    return refused(
      `the unique index ${unique.name} does not begin with ${keyText(key)}: ` +
        "each shard can only watch over its own documents",
    );
  const grouped = async (pipeline: Document[]): Promise<Document | undefined> =>
    cursorOf(
      await ask(place, database, {
        aggregate: name,
        pipeline: [{ $limit: SAMPLE }, ...pipeline],
        cursor: {},
        allowDiskUse: true,
      }),
    ).documents[0];
  const number = (row: Document | undefined, field: string): number => Number(row?.[field] ?? 0);
  const lists = await grouped([
    { $match: { $or: fields.map((field) => ({ [field]: { $type: "array" } })) } },
    { $count: "n" },
  ]);
  if (number(lists, "n") > 0)
    return refused(`a field of it has arrays, in ${counted(number(lists, "n"), "document")} of those looked at`);
  const id = Object.fromEntries(fields.map((field, at) => [`k${at}`, { $ifNull: [`$${field}`, null] }]));
  const row = await grouped([
    { $group: { _id: id, n: { $sum: 1 } } },
    { $sort: { n: -1 } },
    {
      $group: {
        _id: null,
        values: { $sum: 1 },
        most: { $first: "$n" },
        all: { $sum: "$n" },
        which: { $first: "$_id" },
      },
    },
  ]);
  const [values, most, all] = [number(row, "values"), number(row, "most"), number(row, "all")];
  const warnings: string[] = [];
  if (all >= SMALL_COLLECTION && values < FEW)
    warnings.push(
      `few values: it has ${counted(values, "value")}, and a chunk cannot be cut inside one of them: ` +
        "add a field in which these documents differ",
    );
  else if (all >= SMALL_COLLECTION && most / all > LARGE_SHARE) {
    const which = Object.values(row?.["which"] as Document).map((value) => EJSON.stringify(value, { relaxed: true }));
    warnings.push(
      `a frequent value: ${Math.round((most / all) * 100)} % of the documents have ${which.join(", ")}, ` +
        "and their chunk cannot be cut: add a field in which they differ",
    );
  }
  const [first = ""] = fields;
  if (key[first] === 1 && all >= SMALL_COLLECTION && (await grows(place, database, name, first)))
    warnings.push(
      `it begins with ${first}, which only grows: every new document goes to the shard with the last chunk. ` +
        `Another field first, or ${first}:hashed`,
    );
  return { key, refusal: null, warnings };
}

/** Whether documents that came later have larger values, as dates, counters and ObjectIds have. */
async function grows(place: Commander, database: string, collection: string, field: string): Promise<boolean> {
  const pipeline = [{ $limit: 2000 }, { $project: { _id: 0, v: { $ifNull: [`$${field}`, null] } } }];
  const { documents } = cursorOf(
    await ask(place, database, { aggregate: collection, pipeline, cursor: { batchSize: 2000 }, hint: { $natural: 1 } }),
  );
  return onlyGrow(documents.map((document) => document["v"] as unknown));
}

/**
 * The key that the lesson would choose: of the indexes' keys, which say what queries ask for, the first without a
 * warning, made finer by `_id` where it has to be; else `_id`, hashed.
 */
export async function recommend(
  place: Commander,
  listed: Listed,
  indexes: readonly ListedIndex[],
): Promise<Judged & { readonly reason: string }> {
  const tried: ShardKey[] = [];
  for (const { key } of indexes) {
    const fields = Object.keys(key);
    const isPlain = Object.entries(key).every(([name, kind]) => Math.abs(Number(kind)) === 1 && !name.includes("$"));
    if (!isPlain || fields.includes("_id")) continue;
    const plain = Object.fromEntries(fields.map((field) => [field, 1])) as ShardKey;
    tried.push(plain, { ...plain, _id: 1 });
  }
  for (const key of tried) {
    const judged = await judge(place, listed, indexes, key);
    if (judged.refusal === null && judged.warnings.length === 0)
      return {
        ...judged,
        reason: `an index says that queries give ${Object.keys(key)[0]}, and its values are many and none is frequent`,
      };
  }
  const judged = await judge(place, listed, indexes, { _id: "hashed" });
  return {
    ...judged,
    reason:
      "no index begins with fields that would do: documents lie evenly so, " +
      "and a query that gives no _id asks all shards",
  };
}
