/**
 * `quiredb copy-site DIR`: writes what a site serves as files: the elements, the client and the engine, and, where the
 * package `quiredb-playground` is installed, the playground with its courses and labs beside them.
 *
 * Invariants: nothing is fetched. The playground's package has no WebAssembly: the files are this package's. A folder
 * that holds anything else is left alone; one that this program wrote is brought up to date, and what it has no more is
 * taken out. The list of what is written comes first: a run that was ended is made good by the next.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { copyContents, filesBelow } from "../copied.ts";

export const COPY_SITE_USAGE = `quiredb copy-site DIR

Writes into DIR what a site serves as it is: element.js, course.js, lab.js and index.js with all that they load, and in
DIR/playground the playground, its courses and its labs. The playground comes from the package quiredb-playground of the
same version (npm install --save-dev quiredb-playground); without it DIR gets none. Nothing is downloaded. DIR must be
empty, not there, or written by this program, which then brings it up to date.

  --playground=FOLDER   the folder of the package quiredb-playground, where it lies elsewhere

Exit code: 0 written, 2 not.`;

export interface CopySiteOptions {
  readonly folder: string;
  readonly playground?: string;
}

/** Reads the words behind `copy-site`; a text instead says why they are wrong. */
export function readCopySiteOptions(words: readonly string[]): CopySiteOptions | string {
  const place = "--playground=";
  const given = words.filter((word) => word.startsWith("-"));
  const wrong = given.find((word) => !word.startsWith(place) || word === place);
  if (wrong !== undefined) return `${wrong} is no option of copy-site`;
  if (given.length > 1) return "--playground is given twice";
  const [folder, second] = words.filter((word) => !word.startsWith("-"));
  if (folder === undefined) return "the folder to write is missing";
  if (second !== undefined) return `one folder is written at a time, and ${second} is a second`;
  const playground = given[0]?.slice(place.length);
  return playground === undefined ? { folder } : { folder, playground };
}

/** The list of what was written, in the folder itself. */
const LIST = "quire-files.json";
/** Where the built elements hold the playground's address (`embed/place.ts`). */
const PLACE = /null\s*\/\*quire-playground\*\//g;

/** Which of the package's files pages load. */
const isForPages = (name: string): boolean =>
  /\.(?:js|wasm)$/.test(name) && !/^(?:cli|inline|inline-element)\.js$/.test(name);

/** What the playground's package tells of itself. */
interface Playground {
  readonly root: string;
  readonly version: string;
  /** Files of the site that are this package's, by their names there. */
  readonly shared: Readonly<Record<string, string>>;
}

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

/** Whether a name is one that this program gives to a file in a folder: of no place outside of it. */
const isName = (name: unknown): name is string =>
  typeof name === "string" &&
  !/[\\:\0]/.test(name) &&
  name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

const isShared = (found: unknown): found is Playground["shared"] =>
  typeof found === "object" && found !== null && Object.entries(found).flat().every(isName);

async function read(root: string): Promise<Playground | null> {
  const manifest = (await json(path.join(root, "package.json")).catch(() => null)) as {
    readonly name: string;
    readonly version: string;
  } | null;
  if (manifest?.name !== "quiredb-playground") return null;
  const shared = await json(path.join(root, "shared.json")).catch(() => null);
  return isShared(shared) ? { root, version: manifest.version, shared } : null;
}

/** The installed package of the playground: where it was said to be, or where Node would find it; null for none. */
async function findPlayground(given: string | undefined, beside: string): Promise<Playground | null> {
  if (given !== undefined) return read(path.resolve(given));
  // In this project itself the built packages lie beside each other.
  const sibling = await read(path.resolve(beside, "../playground"));
  if (sibling !== null) return sibling;
  for (const from of [path.resolve("package.json"), path.join(beside, "cli.js")]) {
    try {
      return await read(path.dirname(createRequire(from).resolve("quiredb-playground/package.json")));
    } catch {
      // Not to be found from there.
    }
  }
  return null;
}

/** The names of what an earlier run wrote; null where the folder holds something else; a text: why it is not known. */
async function writtenBefore(folder: string): Promise<readonly string[] | string | null> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (found.length === 0) return [];
  if (!found.includes(LIST)) return null;
  const names = await json(path.join(folder, LIST)).catch((error: Error) => error);
  if (!Array.isArray(names)) return `its ${LIST} is no list of files`;
  const foreign: unknown = names.find((name) => !isName(name));
  return foreign === undefined
    ? (names as readonly string[])
    : `its ${LIST} names ${JSON.stringify(foreign)}, which is no file that this program writes`;
}

/** `beside` is the folder of the built package. */
export async function copySite(
  { folder, playground: given }: CopySiteOptions,
  beside: string,
  write: (text: string) => void,
): Promise<0 | 2> {
  const refuse = (why: string): 2 => {
    write(`${folder} is left alone: ${why}\n`);
    return 2;
  };
  const before = await writtenBefore(folder).catch((error: Error) => error.message);
  if (typeof before === "string") return refuse(before);
  if (before === null) return refuse("it holds something else");
  const { version } = (await json(path.join(beside, "../package.json"))) as { readonly version: string };
  const playground = await findPlayground(given, beside);
  if (playground === null && given !== undefined) return refuse(`${given} is no package quiredb-playground`);
  if (playground !== null && playground.version !== version)
    return refuse(`quiredb-playground is of version ${playground.version}, and quiredb of ${version}`);

  /** Where each file comes from, by its name in the folder. */
  const sources = new Map<string, string>();
  for (const name of (await readdir(beside)).filter(isForPages)) sources.set(name, path.join(beside, name));
  sources.set("THIRD-PARTY-NOTICES.txt", path.join(beside, "../THIRD-PARTY-NOTICES.txt"));
  if (playground !== null) {
    const site = path.join(playground.root, "site");
    for (const name of await filesBelow(site)) sources.set(`playground/${name}`, path.join(site, name));
    for (const [name, own] of Object.entries(playground.shared))
      sources.set(`playground/${name}`, path.join(beside, own));
  }
  const list = async (names: Iterable<string>): Promise<void> => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, LIST), `${JSON.stringify([...names].sort(), null, 1)}\n`);
  };
  await list(new Set([...before, ...sources.keys()]));
  for (const [name, from] of sources) await copyContents(from, path.join(folder, name));
  // The elements lead to the playground beside them.
  const ofElements = playground === null ? [] : [...sources.keys()].filter((name) => /^[^/]+\.js$/.test(name));
  for (const name of ofElements) {
    const code = await readFile(path.join(folder, name), "utf8");
    if (code.search(PLACE) >= 0)
      await writeFile(path.join(folder, name), code.replace(PLACE, '"./playground/index.html"'));
  }
  for (const name of before) if (!sources.has(name)) await rm(path.join(folder, name), { force: true });
  await list(sources.keys());
  write(
    `${folder} holds ${sources.size} files of version ${version}: the elements` +
      (playground === null
        ? ", and no playground (npm install --save-dev quiredb-playground, then once more).\n"
        : `, and the playground in ${path.join(folder, "playground")}.\n`),
  );
  return 0;
}
