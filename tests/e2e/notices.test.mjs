/**
 * The licences of everything that is shipped are told in the site and in the packed package.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const json = (path) => JSON.parse(readFileSync(here(path), "utf8"));

/** The pieces named in a file of notices, and the text under each. */
function read(path) {
  const text = readFileSync(here(path), "utf8");
  const texts = new Map();
  const parts = text.split(`${"=".repeat(80)}\n`);
  for (let at = 1; at + 1 < parts.length; at += 2)
    for (const heading of parts[at].trim().split("\n")) texts.set(heading, parts[at + 1]);
  return { listed: [...text.split("=".repeat(80))[0].matchAll(/^- (.*)$/gm)].map(([, heading]) => heading), texts };
}

test("site and package name each piece that is in them, with its licence's text", () => {
  const { dependencies } = json("../../web/package.json");
  const engine = readFileSync(here("../../Cargo.toml"), "utf8");
  const crates = ["dependencies", "target.'cfg(target_arch = \"wasm32\")'.dependencies"].flatMap((section) =>
    [
      ...engine
        .split(`[${section}]\n`)[1]
        .split("\n[")[0]
        .matchAll(/^([\w-]+) = /gm),
    ].map(([, name]) => name),
  );
  assert.ok(crates.includes("wasm-bindgen") && crates.includes("bson"), crates.join());
  // `lit` is but a list of the exports of the packages below it.
  const packages = [
    ...Object.keys(dependencies).filter((name) => name !== "lit"),
    "lit-html",
    "@lit/reactive-element",
    "@lezer/common",
  ];
  // What the playground alone has: its search, its formatter and its fonts, which the site's notices name.
  const ofPage = ["@codemirror/search", "prettier", "@fontsource-variable/newsreader", "@fontsource/ibm-plex-mono"];
  for (const [path, others] of [
    ["../../web/dist/site/THIRD-PARTY-NOTICES.txt", []],
    ["../../pkg/THIRD-PARTY-NOTICES.txt", ofPage],
  ]) {
    const { listed, texts } = read(path);
    for (const name of others) assert.ok(!listed.some((heading) => heading.startsWith(`${name} `)), name);
    const shipped = packages.filter((name) => !others.includes(name));
    for (const name of [...shipped, ...crates, "rust-stemmers", "QuickJS-ng", "Emscripten", "Rust"]) {
      assert.ok(
        listed.some((heading) => heading.startsWith(`${name} `)),
        `${path} has no ${name}`,
      );
    }
    for (const heading of listed)
      assert.match(texts.get(heading) ?? "", /permi|licen/i, `${path}: no text for ${heading}`);
    assert.deepEqual([...texts.keys()].sort(), [...listed].sort());
  }
});

test("the packed packages have them, and a site that they write", () => {
  for (const [folder, file] of [
    [".", "THIRD-PARTY-NOTICES.txt"],
    ["inline", "THIRD-PARTY-NOTICES.txt"],
    ["playground", "site/THIRD-PARTY-NOTICES.txt"],
  ]) {
    const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: here(`../../pkg/${folder}`),
      encoding: "utf8",
    });
    // Some versions of npm give a list, others an object by names.
    const [{ files }] = Object.values(JSON.parse(packed.stdout));
    assert.ok(
      files.some(({ path }) => path === file),
      `${folder} has no ${file}`,
    );
  }
  for (const file of ["THIRD-PARTY-NOTICES.txt", "playground/THIRD-PARTY-NOTICES.txt"])
    assert.ok(existsSync(here(`../../pkg/site/${file}`)), file);
  // A reader who looks at the fonts finds their notices.
  const fonts = readdirSync(here("../../web/dist/site/assets")).filter((name) => name.endsWith(".woff2"));
  assert.ok(
    fonts.some((name) => name.startsWith("newsreader")) && fonts.some((name) => name.startsWith("ibm-plex-mono")),
  );
  const { listed } = read("../../web/dist/site/THIRD-PARTY-NOTICES.txt");
  assert.ok(
    listed.some((heading) => heading.startsWith("@fontsource-variable/newsreader ")) &&
      listed.some((heading) => heading.startsWith("@fontsource/ibm-plex-mono ")),
  );
});
