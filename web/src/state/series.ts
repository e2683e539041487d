/**
 * The time series that a plan reads: its buckets are documents of a collection of their own, whose name and fields no
 * reader wrote.
 *
 * Invariants: pure; a plan over the buckets themselves, without the stage that unpacks them, is of no series.
 */
import { collectionOf, stagesOf, type Plan } from "./plan.ts";
import { fieldOf, numberOf } from "./values.ts";

const bucketsOf = "system.buckets.";

/** The stage that makes readings of buckets. */
export const unpacking = "$_internalUnpackBucket";

export interface PlanSeries {
  readonly collection: string;
  readonly timeField: string;
  readonly metaField: string | null;
  /** How many readings came out of the buckets; null where only the plan is known. */
  readonly unpacked: number | null;
  /** The readings of a bucket were looked through, and some of them left behind. */
  readonly isChosen: boolean;
}

/** The time series that a plan reads; null where it reads none. */
export function seriesOf(plan: Plan): PlanSeries | null {
  const collection = collectionOf(plan.namespace);
  const unpack = stagesOf(plan.root).find(({ name }) => name === unpacking);
  const timeField = fieldOf(unpack?.body, "timeField");
  if (unpack === undefined || !isOfBuckets(collection) || typeof timeField !== "string") return null;
  const metaField = fieldOf(unpack.body, "metaField");
  return {
    collection: collection.slice(bucketsOf.length),
    timeField,
    metaField: typeof metaField === "string" ? metaField : null,
    unpacked: numberOf(unpack.returned),
    isChosen: fieldOf(unpack.body, "eventFilter") !== undefined,
  };
}

/** Whether a collection is the one in which a time series keeps its buckets. */
export const isOfBuckets = (collection: string | null): collection is string =>
  collection?.startsWith(bucketsOf) === true;

/** A namespace by the name that a reader gave: of a series, where it is that of the series' buckets. */
export function readerNamespace(namespace: string): string {
  const dot = namespace.indexOf(".") + 1;
  const collection = namespace.slice(dot);
  return isOfBuckets(collection) ? namespace.slice(0, dot) + collection.slice(bucketsOf.length) : namespace;
}

/**
 * The field of a series' readings that a field of its buckets stands for; null where there is none by which an index
 * leads to buckets.
 */
export function readerField(path: string, { timeField, metaField }: PlanSeries): string | null {
  if (path === `control.min.${timeField}` || path === `control.max.${timeField}`) return timeField;
  if (metaField === null || !(path === "meta" || path.startsWith("meta."))) return null;
  return metaField + path.slice("meta".length);
}
