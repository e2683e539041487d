/**
 * A lab as files: `lab.json` with its scripts and texts beside it, or one file that has them inside, or a link.
 *
 * Invariants: pure; a file or a link is a stranger's: every field is checked, and nothing of it runs before the reader
 * says so; a lab that was edited is written as the same format that was read.
 */
import type { SharedScript } from "../../share/encode.ts";
import { blocksOf, fencedOf } from "../course/blocks.ts";
import { isObject } from "../course/course.ts";
import type { LabScripts } from "./parse.ts";

/** Which version of the format a lab is written in. */
export const LAB_VERSION = 1;
export const LAB_SCRIPTS = "scripts.md";
export const LAB_FILE = "lab.json";

export interface LabManifest {
  readonly id: string;
  /** Language tags; the first is the one for readers of none of them. */
  readonly languages: readonly string[];
  /** The texts of the files, where they stand inside. */
  readonly files: Readonly<Record<string, string>> | null;
}

/** Why a lab cannot be read. */
export class LabFileFault extends Error {
  override readonly name = "LabFileFault";
}

const ID = /^[a-z][a-z0-9-]{0,40}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
const FIELDS = ["quireLab", "id", "languages", "files"];

/** The files of a lab, by name. */
export const filesOf = ({ languages }: Pick<LabManifest, "languages">): readonly string[] => [
  LAB_SCRIPTS,
  ...languages.map((language) => `${language}.md`),
];

/** Reads a `lab.json`, or a lab's single file. */
export function readLab(text: string): LabManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new LabFileFault(`this is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) throw new LabFileFault("a lab is a JSON object");
  if (json["quireLab"] !== LAB_VERSION)
    throw new LabFileFault(`\`"quireLab": ${LAB_VERSION}\` is missing: it says which version of the format this is`);
  for (const name of Object.keys(json))
    if (!FIELDS.includes(name)) throw new LabFileFault(`\`${name}\` is no field of a lab`);
  const { id, languages, files = null } = json;
  if (typeof id !== "string" || !ID.test(id))
    throw new LabFileFault("`id` has to be small letters, digits and hyphens");
  const tags = Array.isArray(languages) ? (languages as readonly unknown[]) : [];
  const known = tags.filter((tag): tag is string => typeof tag === "string" && LANGUAGE.test(tag));
  if (known.length === 0 || known.length < tags.length || new Set(known).size < known.length)
    throw new LabFileFault('`languages` has to be a list of different language tags, as ["en", "zh-Hans"]');
  if (files === null) return { id, languages: known, files: null };
  if (!isObject(files)) throw new LabFileFault("`files` has to be an object of texts");
  const inside: Record<string, string> = {};
  for (const name of filesOf({ languages: known })) {
    const content = files[name];
    if (typeof content !== "string") throw new LabFileFault(`\`files\` has no \`${name}\``);
    inside[name] = content;
  }
  return { id, languages: known, files: inside };
}

/** A lab with its files inside, as `readLab` reads it. */
export function writeLab({ id, languages }: LabManifest, files: Readonly<Record<string, string>>): string {
  const inside = Object.fromEntries(filesOf({ languages }).map((name) => [name, files[name] ?? ""]));
  return `${JSON.stringify({ quireLab: LAB_VERSION, id, languages, files: inside }, null, 2)}\n`;
}

/** A lab as the contents of a link: a script for each of its files, and its manifest. */
export function sharedLab(manifest: LabManifest, files: Readonly<Record<string, string>>): readonly SharedScript[] {
  const { id, languages } = manifest;
  return [
    { name: LAB_FILE, source: JSON.stringify({ quireLab: LAB_VERSION, id, languages }) },
    ...filesOf(manifest).map((name) => ({ name, source: files[name] ?? "" })),
  ];
}

/** The lab of a link, as one file; throws a `LabFileFault` where the link holds something else. */
export function labOfShared(scripts: readonly SharedScript[]): string {
  const source = scripts.find(({ name }) => name === LAB_FILE)?.source;
  if (source === undefined) throw new LabFileFault("this link holds no lab");
  const manifest = readLab(source);
  const files = Object.fromEntries(scripts.map((script) => [script.name, script.source]));
  for (const name of filesOf(manifest))
    if (files[name] === undefined) throw new LabFileFault(`the link has no \`${name}\``);
  return writeLab(manifest, files);
}

/** The place of a script in a lab: a design's own, or an operation's on that design. */
export interface ScriptPlace {
  readonly design: string;
  /** Null for the script that makes the data. */
  readonly operation: string | null;
}

export function scriptAt({ designs, operations }: LabScripts, { design, operation }: ScriptPlace): string {
  return operation === null
    ? (designs.find(({ id }) => id === design)?.load ?? "")
    : (operations.find(({ id }) => id === operation)?.scripts.get(design) ?? "");
}

/** The scripts with another text at one place. */
export function withScript(scripts: LabScripts, place: ScriptPlace, source: string): LabScripts {
  const { design, operation } = place;
  return {
    designs: scripts.designs.map((one) => (operation === null && one.id === design ? { ...one, load: source } : one)),
    operations: scripts.operations.map((one) =>
      one.id === operation ? { ...one, scripts: new Map([...one.scripts, [design, source]]) } : one,
    ),
  };
}

/** A `scripts.md` with these scripts in its blocks; the author's text around them stays, as do unchanged blocks. */
export function rewriteScripts(markdown: string, scripts: LabScripts): string {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  // From the end, so that the lines of the blocks before stay where they are.
  for (const block of [...blocksOf(markdown)].reverse()) {
    const fenced = fencedOf(block);
    const place = fenced === null ? null : placeOf(fenced.words);
    if (fenced === null || place === null) continue;
    const source = scriptAt(scripts, place).replace(/\n+$/, "");
    if (source === fenced.text.replace(/\n+$/, "")) continue;
    const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    const height = block.token.raw.replace(/^\n+|\n+$/g, "").split("\n").length;
    lines.splice(
      block.line - 1,
      height,
      `${fence}${fenced.words.join(" ")}`,
      ...(source === "" ? [] : source.split("\n")),
      fence,
    );
  }
  return lines.join("\n");
}

/** The script that a block holds, by the block's words; null for a block of another kind. */
function placeOf([language, kind, id, design]: readonly string[]): ScriptPlace | null {
  if (language !== "js" || id === undefined) return null;
  if (kind === "design") return { design: id, operation: null };
  return (kind === "read" || kind === "write") && design !== undefined ? { design, operation: id } : null;
}
