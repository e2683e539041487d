/**
 * Unit tests run in plain Node: whatever needs a real browser is an end-to-end test instead.
 *
 * Invariant: files of the project `shared` leave globals and modules as they find them, since those of one worker share
 * them: to read engine, sandbox and codec anew for each file took a third of all their processor time.
 */
import { defineConfig } from "vitest/config";

/** Files that replace globals or modules, look at what a module remembers, or fill the memory of their process. */
const apart = [
  "src/codec/texts.test.ts",
  "src/embed/results.test.ts",
  "src/pkg/in-memory.test.ts",
  "src/pkg/inlined.test.ts",
  "src/start/trusted.test.ts",
  "src/state/missed-parts.test.ts",
  "src/worker/persistence.test.ts",
  "src/worker/slices.test.ts",
  "test/brim.test.ts",
  "test/scripts.test.ts",
  "test/spoilt.test.ts",
];

export default defineConfig({
  test: {
    environment: "node",
    testTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { name: "shared", include: ["test/**/*.test.ts", "src/**/*.test.ts"], exclude: apart, isolate: false },
      },
      { extends: true, test: { name: "apart", include: apart } },
    ],
  },
});
