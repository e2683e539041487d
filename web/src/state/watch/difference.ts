/**
 * The fields that differ between two documents, found by their bytes: what is alike is never decoded.
 *
 * Invariant: as the engine tells the difference of two moments: embedded documents are looked into, arrays and other
 * values are told whole.
 */
import { members, type Member } from "../../codec/members.ts";
import { DOCUMENT } from "../../codec/types.ts";
import type { FieldChange } from "../timeline/timeline.ts";
import { memberValue } from "./event.ts";

/** More differences are told by their count. */
export const MOST_FIELDS = 200;

export interface Difference {
  readonly fields: readonly FieldChange[];
  /** Differences that are not among `fields`. */
  readonly more: number;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

export function differenceOf(before: Uint8Array, after: Uint8Array): Difference {
  const fields: FieldChange[] = [];
  let more = 0;
  const tell = (field: string, one: () => unknown, other: () => unknown): void => {
    if (fields.length < MOST_FIELDS) fields.push({ field, before: one(), after: other() });
    else more += 1;
  };
  const none = (): undefined => undefined;
  const compare = (path: string, one: Uint8Array, other: Uint8Array): void => {
    const was = new Map<string, Member>();
    for (const member of members(one)) was.set(member.name, member);
    for (const now of members(other)) {
      const field = path + now.name;
      const old = was.get(now.name);
      was.delete(now.name);
      if (old === undefined) {
        tell(field, none, () => memberValue(other, now));
        continue;
      }
      const [old_, new_] = [one.subarray(old.start, old.end), other.subarray(now.start, now.end)];
      if (old.kind === now.kind && isSame(old_, new_)) continue;
      if (old.kind === DOCUMENT && now.kind === DOCUMENT) compare(`${field}.`, old_, new_);
      else
        tell(
          field,
          () => memberValue(one, old),
          () => memberValue(other, now),
        );
    }
    for (const old of was.values()) tell(path + old.name, () => memberValue(one, old), none);
  };
  compare("", before, after);
  return { fields, more };
}
