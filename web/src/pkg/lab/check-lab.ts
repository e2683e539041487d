/**
 * `quiredb check-lab DIR…`: runs labs, and prints their faults.
 *
 * Invariants: nothing is printed but through `write`; the number returned is the program's exit code: 0 without faults,
 * 1 with some, 2 where the check itself cannot be made.
 */
import { plural } from "../../messages/plural.ts";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { tryLab } from "../../lessons/lab/check.ts";
import { filesOf, LAB_FILE, readLab } from "../../lessons/lab/lab.ts";
import type { LabHost } from "../../lessons/lab/run.ts";
import { DEFAULT_LIMIT_MILLIS, readTimeLimit } from "../time-limit.ts";

export const CHECK_LAB_USAGE = `quiredb check-lab LAB… [--scale N] [--time-limit SECONDS]

Runs each lab: a folder with its lab.json, or the single file of a lab. Every design is made in an engine of its own,
and every read and change done on it. Fails where a file cannot be read, a script fails, a read writes, the designs do
not answer alike before and after each change, a text leaves out a part or a number, or the languages do not agree.

  --scale N              the n that scripts see (default 100)
  --time-limit SECONDS   ends a script that runs longer (default 60)

Exit code: 0 nothing is wrong, 1 something is, 2 nothing could be checked.`;

const LEAST_SCALE = 1;
const MOST_SCALE = 1_000_000;

export interface CheckLabOptions {
  readonly labs: readonly string[];
  readonly scale: number;
  readonly timeLimitMillis: number;
}

/** Reads the words behind `check-lab`; a text instead says why they are wrong. */
export function readCheckLabOptions(words: readonly string[]): CheckLabOptions | string {
  let timeLimitMillis = DEFAULT_LIMIT_MILLIS;
  let scale = 100;
  const labs: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--time-limit") {
      at += 1;
      const limit = readTimeLimit(words[at]);
      if (typeof limit === "string") return limit;
      timeLimitMillis = limit;
    } else if (word === "--scale") {
      at += 1;
      scale = Number(words[at]);
      if (!Number.isInteger(scale) || scale < LEAST_SCALE || scale > MOST_SCALE)
        return `--scale needs a whole number up to ${MOST_SCALE}`;
    } else if (word.startsWith("-")) return `${word} is no option of check-lab`;
    else labs.push(word);
  }
  return labs.length === 0 ? "the folder or the file of a lab is missing" : { labs, scale, timeLimitMillis };
}

/** Makes the check. */
export async function checkLab(
  { labs, scale, timeLimitMillis }: CheckLabOptions,
  openHost: () => Promise<LabHost>,
  write: (text: string) => void,
): Promise<0 | 1 | 2> {
  let failed = 0;
  for (const lab of labs) {
    let faults: readonly string[];
    let says = "";
    try {
      const isFolder = (await stat(lab)).isDirectory();
      const manifest = readLab(await readFile(isFolder ? path.join(lab, LAB_FILE) : lab, "utf8"));
      const folder = isFolder ? lab : path.dirname(lab);
      const files: Record<string, string> = { ...manifest.files };
      if (manifest.files === null)
        for (const name of filesOf(manifest)) files[name] = await readFile(path.join(folder, name), "utf8");
      const trial = await tryLab(manifest, files, scale, { openHost, timeLimitMillis });
      faults = trial.faults;
      const { designs = [] } = trial.measure ?? {};
      const [made, done] = [designs.length, designs[0]?.costs.size ?? 0].map(String) as [string, string];
      says = `${manifest.languages.join(", ")}: ${plural(made, "design")}, ${plural(done, "operation")}`;
    } catch (error) {
      write(`${lab}: ${(error as Error).message}\n`);
      return 2;
    }
    if (faults.length > 0) failed += 1;
    write(faults.length === 0 ? `ok      ${lab}  (${says})\n` : `FAILED  ${lab}\n`);
    for (const fault of faults) write(`        ${fault}\n`);
  }
  write(failed === 0 ? "nothing is wrong\n" : `${failed} of ${labs.length} failed\n`);
  return failed === 0 ? 0 : 1;
}
