/**
 * `npx quiredb`: the package's program.
 *
 * Invariant: a word or option that it does not know is an error that names it.
 */
import { CHECK_DOCS_USAGE, checkDocs, readCheckOptions } from "./docs/command.ts";
import { openSandboxed } from "./docs/sandboxed.ts";

const USAGE = `quiredb: a MongoDB-compatible document database for the page

  quiredb check-docs DIR    run the snippets of built pages, and fail on those that are stale

quiredb check-docs --help says more. The package itself is imported, not started: see its README.`;

const write = (text: string): void => void process.stdout.write(text);

async function main([verb, ...words]: readonly string[]): Promise<number> {
  const asksForHelp = (word: string | undefined): boolean => word === "--help" || word === "-h" || word === "help";
  if (verb === undefined || asksForHelp(verb)) {
    write(`${USAGE}\n`);
    return verb === undefined ? 2 : 0;
  }
  if (verb !== "check-docs") {
    process.stderr.write(`quiredb: ${verb} is nothing that it can do\n\n${USAGE}\n`);
    return 2;
  }
  if (words.some(asksForHelp)) {
    write(`${CHECK_DOCS_USAGE}\n`);
    return 0;
  }
  const options = readCheckOptions(words);
  if (typeof options === "string") {
    process.stderr.write(`quiredb check-docs: ${options}\n\n${CHECK_DOCS_USAGE}\n`);
    return 2;
  }
  return checkDocs(options, () => openSandboxed(options.timeLimitMillis), write);
}

process.exitCode = await main(process.argv.slice(2));
