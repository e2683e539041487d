/**
 * Holds the lines of everything in TypeScript to the length that a reader sees at once. The formatter
 * keeps code within it, and leaves comments, texts and templates as they are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const MOST = 120;
const root = resolve(import.meta.dirname, "../..");

const files = ["web/src", "web/scripts", "web/test"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(root, folder, name)),
  )
  .concat(["web/vite.config.ts", "web/vitest.config.ts"].map((name) => join(root, name)))
  .filter((path) => path.endsWith(".ts"));

it("has no line that is longer than a reader sees", () => {
  expect(files.length).toBeGreaterThan(300);
  const long = files.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, index) => (line.length > MOST ? [`${relative(root, path)}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
