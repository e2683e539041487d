/**
 * Builds the playground page: relative addresses throughout, so that the built folder works from any path of any
 * static host, and a Content-Security-Policy in the page itself.
 *
 * Invariant: the policy is written only into built pages; the dev server injects styles which it would refuse.
 * `--mode fake` replaces the client by the one in `test/fake`, which answers without an engine.
 */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { classicPage } from "./scripts/classic-page.ts";
import { givenWasm } from "./scripts/given-wasm.mjs";
import { siteNotices } from "./scripts/notices.mjs";
import { offline } from "./scripts/offline.ts";
import { pureBson } from "./scripts/pure-bson.mjs";
import { start } from "./scripts/start.ts";
import { shortTemplates } from "./scripts/templates.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** One expression of several. */
const anyOf = (...all: readonly RegExp[]): RegExp => new RegExp(all.map(({ source }) => source).join("|"));

/** What the page may load; the engine and the sandbox need `'wasm-unsafe-eval'` and nothing else does. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types quire lit-html",
].join("; ");

const contentSecurityPolicy: Plugin = {
  name: "quire-content-security-policy",
  apply: "build",
  transformIndexHtml: (html) =>
    html.replace(
      '<meta charset="utf-8" />',
      `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    ),
};

const notices = siteNotices(here("dist/site"));

export default defineConfig(({ mode }) => ({
  base: "./",
  plugins: [
    contentSecurityPolicy,
    givenWasm(),
    pureBson(),
    notices.collect(),
    shortTemplates(),
    ...(mode === "fake"
      ? []
      : [
          classicPage(here("dist/site"), [here("src/view/results/page-leaf.ts"), here("src/state/decode.ts")]),
          start(here("src/start/start.ts"), here("dist/site")),
          notices.write,
          offline(here("src/offline/worker.ts"), here("dist/site")),
        ]),
  ],
  resolve: {
    alias: mode === "fake" ? [{ find: /^.*\/open-client\.ts$/, replacement: here("test/fake/open-client.ts") }] : [],
  },
  server: { fs: { allow: [here(".."), here("node_modules")] } },
  // The worker's first script is small (`begin.ts`); all else that opens a deployment is one file, and so is what a
  // script needs besides.
  worker: {
    format: "es" as const,
    plugins: () => [givenWasm(), pureBson(), notices.collect()],
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "main",
              test: anyOf(
                /\/src\/worker\/(main|commands|turns|flushing|persistence|tab-lock|stop|holds-function)\.ts$/,
                /\/src\/protocol\/packet\.ts$|\/src\/codec\/|\/src\/engine\/(bindings|engine|host|load|unicode)\.ts$/,
                /\/node_modules\/bson\/|\/wasm\/engine-glue\.js$|rolldown\/runtime/,
              ),
              includeDependenciesRecursively: false,
            },
            {
              name: "runner",
              test: anyOf(
                /\/src\/worker\/(runner|slices|sandbox|realm|instance|function-realm|sleep|spoilt|printed)\.ts$/,
                /\/src\/worker\/(prelude-image|raw-reply|border\/\w+)\.ts$/,
                /quickjs|\/acorn\/|prelude-text|\/src\/shell\/(rewrit|shell-line|border-kinds)/,
              ),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  build: {
    outDir: mode === "fake" ? "../target/page-fake" : "dist/site",
    emptyOutDir: true,
    target: "es2022",
    // `cargo xtask size` holds the sizes against budgets, compressed; the list of files would bury what a builder has
    // to read.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    // Inlined fonts and images would be `data:` addresses, which the policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the page needs at once is one file with all it imports: many small ones compress badly, and each is a
    // request.
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            {
              name: "completing",
              test: /@codemirror\/autocomplete/,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            { name: "page", priority: 1, test: /\/src\/view\/quire-page\.ts$/ },
            { name: "editor", test: /\/src\/view\/editor\/page-editor\.ts$/ },
          ],
        },
      },
    },
  },
}));
