/**
 * Puts the labs beside the built page as they are, and tells the page which there are.
 *
 * Invariant: the order is that of `labs/labs.json`, which names every folder (`test/labs.test.ts`).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const TITLE = /^#\s+(.+)$/m;
const LAB = ["lab.json", "scripts.md"];

/** The labs in their order, with their titles by language. */
export function labTitles(folder: string): readonly { id: string; title: Record<string, string> }[] {
  const ids = JSON.parse(readFileSync(join(folder, "labs.json"), "utf8")) as readonly string[];
  return ids.map((id) => {
    const texts = readdirSync(join(folder, id)).filter((name) => name.endsWith(".md") && !LAB.includes(name));
    const titles = texts.map((name): [string, string] => [
      name.replace(/\.md$/, ""),
      TITLE.exec(readFileSync(join(folder, id, name), "utf8"))?.[1]?.trim() ?? id,
    ]);
    return { id, title: Object.fromEntries(titles) };
  });
}

export const labFiles = (folder: string): Plugin => ({
  name: "quire-lab-files",
  apply: "build",
  generateBundle() {
    for (const { id } of labTitles(folder))
      for (const name of readdirSync(join(folder, id)))
        this.emitFile({
          type: "asset",
          fileName: `labs/${id}/${name}`,
          source: readFileSync(join(folder, id, name)),
        });
  },
});
