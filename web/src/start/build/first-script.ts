/**
 * Has the page ask at once for the fonts of its first paint, which it would otherwise ask for when it is laid out, and
 * lay it out anew with them. Writes the script of `src/start/page.ts` with the addresses of the files that it asks for,
 * and puts it first into the built page.
 *
 * Invariant: its name carries a hash, as those of the files it names do: a page never loads a file of another version.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { classicScript } from "../../../scripts/classic-script.ts";
import { onceWritten } from "../../../scripts/once-written.mjs";

/** The only file in a list whose name begins and ends so. */
function only(names: readonly string[], begin: string, end: string): string {
  const found = names.filter((name) => name.startsWith(begin) && name.endsWith(end));
  if (found.length !== 1) throw new Error(`the build has ${found.length} files ${begin}…${end}`);
  return found[0] as string;
}

/** The fonts in which the page is set; bold code is rare. */
const fonts = ["newsreader-latin-wght-normal-", "newsreader-latin-wght-italic-", "ibm-plex-mono-latin-400-normal-"];

export const start = (source: string, folder: string): Plugin =>
  onceWritten("quire-start", async () => {
    const assets = join(folder, "assets");
    const page = join(folder, "index.html");
    const html = readFileSync(page, "utf8");
    const names = readdirSync(assets);
    const contents = await classicScript(source, {
      QUIRE_START: {
        worker: `./${only(names, "worker-", ".js")}`,
        engineWasm: `./${only(names, "quire_bg-", ".wasm")}`,
        sandboxWasm: `./${only(names, "sandbox-", ".wasm")}`,
        languagesWasm: `./${only(names, "languages-", ".wasm")}`,
        preludeImage: `./${only(names, "prelude-", ".image")}`,
      },
    });
    const name = `start-${createHash("sha256").update(contents).digest("base64url").slice(0, 8)}.js`;
    writeFileSync(join(assets, name), contents);
    const before = '<script src="./theme.js"></script>';
    if (!html.includes(before)) throw new Error("index.html has no place for the first script");
    const preloads = fonts.map(
      (font) =>
        `\n    <link rel="preload" as="font" type="font/woff2" crossorigin ` +
        `href="./assets/${only(names, font, ".woff2")}" />`,
    );
    writeFileSync(page, html.replace(before, `<script src="./assets/${name}"></script>${preloads.join("")}`));
  });
