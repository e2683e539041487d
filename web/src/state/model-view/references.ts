/**
 * Finds references: fields whose sampled values are keys of a collection, looked for in all of its documents.
 *
 * Invariants: every match is of values that the engine found; names decide only whether a match is believed, which is
 * told. Numbers that count from one are found everywhere, so a number alone is never believed.
 */
import type { Document } from "bson";
import type { Commander } from "../data/ask.ts";
import { fieldOf } from "../values.ts";
import { batchesOf, batchSize } from "./batches.ts";
import { familyOfKey, isNamedAfter, keyOf, type Candidate, type KeyFamily } from "./candidates.ts";
import { referenceKey, type FoundReference, type Reference } from "./model.ts";

/** A collection whose keys are looked among. */
export interface Target {
  readonly collection: string;
  readonly key: string;
  readonly families: ReadonlySet<KeyFamily>;
}

/** A collection's fields that may refer. */
export interface Source {
  readonly collection: string;
  readonly candidates: readonly Candidate[];
}

/** Values of each field that are tried first; only where some are found are the others looked for too. */
const probe = 20;
/** Weak matches that are told of a field, and of all fields, the best first. */
const mostDoubtful = 3;
const mostDoubtfulOfAll = 60;

/** The values that a collection has as keys, by `keyOf`; asks `batchSize` of them at a time. */
export async function findKeys(
  commander: Commander,
  database: string,
  target: { readonly collection: string; readonly key: string },
  values: readonly unknown[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const path = target.key.split(".");
  for (let at = 0; at < values.length; at += batchSize) {
    const command = {
      find: target.collection,
      filter: { [target.key]: { $in: values.slice(at, at + batchSize) } },
      projection: target.key === "_id" ? { _id: 1 } : { _id: 0, [target.key]: 1 },
      batchSize,
    };
    for await (const documents of batchesOf(commander, database, target.collection, command))
      for (const document of documents) {
        const key = keyOf(path.reduce<unknown>(fieldOf, document));
        if (key !== null) found.add(key);
      }
  }
  return found;
}

interface Pair {
  readonly source: string;
  readonly candidate: Candidate;
  readonly target: Target;
  readonly named: boolean;
}

/** The fields that may refer to a target: they hold the same kind of values, and are not that key itself. */
function pairsOf(sources: readonly Source[], target: Target): readonly Pair[] {
  return sources.flatMap(({ collection, candidates }) =>
    candidates.flatMap((candidate): Pair[] => {
      if (candidate.named !== null && (candidate.named !== target.collection || target.key !== "_id")) return [];
      if (collection === target.collection && (candidate.path === target.key || candidate.path === "_id")) return [];
      if (![...candidate.families].some((family) => target.families.has(family))) return [];
      const named = candidate.named !== null || isNamedAfter(candidate.steps, target, collection);
      // Two collections that count their documents have the same numbers, which says nothing.
      if (!named && candidate.path === "_id" && isOnly(candidate, "number")) return [];
      return [{ source: collection, candidate, target, named }];
    }),
  );
}

export interface FoundReferences {
  readonly references: readonly FoundReference[];
  /** Weak matches beyond those. */
  readonly untold: number;
}

/** Finds the references of a database. Those that were kept by the reader are looked at whatever is found. */
export async function findReferences(
  commander: Commander,
  database: string,
  sources: readonly Source[],
  targets: readonly Target[],
  kept: ReadonlySet<string>,
  progress: (done: number, of: number, collection: string) => void,
): Promise<FoundReferences> {
  const found: FoundReference[] = [];
  for (const [index, target] of targets.entries()) {
    progress(index, targets.length, target.collection);
    const pairs = pairsOf(sources, target);
    const first = new Map<string, unknown>();
    for (const { candidate } of pairs)
      for (const [key, value] of [...candidate.values].slice(0, probe)) first.set(key, value);
    const seen =
      first.size === 0 ? new Set<string>() : await findKeys(commander, database, target, [...first.values()]);
    for (const pair of pairs) {
      const { candidate, named } = pair;
      const reference = referenceOf(pair);
      const probed = [...candidate.values.keys()].slice(0, probe);
      let looked = probed.length;
      let matched = probed.filter((key) => seen.has(key)).length;
      const isKept = kept.has(referenceKey(reference));
      if (matched === 0 && !isKept) continue;
      // Numbers of a field whose name does not fit the collection stay doubtful, so they are not all looked for.
      if (candidate.values.size > probe && (named || isKept || !isOnly(candidate, "number"))) {
        const all = await findKeys(commander, database, target, [...candidate.values.values()]);
        looked = candidate.values.size;
        matched = [...candidate.values.keys()].filter((key) => all.has(key)).length;
      }
      const share = matched / looked;
      const isLikely = isBelieved(pair, share, matched);
      // A single number that happens to be a key says nothing at all.
      const isTelling = share >= 0.5 && (looked > 1 || !isOnly(candidate, "number"));
      if (!isLikely && !isKept && !isTelling) continue;
      found.push({ ...reference, looked, matched, isLikely, cardinality: null, failure: null });
    }
  }
  return chosen(found, kept);
}

const isOnly = ({ families }: Candidate, family: KeyFamily): boolean => families.size === 1 && families.has(family);

function referenceOf({ source, candidate, target }: Pair): Reference {
  return {
    from: source,
    steps: candidate.steps,
    path: candidate.path,
    to: target.collection,
    key: target.key,
    byDbRef: candidate.named !== null,
  };
}

/** Whether a match is taken for a reference. */
function isBelieved({ candidate, named }: Pair, share: number, matched: number): boolean {
  if (isOnly(candidate, "number")) return named && share >= 0.5;
  if (candidate.families.has("unmistakable")) return share >= 0.1 || (named && share > 0);
  // In a field of texts and numbers the matches may be the numbers alone, which match by chance.
  return named ? share >= 0.1 : share >= 0.5 && matched > 1 && !candidate.families.has("number");
}

/**
 * Chooses the references to show: the best of the doubtful ones, and one of each two that are the same reference read
 * from both ends. Of these two that one stays whose field is no `_id`, or of whose values a larger share was found,
 * or whose collection has the longer name.
 */
function chosen(found: readonly FoundReference[], kept: ReadonlySet<string>): FoundReferences {
  const rank = (one: FoundReference): number =>
    (one.isLikely ? 4 : 0) + (one.path === "_id" ? 0 : 2) + one.matched / one.looked;
  const isBackwards = (one: FoundReference): boolean =>
    found.some(
      (other) =>
        other !== one &&
        other.from === one.to &&
        other.path === one.key &&
        other.to === one.from &&
        other.key === one.path &&
        (rank(other) > rank(one) || (rank(other) === rank(one) && isFurther(other, one))),
    );
  // `_id` of `details` holds ids of `products`, and so does `product` of `orders`: orders refer to products, and not to
  // details.
  const isByWay = (one: FoundReference): boolean =>
    found.some(
      (other) =>
        other.from === one.from &&
        other.path === one.path &&
        other.isLikely &&
        other.matched >= one.matched &&
        found.some(
          (way) =>
            way.isLikely &&
            way.from === one.to &&
            way.path === one.key &&
            way.to === other.to &&
            way.key === other.key &&
            !isBackwards(way),
        ),
    );
  const forward = found.filter((one) => kept.has(referenceKey(one)) || !(isBackwards(one) || isByWay(one)));
  const ofField = new Map<string, number>();
  let [told, untold] = [0, 0];
  const references = forward
    .toSorted((one, other) => other.matched / other.looked - one.matched / one.looked)
    .filter((one) => {
      if (one.isLikely || kept.has(referenceKey(one))) return true;
      // Where there is one to believe, others by chance are no news.
      if (forward.some(({ from, path, isLikely }) => isLikely && from === one.from && path === one.path)) return false;
      const field = JSON.stringify([one.from, one.path]);
      const before = ofField.get(field) ?? 0;
      ofField.set(field, before + 1);
      if (before >= mostDoubtful || told >= mostDoubtfulOfAll) {
        untold += 1;
        return false;
      }
      told += 1;
      return true;
    });
  return { references, untold };
}

/** Of two collections with the same keys the one with the longer name has the details of the other. */
function isFurther(one: Reference, other: Reference): boolean {
  return one.from.length !== other.from.length ? one.from.length > other.from.length : one.from > other.from;
}

/** A collection's unique paths with the kinds of their values in the sample; paths without values are left out. */
export function targetsOf(
  collection: string,
  unique: readonly string[],
  documents: readonly Document[],
): readonly Target[] {
  return unique.flatMap((key): Target[] => {
    const path = key.split(".");
    const families = new Set<KeyFamily>();
    for (const document of documents) {
      const found = keyOf(path.reduce<unknown>(fieldOf, document));
      if (found !== null) families.add(familyOfKey(found));
    }
    return families.size === 0 ? [] : [{ collection, key, families }];
  });
}
