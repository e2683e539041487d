/** As webpack has it (`../webpack`), by the tool that has its interface. */
import { rspack } from "@rspack/core";

rspack({ mode: "production", context: import.meta.dirname, entry: "../shared/main.js" }, (error, stats) => {
  console.log(error ?? stats.toString("errors-warnings"));
  process.exitCode = error || stats.hasErrors() ? 1 : 0;
});
