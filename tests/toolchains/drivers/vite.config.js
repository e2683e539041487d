import { aliases } from "quiredb/net/aliases";
import { defineConfig } from "vite";

// The two versions of mongoose lie here under names of their own.
const mongoose = ["mongoose8", "mongoose9"].map((name) => ({
  find: new RegExp(`^${name}$`),
  replacement: `${name}/index.js`,
}));

export default defineConfig({
  resolve: { alias: [...aliases, ...mongoose] },
  // As in the project of a page.
  build: { chunkSizeWarningLimit: 5000 },
});
