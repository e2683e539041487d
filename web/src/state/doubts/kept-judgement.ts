/**
 * A judgement that was kept over a reload.
 *
 * Invariant: pure; checked field by field, since a kept result may have been changed; null where it is none.
 */
import { fieldOf, isNested } from "../values.ts";
import type { Change, Doubt, Judged, Why } from "./doubt.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isSafeInteger(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const has =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isNested(value) && Object.entries(fields).every(([name, check]) => check(fieldOf(value, name)));

const places: readonly Change["at"][] = ["key", "text", "value", "members", "list", "function"];
const isTextOrAbsent: Check = (value) => value === undefined || isText(value);
const isChange = has({
  at: (value) => places.some((place) => place === value),
  wrong: (value) => isText(value) || typeof value === "number",
  right: isText,
  of: isTextOrAbsent,
});

const kinds: Readonly<Record<Doubt["kind"], Check>> = {
  "unknown-path": has({
    path: isText,
    similar: orNull(isText),
    types: isList(isText),
    seen: orNull(isCount),
    collection: isTextOrAbsent,
  }),
  "unknown-collection": has({ collection: isText, similar: orNull(isText) }),
  "no-dollar": has({ path: isText, operator: isText }),
  type: has({ path: isText, found: isText, types: isList(isText) }),
  whole: has({ path: isText, inner: isText }),
  unsegmented: has({ text: isText }),
  function: has({}),
  constant: has({ operator: isText, text: isText, known: isFlag }),
};

const isDoubt: Check = (value) => {
  const kind = fieldOf(value, "kind");
  return (
    typeof kind === "string" &&
    Object.hasOwn(kinds, kind) &&
    kinds[kind as Doubt["kind"]](value) &&
    orNull(isChange)(fieldOf(value, "change"))
  );
};
const isWhy = has({
  documents: orNull(isCount),
  conditions: isList(has({ text: isText, count: orNull(isCount) })),
  more: isCount,
});

/** The judgement; null where what was kept is none. */
export function keptJudgement(found: unknown): Judged | null {
  const doubts = fieldOf(found, "doubts");
  const why = fieldOf(found, "why");
  if (!isList(isDoubt)(doubts) || !orNull(isWhy)(why)) return null;
  return { doubts: doubts as readonly Doubt[], why: why as Why | null };
}
