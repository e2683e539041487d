import { nodeResolve } from "@rollup/plugin-node-resolve";

// Rollup carries no files along, so the page has everything inside; a program for Node finds the engine in the package.
export default [
  {
    input: { main: "../shared/main-inline.js" },
    output: { dir: "dist", format: "es" },
    plugins: [nodeResolve({ browser: true })],
  },
  {
    input: { run: "../shared/run.js" },
    output: { dir: "dist", format: "es" },
    plugins: [nodeResolve({ exportConditions: ["node"] })],
  },
];
