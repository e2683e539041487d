/**
 * `quiredb check-docs DIR`: runs the snippets of all pages in a folder, and says which are stale.
 *
 * Invariants: nothing is printed but through `write`; the number returned is the program's exit code: 0 where all
 * snippets passed, 1 where one did not, 2 where the check itself cannot be made (a folder without snippets is that too,
 * or a check of nothing would pass for ever).
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { DifferenceLine } from "../../embed/expected.ts";
import { checkPage, type OpenEngine, type SnippetReport } from "./check.ts";
import { DEFAULT_LIMIT_MILLIS, readTimeLimit } from "../time-limit.ts";

export const CHECK_DOCS_USAGE = `quiredb check-docs DIR [--time-limit SECONDS]

Runs every <quire-snippet> of the built pages (.html, .htm) in DIR and in its folders, each page in an empty
engine of its own, from top to bottom. A snippet fails when its script ends with an error, or, with the attribute
\`check\`, when its output is another than that of the <output> inside it. In an <output>, … stands for any text of
a line, and a line of … alone for any lines.

  --time-limit SECONDS   ends a script that runs longer (default 60)

Exit code: 0 all passed, 1 a snippet failed, 2 nothing could be checked.`;

export interface CheckOptions {
  readonly folder: string;
  readonly timeLimitMillis: number;
}

/** Reads the words behind `check-docs`; a text instead says why they are wrong. */
export function readCheckOptions(words: readonly string[]): CheckOptions | string {
  let folder: string | null = null;
  let timeLimitMillis = DEFAULT_LIMIT_MILLIS;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--time-limit") {
      at += 1;
      const limit = readTimeLimit(words[at]);
      if (typeof limit === "string") return limit;
      timeLimitMillis = limit;
    } else if (word.startsWith("-")) return `${word} is no option of check-docs`;
    else if (folder !== null) return `one folder is checked at a time, and ${word} is a second`;
    else folder = word;
  }
  return folder === null ? "a folder of built pages is missing" : { folder, timeLimitMillis };
}

const MARKS = { same: "  ", missing: "- ", extra: "+ " } as const;
/** Lines around a difference that are shown, too. */
const AROUND = 2;

/** A difference as lines; lines far from every difference are one `…`. */
export function wordDifference(difference: readonly DifferenceLine[]): string {
  const near = (at: number): boolean =>
    difference.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same");
  const lines: string[] = [];
  for (const [at, { kind, text }] of difference.entries()) {
    if (near(at)) lines.push(MARKS[kind] + text);
    else if (lines.at(-1) !== "  …") lines.push("  …");
  }
  return lines.join("\n");
}

const indented = (text: string): string => text.replace(/^/gm, "    ");

function wordReport(page: string, { title, outcome }: SnippetReport): string {
  switch (outcome.kind) {
    case "passed":
      return `ok      ${page}  ${title}${outcome.compared ? " (output as on the page)" : ""}\n`;
    case "differs":
      return (
        `STALE   ${page}  ${title}\n    the output (+) is another than the page's (-):\n` +
        `${indented(wordDifference(outcome.difference))}\n`
      );
    case "failed":
      return `FAILED  ${page}  ${title}\n${indented(outcome.message)}\n`;
  }
}

/** All pages below a folder, sorted. */
async function pagesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.html?$/i.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Makes the check. */
export async function checkDocs(
  { folder }: CheckOptions,
  openEngine: OpenEngine,
  write: (text: string) => void,
): Promise<0 | 1 | 2> {
  let pages: readonly string[];
  try {
    pages = await pagesIn(folder);
  } catch (error) {
    write(`${folder} cannot be read: ${(error as Error).message}\n`);
    return 2;
  }
  let [snippets, compared, failed, withSnippets] = [0, 0, 0, 0];
  for (const page of pages) {
    const html = await readFile(path.join(folder, page), "utf8");
    // Most pages of a site have none; reading them as documents would be most of the work.
    if (!/<quire-snippet\b/i.test(html)) continue;
    const reports = await checkPage(html, openEngine);
    if (reports.length > 0) withSnippets += 1;
    for (const report of reports) {
      snippets += 1;
      if (report.outcome.kind !== "passed") failed += 1;
      else if (report.outcome.compared) compared += 1;
      write(wordReport(page, report));
    }
  }
  if (snippets === 0) {
    write(`${folder} has no <quire-snippet> in ${plural(pages.length, "page")}: nothing was checked\n`);
    return 2;
  }
  const all = `${plural(snippets, "snippet")} of ${plural(withSnippets, "page")}`;
  write(
    failed === 0
      ? `${all}: all ran, ${compared} with the output of the page\n`
      : `${all}: ${failed} failed, ${snippets - failed} passed\n`,
  );
  return failed === 0 ? 0 : 1;
}
