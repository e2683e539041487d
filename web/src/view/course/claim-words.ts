/**
 * What a file claims of a task or a collection beside what was found: only where the two differ, in words.
 *
 * Invariant: pure; a claim is of any form, and what has not the form of a card is told as JSON.
 */
import { CARD_COSTS, isSame } from "../../lessons/course/card.ts";
import { isObject } from "../../lessons/course/course.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { wordCosts } from "./card-tables.ts";

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** The lines that tell of one side what the other has not; the size alone, where the other side has nothing. */
export function wordClaim(
  told: unknown,
  beside: unknown,
  c: CourseMessages,
  number: (value: number) => string,
): readonly string[] {
  if (!isObject(told)) return [c["verify.nothing"]];
  const other = membersOf(beside);
  const isAlone = !isObject(beside);
  const word = (value: unknown): string =>
    typeof value === "number" ? number(value) : typeof value === "string" ? value : JSON.stringify(value ?? null);
  const differing = (name: string, title: string, one: Members = told, two: Members = other): readonly string[] =>
    one[name] === undefined || isSame(one[name], two[name]) ? [] : [`${title} ${word(one[name])}`];
  const costs = (name: "cost" | "asked", title: (cost: string) => string): readonly string[] =>
    isObject(other[name])
      ? CARD_COSTS.flatMap((cost) =>
          differing(cost, title(wordCosts(c)[cost]), membersOf(told[name]), membersOf(other[name])),
        )
      : [];
  /** A list, without what the other side has, too. */
  const list = (name: string, title: string, item: (one: Members) => string): readonly string[] => {
    if (isAlone || told[name] === undefined || isSame(told[name], other[name])) return [];
    const left = listOf(told[name]).filter((one) => !listOf(other[name]).some((two) => isSame(one, two)));
    const items = left.map((one) => (isObject(one) ? item(one) : JSON.stringify(one)));
    return [`${title} ${items.length === 0 ? c["verify.nothing"] : items.join(c["card.and"])}`];
  };
  if (told["passes"] === undefined) {
    const { documents, bytes, validator = null } = told;
    const lines = [
      ...(isSame([documents, bytes], [other["documents"], other["bytes"]])
        ? []
        : [c["card.documents"](word(documents), word(bytes))]),
      ...list("fields", c["card.fields"], ({ name, types }) => `${word(name)} ${listOf(types).join(" | ")}`),
      ...list(
        "indexes",
        c["card.indexes"],
        ({ keys, unique }) => `${word(keys)}${unique === true ? c["card.unique"] : ""}`,
      ),
      ...(isAlone || isSame(validator, other["validator"] ?? null)
        ? []
        : [`${c["card.validator"]} ${validator === null ? c["card.none"] : word(validator)}`]),
    ];
    // Only the names or the order can differ then.
    return lines.length === 0 ? [JSON.stringify(told)] : lines;
  }
  const figures = [...costs("cost", (cost) => cost), ...costs("asked", c["cost.last"])];
  return [
    told["passes"] === true ? c["card.passes"] : c["card.fails"],
    ...(figures.length > 0 || isAlone || told["source"] === ""
      ? figures
      : differing("source", `${c["teacher.script"]}:`)),
  ];
}
