#!/usr/bin/env node
/** `npx quiredb-playground copy-site DIR`: `quiredb copy-site DIR` with the playground of this package. */
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
if (words[0] === "copy-site" && words.length > 1) process.argv.push(`--playground=${here}`);
else process.argv.splice(2, words.length, "copy-site", "--help");
const quiredb = path.dirname(createRequire(import.meta.url).resolve("quiredb/package.json"));
await import(pathToFileURL(path.join(quiredb, "dist/cli.js")).href);
