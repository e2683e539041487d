/** Bundles the shell's prelude into one script that needs nothing of its host: dist/prelude.js. */
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

await build({
  entryPoints: [`${root}/src/shell/prelude.ts`],
  outfile: `${root}/dist/prelude.js`,
  bundle: true,
  format: "iife",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
});
