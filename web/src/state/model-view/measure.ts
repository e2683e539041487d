/**
 * Measures a reference over all documents of both collections: how many refer to each, and to how many each refers.
 *
 * Invariants: exact, by aggregations over the whole collections. A document that refers to another one twice counts
 * once for it. The work is done in batches, so that it can be stopped between any two. Two commands cannot read both
 * collections at one moment: where somebody writes meanwhile, the reader is told that the data has changed.
 */
import type { Document } from "bson";
import type { Commander } from "../data/ask.ts";
import { fieldOf, numberOf } from "../values.ts";
import { batchesOf, batchSize } from "./batches.ts";
import { keyOf } from "./candidates.ts";
import { kindOf, rangeOf, type Cardinality, type Reference } from "./model.ts";
import { findKeys } from "./references.ts";

/** An expression's value as an array: an array itself, another value in an array of one, null or nothing as `[]`. */
function asArray(expression: unknown): Document {
  return {
    $let: {
      vars: { it: expression },
      in: { $cond: [{ $isArray: "$$it" }, "$$it", { $cond: [{ $gt: ["$$it", null] }, ["$$it"], []] }] },
    },
  };
}

/** An expression for the different values of a document at a path; null and missing fields do not count. */
export function valuesExpression({ steps, byDbRef }: Pick<Reference, "steps" | "byDbRef">): Document {
  const path = `$${steps.filter((step) => step !== "[]").join(".")}`;
  const levels = steps.filter((step) => step === "[]").length;
  let values = asArray(path);
  // Arrays inside of arrays give arrays of values.
  for (let level = 1; level < levels; level++)
    values = {
      $reduce: { input: values, initialValue: [], in: { $concatArrays: ["$$value", asArray("$$this")] } },
    };
  if (byDbRef) values = { $map: { input: values, in: { $getField: { field: { $literal: "$id" }, input: "$$this" } } } };
  return { $setUnion: [{ $filter: { input: values, cond: { $gt: ["$$this", null] } } }] };
}

const count = (value: unknown): number => numberOf(value) ?? 0;

/** Measures a reference. Rejects where a command is refused or was stopped. */
export async function measure(commander: Commander, database: string, reference: Reference): Promise<Cardinality> {
  const { from, to, key } = reference;
  const values = valuesExpression(reference);
  const run = (collection: string, pipeline: readonly Document[]): AsyncGenerator<readonly Document[]> =>
    batchesOf(commander, database, collection, { aggregate: collection, pipeline, cursor: { batchSize } });
  const parents = new Map<number, number>();
  for await (const documents of run(from, [{ $group: { _id: { $size: values }, n: { $sum: 1 } } }]))
    for (const document of documents) parents.set(count(document["_id"]), count(document["n"]));

  const children = new Map<number, number>();
  let [different, all, dangling, danglingUses, referred] = [0, 0, 0, 0, 0];
  for await (const documents of run(from, [
    { $project: { _id: 0, v: values } },
    { $unwind: "$v" },
    { $group: { _id: "$v", n: { $sum: 1 } } },
  ])) {
    const keys = documents.map((document) => keyOf(fieldOf(document, "_id")));
    const wanted = documents.flatMap((document, index) => (keys[index] === null ? [] : [fieldOf(document, "_id")]));
    const there =
      wanted.length === 0 ? new Set<string>() : await findKeys(commander, database, { collection: to, key }, wanted);
    for (const [index, document] of documents.entries()) {
      const uses = count(document["n"]);
      const own = keys[index];
      different += 1;
      all += uses;
      if (own !== null && own !== undefined && there.has(own)) {
        referred += 1;
        children.set(uses, (children.get(uses) ?? 0) + 1);
      } else {
        dangling += 1;
        danglingUses += uses;
      }
    }
  }
  let targets = 0;
  for await (const documents of run(to, [{ $count: "n" }]))
    for (const document of documents) targets = count(document["n"]);
  const alone = Math.max(0, targets - referred);
  if (alone > 0) children.set(0, alone);
  const none = { least: 0, median: 0, most: 0 };
  const [ofChildren, ofParents] = [rangeOf(children) ?? none, rangeOf(parents) ?? none];
  return {
    kind: kindOf(ofChildren, ofParents),
    children: ofChildren,
    parents: ofParents,
    targets,
    alone,
    values: different,
    uses: all,
    dangling,
    danglingUses,
  };
}
