/** A server bundle finds the engine beside itself, or else in `node_modules`. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBeside } from "./beside.ts";

let folder: string;
const before = process.cwd();
const [, program] = process.argv;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "quire-beside-"));
});
afterEach(async () => {
  process.chdir(before);
  process.argv[1] = program ?? "";
  await rm(folder, { recursive: true, force: true });
});
const nowhere = (): URL => new URL("file.wasm", pathToFileURL(`${folder}/bundles/`));
const textOf = (found: Uint8Array | URL): string => Buffer.from(found as Uint8Array).toString();

test("a file beside the module is read", async () => {
  await writeFile(path.join(folder, "file.wasm"), "beside");
  expect(textOf(readBeside(() => new URL("file.wasm", pathToFileURL(`${folder}/`)), "file.wasm"))).toBe("beside");
});

test("a bundle that has none finds it by the package's name, also where it has no address of its own", async () => {
  const found = path.join(folder, "node_modules/quiredb");
  await mkdir(found, { recursive: true });
  await writeFile(path.join(found, "package.json"), '{ "exports": { "./file.wasm": "./file.wasm" } }');
  await writeFile(path.join(found, "file.wasm"), "installed");
  process.chdir(folder);
  expect(textOf(readBeside(nowhere, "file.wasm"))).toBe("installed");
  const unknown = (): URL => new URL("./file.wasm", undefined);
  expect(textOf(readBeside(unknown, "file.wasm"))).toBe("installed");
});

test("a bundle without an address of its own is where its program is, whatever folder that runs in", async () => {
  const unknown = (): URL => new URL("./file.wasm", undefined);
  process.argv[1] = path.join(folder, "dist/server.cjs");
  await mkdir(path.join(folder, "node_modules/quiredb"), { recursive: true });
  await mkdir(path.join(folder, "dist"));
  await writeFile(path.join(folder, "node_modules/quiredb/package.json"), '{ "exports": { "./file.wasm": "./f" } }');
  await writeFile(path.join(folder, "node_modules/quiredb/f"), "installed");
  expect(textOf(readBeside(unknown, "file.wasm"))).toBe("installed");
  expect(textOf(readBeside(nowhere, "file.wasm"))).toBe("installed");
  await writeFile(path.join(folder, "dist/file.wasm"), "beside");
  expect(textOf(readBeside(unknown, "file.wasm"))).toBe("beside");
});

test("where it is nowhere, the error names the ways out", () => {
  process.chdir(folder);
  expect(() => readBeside(nowhere, "file.wasm")).toThrow(
    /leave quiredb out of the bundle, or import from "quiredb\/inline"/,
  );
});
