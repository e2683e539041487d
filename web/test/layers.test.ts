/**
 * Holds the folders of `web/src` to the layers that ARCHITECTURE.md draws, and their files to importing one another in
 * no circle.
 *
 * Invariant: every import counts for the layers, of types and of code that is fetched later too. Files may name one
 * another's types in a circle, as a model and its actions do; nothing of that is there when they run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../src");
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+|new URL\(\s*)"(\.[^"]+\.ts)"/gm;

/** Where each folder stands in the line, the highest first; folders in one brace stand side by side. */
const places = new Map(
  (
    /Folders import to the right: `([^`]+)`/.exec(readFileSync(resolve(root, "../../ARCHITECTURE.md"), "utf8"))?.[1] ??
    ""
  )
    .split("→")
    .flatMap((layer, place) => (layer.match(/\w+/g) ?? []).map((folder): [string, number] => [folder, place])),
);

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((name) => join(root, name))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.endsWith(".d.ts"));
const shown = (path: string): string => relative(root, path);
const folderOf = (path: string): string => shown(path).split("/")[0] ?? "";

const known = new Set(files);
/** What each file imports: the whole text of it, or the text without the imports that are of types alone. */
const importsOf = (text: (source: string) => string): Map<string, readonly string[]> =>
  new Map(
    files.map((path) => [
      path,
      [...text(readFileSync(path, "utf8")).matchAll(IMPORT)]
        .map(([, name]) => resolve(dirname(path), name ?? ""))
        .filter((to) => known.has(to)),
    ]),
  );
const imports = importsOf((source) => source);
const values = importsOf((source) => source.replace(/^(?:import|export) type [^;]*;/gm, ""));

/** The first circle of files found from each file on, each told once. */
function circles(): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const trail: string[] = [];
  const walk = (path: string): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push([...trail.slice(at), path].map(shown).join(" → "));
    if (at >= 0 || done.has(path)) return;
    trail.push(path);
    for (const to of values.get(path) ?? []) walk(to);
    trail.pop();
    done.add(path);
  };
  for (const path of files) walk(path);
  return found;
}

describe("the layers of the web side", () => {
  it("names every folder", () => {
    expect([...new Set(files.map(folderOf))].filter((folder) => !places.has(folder))).toEqual([]);
    expect(imports.size).toBeGreaterThan(100);
  });

  it("has each folder import only from those to its right", () => {
    const wrong = [...imports].flatMap(([from, all]) =>
      all
        .filter(
          (to) =>
            folderOf(to) !== folderOf(from) && (places.get(folderOf(to)) ?? -1) <= (places.get(folderOf(from)) ?? 0),
        )
        .map((to) => `${shown(from)} imports ${shown(to)}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no files that import one another in a circle", () => {
    expect(circles()).toEqual([]);
  });
});
