/**
 * Builds the playground page: relative addresses throughout, so that the built folder works from any path of any
 * static host, and a Content-Security-Policy in the page itself.
 *
 * Invariant: the policy is written only into built pages; the dev server injects styles which it would refuse.
 * `--mode fake` replaces the client by the one in `test/fake`, which answers without an engine.
 */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { courseFiles, firstCourse, taughtIn } from "./scripts/course-files.ts";
import { labFiles, labTitles } from "./scripts/lab-files.ts";
import { givenWasm } from "./scripts/given-wasm.mjs";
import { siteNotices } from "./scripts/notices.mjs";
import { offline } from "./scripts/offline.ts";
import { pageFrame } from "./scripts/page-frame.ts";
import { pureBson } from "./scripts/pure-bson.mjs";
import { shortTemplates } from "./scripts/templates.ts";
import { start } from "./src/start/build/first-script.ts";
import { pageWorker } from "./src/start/build/page-worker.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

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

/** The line above a result, which the page shares with lessons and drawings. */
const ofInsight = [
  "state/(?:so-far|insight|plan|plan-flow)",
  "state/xray/(?:insides|index-key)",
  "xray/(?:inside-view|rem|xray-styles|xray-element)",
  "messages/sentences",
  "messages/xray/insight-[a-z-]+",
  "view/xray-host",
];

const notices = siteNotices(here("dist/site"));

export default defineConfig(({ mode }) => ({
  base: "./",
  define: {
    QUIRE_COURSE: JSON.stringify(firstCourse(here("courses"))),
    QUIRE_TAUGHT: JSON.stringify(taughtIn(here(`courses/${firstCourse(here("courses"))}`))),
    QUIRE_LABS: JSON.stringify(labTitles(here("labs"))),
  },
  plugins: [
    pageFrame,
    contentSecurityPolicy,
    givenWasm(),
    pureBson(),
    notices.collect(),
    shortTemplates(),
    courseFiles(here("courses")),
    labFiles(here("labs")),
    pageWorker(here("src"), notices.used),
    ...(mode === "fake"
      ? []
      : [
          start(here("src/start/page.ts"), here("dist/site")),
          notices.write,
          offline(here("src/offline/worker.ts"), here("dist/site")),
        ]),
  ],
  resolve: {
    alias: [
      // Snippets of these pages lead to the playground beside them, by an address that the page gives.
      { find: /^.*\/place\.ts$/, replacement: here("src/embed/place-unknown.ts") },
      ...(mode === "fake" ? [{ find: /^.*\/open-client\.ts$/, replacement: here("test/fake/open-client.ts") }] : []),
    ],
  },
  server: { fs: { allow: [here(".."), here("node_modules")] } },
  // While developing; `pageWorker` builds it for the site.
  worker: { format: "es" as const, plugins: () => [givenWasm()] },
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
      input:
        mode === "fake" ? [here("index.html")] : ["index.html", "course.html", "lab.html", "reference.html"].map(here),
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
            {
              name: "page",
              priority: 1,
              // The last is so small that it is not worth a request of the first Run.
              test: /\/src\/(?:view\/quire-page|state\/(?:persistence|model|right-to-left))\.ts$/,
            },
            { name: "editor", test: /\/src\/view\/editor\/page-editor\.ts$/ },
            // In pieces these were eight more requests of a first Run.
            {
              name: "insight",
              test: new RegExp(`/src/(?:${ofInsight.join("|")})\\.ts$`),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
}));
