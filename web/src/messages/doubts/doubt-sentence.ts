/**
 * Doubts and the conditions of an empty result as sentences.
 *
 * Invariant: chooses among messages by the judgement alone, so that the page and the elements say the same of a run.
 */
import type { Change, Doubt, Why } from "../../state/doubts/doubt.ts";
import { plainPath } from "../../state/doubts/known-fields.ts";
import type { BsonType } from "../../state/values.ts";
import { coded } from "../coded.ts";
import { joinSentences } from "../sentences.ts";
import type { DoubtMessages } from "./words.ts";

type Count = (value: number) => string;

/** A doubt as a sentence, with its names marked as code. */
function doubtSentence(doubt: Doubt, t: DoubtMessages, count: Count): string {
  const types = (all: readonly BsonType[]): string => all.map((type) => t["a.type"](type)).join(t["or"]);
  switch (doubt.kind) {
    case "unknown-path": {
      const path = coded(doubt.path);
      const said = saidUnknown(path, doubt, t, count);
      return doubt.similar === null
        ? said
        : joinSentences([said, t["similar"](coded(doubt.similar), types(doubt.types))]);
    }
    case "unknown-collection": {
      const said = t["unknown.collection"](coded(doubt.collection));
      return doubt.similar === null ? said : joinSentences([said, t["similar"](coded(doubt.similar), "")]);
    }
    case "no-dollar":
      return t["noDollar"](coded(doubt.operator.slice(1)), coded(doubt.operator));
    case "type": {
      const path = coded(plainPath(doubt.path));
      if (doubt.change?.at === "list") return t["list"](path, types(doubt.types));
      return t["type"](path, t["a.type"](doubt.found), types(doubt.types));
    }
    case "whole":
      return t["whole"](coded(doubt.path), coded(JSON.stringify(doubt.inner)));
    case "unsegmented":
      return t["unsegmented"](coded(doubt.text), coded(`{ words: ${JSON.stringify(doubt.text)} }`));
    case "function":
      return t["function"];
    case "constant": {
      const text = coded(JSON.stringify(doubt.text));
      if (doubt.operator === "$sum" || doubt.operator === "$avg")
        return t["constant.counted"](coded(doubt.operator), text);
      return doubt.known || doubt.change !== null ? t["constant"](text) : t["constant.unknown"](text);
    }
  }
}

function saidUnknown(
  path: string,
  { seen, collection }: Extract<Doubt, { readonly kind: "unknown-path" }>,
  t: DoubtMessages,
  count: Count,
): string {
  if (collection === undefined) return seen === null ? t["unknown"](path) : t["unknown.seen"](path, count(seen));
  const of = coded(collection);
  return seen === null ? t["unknown.of"](path, of) : t["unknown.seen.of"](path, count(seen), of);
}

/** Sentences and the changes that each offers; what is said of several values is said once. */
export function doubtLines(
  doubts: readonly Doubt[],
  t: DoubtMessages,
  count: Count,
): readonly (readonly [string, readonly Change[]])[] {
  const lines = new Map<string, Change[]>();
  for (const doubt of doubts) {
    const sentence = doubtSentence(doubt, t, count);
    const changes = lines.get(sentence) ?? [];
    lines.set(sentence, changes);
    if (doubt.change !== null) changes.push(doubt.change);
  }
  return [...lines];
}

/** The text that a change writes, for the name of its button. */
export const wordChange = ({ at, right }: Change): string =>
  at === "members" ? JSON.stringify(right) : at === "text" ? JSON.stringify(right) : right;

/** The heading of the conditions of an empty result. */
export const wordAlone = ({ documents }: Why, t: DoubtMessages, count: Count): string =>
  documents === null ? t["alone.of"] : t["alone"](count(documents));

/** How many documents a condition leaves. */
export const wordCount = (value: number | null, t: DoubtMessages, count: Count): string =>
  value === null ? t["uncounted"] : count(value);

/** What is said below the conditions. */
export function wordTogether({ conditions, more }: Why, t: DoubtMessages, count: Count): string {
  const isTogether = more === 0 && conditions.length > 1 && conditions.every((one) => (one.count ?? 0) > 0);
  return joinSentences([...(isTogether ? [t["together"]] : []), ...(more === 0 ? [] : [t["more"](count(more))])]);
}
