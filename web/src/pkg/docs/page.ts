/**
 * A built page, read for its snippets as the element reads it in a browser.
 *
 * Invariant: the page's own scripts are not run; a snippet that a script would add is not there.
 */
import { parseHTML } from "linkedom";
import { DEFAULT_DATABASE, flag, ISOLATE, oneOf, topologies } from "../../embed/attributes.ts";
import type { OrderedSnippet } from "../../embed/order.ts";
import { outputIn, sourceIn } from "../../embed/source.ts";
import type { Topology } from "../../engine/topology.ts";

/** One `<quire-snippet>` of a page. */
export type PageSnippet = OrderedSnippet & {
  /** A database that the page's snippets share, or `isolate`. */
  readonly db: string;
  readonly topology: Topology;
  /** Whether the author asked for the output to be compared. */
  readonly checked: boolean;
  /** The author's output; null where there is none. */
  readonly expected: string | null;
  /** The name of the snippet for a person: its id, or its number on the page, and its first line. */
  readonly title: string;
};

/** All snippets of a page, in its order. */
export function snippetsOf(html: string): readonly PageSnippet[] {
  const { document } = parseHTML(html) as unknown as { document: Document };
  return [...document.querySelectorAll("quire-snippet")].map((element, index) => {
    const source = sourceIn(element);
    const firstLine = source.split("\n").find((line) => line.trim() !== "") ?? "";
    return Object.defineProperties(
      element,
      Object.getOwnPropertyDescriptors({
        db: element.getAttribute("db")?.trim() || DEFAULT_DATABASE,
        topology: oneOf(element.getAttribute("topology"), topologies),
        setup: element.getAttribute("setup")?.trim() ?? "",
        dependsOn: element.getAttribute("depends-on") ?? "",
        source,
        checked: flag(element.getAttribute("check"), false),
        expected: outputIn(element),
        title: `${element.id === "" ? `snippet ${index + 1}` : `#${element.id}`}: ${cut(firstLine.trim())}`,
      }),
    ) as unknown as PageSnippet;
  });
}

/** The name of a snippet's database in the engine. */
export function databaseOf(snippet: PageSnippet): string {
  return snippet.db === ISOLATE ? "isolated" : snippet.db;
}

const MOST_CHARACTERS = 60;

function cut(line: string): string {
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}
