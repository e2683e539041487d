/** `quiredb copy-site`: the folder that it makes of two packages, and what it refuses. */
import { chmod, mkdtemp, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copySite, readCopySiteOptions } from "./copy-site.ts";

let root: string;
let said: string;
const write = (text: string): void => void (said += text);
const put = async (name: string, text: string): Promise<void> => {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), text);
};
const at = (name: string): string => path.join(root, name);
const text = (name: string): Promise<string> => readFile(at(name), "utf8");

/** A built package, and the playground's beside a project that has it. */
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "quire-site-"));
  said = "";
  await put("quiredb/package.json", '{ "name": "quiredb", "version": "1.2.3" }');
  await put("quiredb/THIRD-PARTY-NOTICES.txt", "notices");
  for (const name of ["index.js", "cli.js", "inline.js", "index.cjs", "index.d.ts"])
    await put(`quiredb/dist/${name}`, name);
  await put("quiredb/dist/element.js", "const place=null/*quire-playground*/;");
  await put("quiredb/dist/quire_bg.wasm", "engine");
  await put("play/package.json", '{ "name": "quiredb-playground", "version": "1.2.3" }');
  await put("play/shared.json", '{ "assets/quire_bg-x.wasm": "quire_bg.wasm" }');
  await put("play/site/index.html", "page");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const copy = (more: { playground?: string } = {}): Promise<0 | 2> =>
  copySite({ folder: at("out"), ...more }, at("quiredb/dist"), write);

test("a site has what pages load, the playground, and the engine from the package", async () => {
  expect(await copy({ playground: at("play") })).toBe(0);
  expect((await readdir(at("out"))).sort()).toEqual([
    "THIRD-PARTY-NOTICES.txt",
    "element.js",
    "index.js",
    "playground",
    "quire-files.json",
    "quire_bg.wasm",
  ]);
  expect(await text("out/playground/index.html")).toBe("page");
  expect(await text("out/playground/assets/quire_bg-x.wasm")).toBe("engine");
  expect(await text("out/element.js")).toBe('const place="./playground/index.html";');
});

test("without the playground's package the elements know of none, and the reader is told", async () => {
  expect(await copy()).toBe(0);
  expect(await text("out/element.js")).toBe("const place=null/*quire-playground*/;");
  expect(said).toMatch(/no playground \(npm install --save-dev quiredb-playground/);
});

test("a folder that it wrote is brought up to date; what is another's stays", async () => {
  await copy({ playground: at("play") });
  await put("out/mine.txt", "mine");
  await put("play/site/new.html", "new");
  await rm(at("play/site/index.html"));
  expect(await copy({ playground: at("play") })).toBe(0);
  expect(await readdir(at("out/playground"))).toEqual(["assets", "new.html"]);
  expect(await text("out/mine.txt")).toBe("mine");
});

test.each([
  ["a path outside of the folder", '["index.js", "../precious.txt"]', /names "\.\.\/precious\.txt", which is no file/],
  ["one by a detour", '["playground/../../precious.txt"]', /names "playground\/\.\./],
  ["an absolute path", '["/precious.txt"]', /names "\/precious.txt"/],
  ["one of Windows", '["..\\\\precious.txt"]', /which is no file/],
  ["no text", "[5]", /names 5, which is no file/],
  ["no list", '{ "0": "index.js" }', /is no list of files/],
  ["nothing", "null", /is no list of files/],
  ["no JSON", "index.js", /is no list of files/],
])("a folder whose list holds %s is left alone, in a sentence", async (_, list, told) => {
  await copy();
  await put("precious.txt", "precious");
  await put("out/quire-files.json", list);
  await rm(at("out/index.js"));
  said = "";
  expect(await copy()).toBe(2);
  expect(said).toMatch(told);
  expect(said).toMatch(/out is left alone: its quire-files\.json .*\n$/);
  expect(await text("precious.txt")).toBe("precious");
  expect(await readdir(at("out"))).not.toContain("index.js");
});

test("a playground's package whose list of shared files is none of its own is refused", async () => {
  for (const shared of ["null", "no JSON", '{ "../../a": "b" }', '{ "a": "../../b" }']) {
    await put("play/shared.json", shared);
    expect(await copy({ playground: at("play") })).toBe(2);
  }
  expect(said).toMatch(/is no package quiredb-playground/);
});

test("a folder that holds something else, and a playground of another version, are refused", async () => {
  await put("out/mine.txt", "mine");
  expect(await copy()).toBe(2);
  expect(await readdir(at("out"))).toEqual(["mine.txt"]);
  await rm(at("out"), { recursive: true });
  await put("play/package.json", '{ "name": "quiredb-playground", "version": "1.2.4" }');
  expect(await copy({ playground: at("play") })).toBe(2);
  expect(said).toMatch(/of version 1\.2\.4, and quiredb of 1\.2\.3/);
  expect(await copy({ playground: at("quiredb") })).toBe(2);
});

test("what it wrote out of a read-only package can be written again", async () => {
  for (const name of ["quiredb/dist/element.js", "play/site/index.html"]) await chmod(at(name), 0o444);
  for (let time = 0; time < 2; time += 1) expect(await copy({ playground: at("play") })).toBe(0);
  for (const name of ["out/element.js", "out/playground/index.html"])
    expect((await stat(at(name))).mode & 0o200, name).toBe(0o200);
});

test("a run that did not come to its end is made good by the next", async () => {
  await put("play/shared.json", '{ "assets/lost.wasm": "lost.wasm" }');
  await expect(copy({ playground: at("play") })).rejects.toThrow("lost.wasm");
  expect(await readdir(at("out"))).toContain("index.js");
  await put("play/shared.json", "{}");
  await rm(at("play/site/index.html"));
  await put("play/site/new.html", "new");
  expect(await copy({ playground: at("play") })).toBe(0);
  expect(await text("out/playground/new.html")).toBe("new");
  expect(await readdir(at("out/playground"))).not.toContain("index.html");
});

test("words that it does not know are errors that name them", () => {
  expect(readCopySiteOptions(["a"])).toEqual({ folder: "a" });
  expect(readCopySiteOptions(["--playground=p", "a"])).toEqual({ folder: "a", playground: "p" });
  expect(readCopySiteOptions([])).toMatch(/missing/);
  expect(readCopySiteOptions(["a", "b"])).toMatch(/b is a second/);
  expect(readCopySiteOptions(["a", "--playground="])).toMatch(/--playground= is no option/);
  expect(readCopySiteOptions(["a", "--force"])).toMatch(/--force is no option/);
});
