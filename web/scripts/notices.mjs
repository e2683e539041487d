/**
 * Writes `THIRD-PARTY-NOTICES.txt`: every piece of others' software in the shipped files, with its licence's
 * text.
 *
 * The build tools tell the shipped pieces: Cargo for the engine's WebAssembly, the bundlers for the modules, style
 * sheets and fonts that they put into their output. Invariants: nothing shipped is left out, since the build stops at a
 * piece without a text; a text that a piece does not bring along is kept in `web/licences/`.
 */
import { execFileSync } from "node:child_process";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onceWritten } from "./once-written.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const project = path.resolve(web, "..");
const kept = path.join(web, "licences");
/** The file's name, in the site and in the package. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";
/** Pieces of the two WebAssembly files that the compilers put in and no list of packages names. */
const BY_COMPILERS = [
  ["QuickJS-ng", "the sandbox's JavaScript engine", "MIT"],
  ["Emscripten", "the sandbox's runtime", "MIT"],
  ["musl", "the sandbox's C library", "MIT"],
  ["Rust", "the engine's standard library", "MIT OR Apache-2.0"],
];
const OTHER = /apache|unlicense|copying|bsd|zlib/i;
const TEXT = /^(?:licen[cs]e|copying|unlicense|notice|copyright)/i;

/** The folder and name of the npm package that a module's id lies in; null for our own. */
function packageOf(id) {
  const match = /^\0?((?:.*[\\/])?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(id.split("?")[0]);
  return match === null ? null : path.isAbsolute(match[1]) ? match[1] : path.join(web, match[1]);
}

/** Folders of the npm packages that these modules and files belong to. */
export function packagesOf(ids) {
  return [...new Set([...ids].map(packageOf).filter((folder) => folder !== null))].sort();
}

async function textsIn(folder) {
  const texts = [];
  const found = (await readdir(folder)).filter((each) => TEXT.test(each)).sort();
  // Where there is a choice, it is this one.
  const chosen = found.some((name) => /mit/i.test(name)) ? found.filter((name) => !OTHER.test(name)) : found;
  for (const name of chosen) {
    const file = path.join(folder, name);
    if ((await stat(file)).isFile()) texts.push((await readFile(file, "utf8")).trim());
  }
  return texts;
}

/** A piece of software and the texts of its licence. */
async function piece(name, version, licence, folder) {
  const own = folder === null ? [] : await textsIn(folder);
  const texts =
    own.length > 0
      ? own
      : [(await readFile(path.join(kept, `${name.replaceAll("/", "+")}.txt`), "utf8").catch(() => "")).trim()];
  if (texts[0] === "")
    throw new Error(`${name} ${version} is shipped and has no licence text: put it into web/licences/`);
  return { heading: `${[name, version].join(" ").trim()} (${licence})`, text: texts.join("\n\n") };
}

async function npmPieces(folders) {
  return Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
      return piece(name, version, license, folder);
    }),
  );
}

/** The crates that are compiled into the engine's WebAssembly, and into that of the languages of text indexes. */
async function cratePieces() {
  const cargo = (...words) =>
    execFileSync("cargo", [...words, "--locked"], {
      cwd: project,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const linked = cargo(
    "tree",
    "--package",
    "quire-page",
    "--package",
    "quire-stemmers",
    "--edges",
    "normal,no-proc-macro",
    "--target",
    "wasm32-unknown-unknown",
    "--prefix",
    "none",
    "--format",
    "{p}",
  );
  const wanted = new Set([...linked.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`));
  const { packages } = JSON.parse(cargo("metadata", "--format-version", "1"));
  const found = packages.filter(({ name, version }) => wanted.has(`${name} ${version}`));
  if (found.length !== wanted.size) throw new Error("Cargo's two lists of crates do not agree");
  const crates = found.filter(({ source }) => source !== null);
  return Promise.all(
    crates.map(({ name, version, license, manifest_path: manifest }) =>
      piece(name, version, license, path.dirname(manifest)),
    ),
  );
}

/** A licence's text in two: the lines that name the owner, and the terms, which many licences have to the word. */
function parted(text) {
  const at = Math.max(0, text.search(/Permission is hereby granted|Permission to use|Redistribution and use/));
  return [text.slice(0, at), text.slice(at)];
}

/** A text by its words, whatever its lines and quotation marks. */
const words = (text) => text.replace(/[\s"'“”]+/g, " ").trim();

/**
 * Writes the notices of a thing made of these npm packages, the engine and the sandbox. `beside`: files that are
 * shipped with it, whose text is not written again.
 */
async function write(file, folders, beside = []) {
  const compilers = BY_COMPILERS.map(([name, , licence]) => piece(name, "", licence, null));
  const pieces = (await Promise.all([npmPieces(folders), cratePieces(), Promise.all(compilers)]))
    .flat()
    .sort((one, other) => (one.heading < other.heading ? -1 : 1));
  // The same terms many times are written once, below all whose they are: each with the lines that name its owner.
  const known = new Map();
  for (const name of beside) known.set(words(await readFile(path.join(web, "..", name), "utf8")), name);
  const byTerms = new Map();
  for (const { heading, text } of pieces) {
    const name = known.get(words(text));
    const [owner, terms] = parted(name === undefined ? text : `The licence is the file ${name} beside this one.`);
    const key = words(terms);
    const same = byTerms.get(key) ?? { terms, owners: new Map() };
    byTerms.set(key, same);
    same.owners.set(owner, [...(same.owners.get(owner) ?? []), heading]);
  }
  const rule = "=".repeat(80);
  const sections = [...byTerms.values()].map(({ terms, owners }) => {
    const named = [...owners].map(([owner, headings]) =>
      owners.size === 1
        ? owner
        : `${headings.map((heading) => heading.split(" (")[0]).join(", ")}:\n${owner.trim()}\n\n`,
    );
    return `${rule}\n${[...owners.values()].flat().join("\n")}\n${rule}\n\n${named.join("")}${terms}\n`;
  });
  const before = `What is shipped here contains the following software of others, under the licences below.\n\n${pieces.map(({ heading }) => `- ${heading}`).join("\n")}\n`;
  await writeFile(file, [before, ...sections].join("\n"));
}

/**
 * The notices of the page's build: `collect` is a plugin of its bundler, `used` is called with the metafiles of other
 * bundlers, `write` is a plugin that comes once all have ended.
 */
export function siteNotices(folder) {
  const ids = new Set();
  const collect = () => ({
    name: "quire-notices-collect",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === "chunk")
          for (const [id, { renderedLength }] of Object.entries(output.modules)) renderedLength > 0 && ids.add(id);
        else for (const name of output.originalFileNames ?? []) ids.add(name);
      }
    },
  });
  const written = onceWritten("quire-notices", async () => {
    await write(path.join(folder, NOTICES), packagesOf(ids));
  });
  const used = (metafile) => {
    for (const id of inputsOf(metafile)) ids.add(id);
  };
  return { collect, used, write: written };
}

/** The modules that esbuild put into its outputs. */
function inputsOf({ outputs }) {
  return Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([id]) => path.resolve(web, id)),
  );
}

/** The notices of the package's build: of the modules that its bundlers put in. The site has notices of its own. */
export async function packageNotices(file, ids) {
  await write(file, packagesOf(ids), ["LICENSE-APACHE", "LICENSE-MIT"]);
}
