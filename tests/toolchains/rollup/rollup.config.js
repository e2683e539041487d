import { nodeResolve } from "@rollup/plugin-node-resolve";

// Rollup carries no files along, so the page has everything inside; for Node the package has by itself.
export default [
  {
    input: "../shared/main-inline.js",
    output: { file: "dist/main.js", format: "es" },
    plugins: [nodeResolve({ browser: true })],
  },
  {
    input: "../shared/run.js",
    output: { file: "dist/run.js", format: "es" },
    plugins: [nodeResolve({ exportConditions: ["node"] })],
  },
];
