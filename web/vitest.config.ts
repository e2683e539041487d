/**
 * Unit tests run in plain Node: whatever needs a real browser is an end-to-end test instead.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    environment: "node",
    testTimeout: 240_000,
  },
});
