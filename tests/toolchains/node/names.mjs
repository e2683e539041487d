/** Prints the names that each entry point exports: `{"quiredb": {"module": […], "commonjs": […]}, …}`. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const names = {};
for (const entry of process.argv.slice(2)) {
  names[entry] = { module: Object.keys(await import(entry)).sort() };
  // Courses and labs are for pages alone, and sockets for bundlers.
  if (!/course|lab|net/.test(entry)) names[entry].commonjs = Object.keys(require(entry)).sort();
}
console.log(JSON.stringify(names));
