/**
 * The scripts that run before a snippet: its setup, and the snippets it depends on.
 *
 * Invariants: an order is found or a reason given; a snippet that depends on itself, by whatever way, is refused;
 * reading runs nothing.
 */
import { readIds, readReference } from "./attributes.ts";
import type { Step } from "./backend.ts";
import type { QuireStage } from "./events.ts";
import { sourceIn } from "./source.ts";
import type { Words } from "./words.ts";

/** A snippet of a page, in a browser or in the check of built pages. */
export type OrderedSnippet = Element & {
  readonly setup: string;
  readonly dependsOn: string;
  readonly source: string;
};

/** An author's setup or dependency that cannot be followed: an id that is nowhere, a snippet that depends on itself. */
export class OrderError extends Error {
  readonly stage: QuireStage;
  constructor(stage: QuireStage, message: string) {
    super(message);
    this.name = "QuireSnippetError";
    this.stage = stage;
  }
}

/** The script which `setup` names; null when there is none. */
export function setupOf(snippet: OrderedSnippet, words: Words): string | null {
  if (snippet.setup === "") return null;
  const { kind, text } = readReference(snippet.setup);
  if (kind === "script") return text;
  const found = (snippet.getRootNode() as Document | ShadowRoot).querySelector(kind === "id" ? `#${text}` : text);
  if (found === null) throw new OrderError("setup", words.noElement(text));
  return sourceIn(found);
}

/** The snippets which `depends-on` names, in order. */
export function dependenciesOf(snippet: OrderedSnippet, words: Words): readonly OrderedSnippet[] {
  const root = snippet.getRootNode() as Document | ShadowRoot;
  return readIds(snippet.dependsOn).map((id) => {
    const found = root.getElementById(id);
    if (found === null || found.localName !== "quire-snippet") throw new OrderError("depends-on", words.noElement(id));
    return found as Element as OrderedSnippet;
  });
}

/** Refuses circles. */
export function checkOrder(snippet: OrderedSnippet, words: Words, path: readonly OrderedSnippet[] = []): void {
  if (path.includes(snippet)) throw new OrderError("depends-on", words.circle(snippet.id));
  for (const dependency of dependenciesOf(snippet, words)) checkOrder(dependency, words, [...path, snippet]);
}

/**
 * Everything before the snippet's own script, as scripts that run one after another in one database; after
 * `checkOrder`.
 */
export function stepsBefore(snippet: OrderedSnippet, words: Words): readonly Step[] {
  const steps = new Map<string | OrderedSnippet, Step>();
  const add = (one: OrderedSnippet): void => {
    const setup = setupOf(one, words);
    if (setup !== null && !steps.has(setup)) steps.set(setup, { stage: "setup", name: "", source: setup });
    for (const dependency of dependenciesOf(one, words)) {
      add(dependency);
      if (!steps.has(dependency))
        steps.set(dependency, { stage: "depends-on", name: dependency.id, source: dependency.source });
    }
  };
  add(snippet);
  return [...steps.values()];
}
