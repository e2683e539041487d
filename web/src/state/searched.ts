/**
 * The text that a query searches for, and why a search for words had no word to look for.
 *
 * Invariant: pure; the words are those that the text index made of the text, by the plan.
 */
import type { Plan, PlanStage } from "./plan.ts";
import { fieldOf } from "./values.ts";

/** Why a search for words found none to look for; null where that is not the reason for an empty plan. */
export function wordless(plan: Plan, stages: readonly PlanStage[]): "stop-words" | "excluded-words" | null {
  const parsed = stages.find(({ name }) => name === "TEXT_MATCH")?.parsedText;
  const isEmpty = (name: string): boolean => {
    const words = fieldOf(parsed, name);
    return Array.isArray(words) && words.length === 0;
  };
  if (!isEmpty("terms")) return null;
  if (!isEmpty("negatedTerms")) return "excluded-words";
  return /[\p{L}\p{N}]/u.test(searchedIn(plan.parsedQuery) ?? "") ? "stop-words" : null;
}

/** The text that a filter searches for; null where it searches for none. */
export function searchedIn(filter: unknown): string | null {
  const text = fieldOf(fieldOf(filter, "$text"), "$search");
  if (typeof text === "string") return text;
  const parts = fieldOf(filter, "$and");
  if (!Array.isArray(parts)) return null;
  return (parts as readonly unknown[]).reduce<string | null>((found, part) => found ?? searchedIn(part), null);
}
