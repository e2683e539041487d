/** Whether values only grow from one to the next, as counters and times do. */
import { Long, ObjectId, Timestamp } from "bson";

/** A value as a number or text that compares as it does; undefined for other values. */
function comparable(value: unknown): bigint | number | string | undefined {
  if (typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Timestamp || value instanceof Long) return value.toBigInt();
  const plain: unknown = (value as { valueOf?(): unknown } | null)?.valueOf?.();
  return typeof plain === "number" ? plain : undefined;
}

/** How many pairs of neighbours may fall: writers that overlap are not quite in order. */
const FALLING = 0.02;

export function onlyGrow(values: readonly unknown[]): boolean {
  let [falls, rises] = [0, 0];
  for (let at = 1; at < values.length; at += 1) {
    const before = comparable(values[at - 1]);
    const now = comparable(values[at]);
    if (before === undefined || now === undefined || typeof before !== typeof now) falls += 1;
    else if (now < before) falls += 1;
    else if (now > before) rises += 1;
  }
  return rises > values.length / 2 && falls <= values.length * FALLING;
}
