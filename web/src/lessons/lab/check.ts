/**
 * Tries a lab as `check-lab` does: its files, its texts against one another, and every script on every design.
 *
 * Invariants: the lab is run as a page runs it (`run.ts`); every fault names the file, or the design and operation,
 * that is to be mended.
 */
import { Faults, wordFault } from "../course/faults.ts";
import { LAB_SCRIPTS, type LabManifest } from "./lab.ts";
import { readNamed, valueOf, type LabMeasure } from "./measure.ts";
import { LabFault, parseScripts, type LabScripts } from "./parse.ts";
import { measureLab, type LabRunOptions } from "./run.ts";
import { figuresIn, readLabText } from "./text.ts";

export interface LabTrial {
  /** The faults, each worded with its place. */
  readonly faults: readonly string[];
  /** Null where the files are too wrong to be run. */
  readonly measure: LabMeasure | null;
}

/** Tries a lab at a scale. */
export async function tryLab(
  manifest: LabManifest,
  files: Readonly<Record<string, string>>,
  scale: number,
  options: LabRunOptions,
): Promise<LabTrial> {
  let scripts: LabScripts;
  try {
    scripts = parseScripts(files[LAB_SCRIPTS] ?? "");
  } catch (error) {
    if (!(error instanceof LabFault)) throw error;
    return { faults: [`${LAB_SCRIPTS}: ${error.message}`], measure: null };
  }
  const texts = manifest.languages.map((language) => readLabText(language, files[`${language}.md`] ?? "", scripts));
  const faults = texts.flatMap((one) => one.faults.map(wordFault));
  const figures = texts.map(({ text }) => figuresIn(text));
  for (const [at, { text }] of texts.entries()) {
    const missing = (figures[0] ?? []).filter((name) => figures[at]?.includes(name) === false);
    const more = (figures[at] ?? []).filter((name) => figures[0]?.includes(name) === false);
    const unequal = new Faults(`${text.language}.md`);
    for (const name of missing)
      unequal.add(null, `the text leaves out {{${name}}}, which ${manifest.languages[0]}.md has`);
    for (const name of more) unequal.add(null, `{{${name}}} is not in ${manifest.languages[0]}.md`);
    faults.push(...unequal.found.map(wordFault));
  }
  const measure = await measureLab(scripts, scale, options);
  for (const design of measure.designs)
    for (const { script, error } of design.faults) {
      const place = error.line === null ? "" : `, line ${error.line}`;
      faults.push(`${LAB_SCRIPTS}: ${script} of ${design.id}${place}: ${error.text}`);
    }
  for (const { design, first, operation, after } of measure.differences) {
    const when = after === null ? "" : ` after ${after}`;
    faults.push(`${LAB_SCRIPTS}: ${operation}${when}: ${design} answers otherwise than ${first}`);
  }
  for (const name of new Set(figures.flat())) {
    const named = readNamed(name, scripts);
    if (typeof named !== "string" && valueOf(named, measure) === null) faults.push(`{{${name}}} is not known`);
  }
  return { faults, measure };
}
