/**
 * `npx quiredb`: the package's program.
 *
 * Invariant: a word or option that it does not know is an error that names it.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, workerData } from "node:worker_threads";
import { CHECK_COURSE_USAGE, checkCourse, readCheckCourseOptions } from "./course/check-course.ts";
import { NEW_COURSE_USAGE, newCourse, readNewCourseOptions } from "./course/new-course.ts";
import { CHECK_LAB_USAGE, checkLab, readCheckLabOptions } from "./lab/check-lab.ts";
import { COPY_SITE_USAGE, copySite, readCopySiteOptions } from "./site/copy-site.ts";
import { Refusal } from "../state/data/ask.ts";
import { mostSimilar } from "../state/similar.ts";
import { CHECK_DOCS_USAGE, checkDocs, readCheckOptions } from "./docs/command.ts";
import { openSandboxed } from "./docs/sandboxed.ts";
import { type Place, PlaceError } from "./data/driver-place.ts";
import { openPlace, READING, type Where, WRITING } from "./data/place.ts";
import { readRepairOptions, repair, REPAIR_USAGE } from "./data/repair.ts";
import { readRunOptions, run, RUN_USAGE } from "./data/run.ts";
import * as transfer from "./data/transfer.ts";
import { answer, type ThreadData } from "./data/waiting-place.ts";
import { PULL_USAGE, PUSH_USAGE, readPullOptions, readPushOptions } from "./push/options.ts";
import { pull, push, type Means } from "./push/work.ts";
import { readServeOptions, SERVE_USAGE, serve } from "./server/serve.ts";

const USAGE = `quiredb: a MongoDB-compatible document database for the page

  quiredb serve               serve MongoDB's wire protocol on a port of this machine
  quiredb run SCRIPT          run a script of the shell, in memory, over a file or a real deployment
  quiredb dump                write a deployment as an archive
  quiredb restore ARCHIVE     restore an archive, or a folder of mongodump
  quiredb export COLLECTION   write a collection as JSON, CSV or BSON
  quiredb import FILE         insert the documents of a file of JSON, CSV or BSON
  quiredb push mongodb://…    copy databases of a file or an archive to a real deployment, and compare
  quiredb pull mongodb://…    copy databases of a real deployment into a file, and follow their changes
  quiredb repair FILE OUT     read what can be read of a damaged data file into a new one
  quiredb check-docs DIR      run the snippets of built pages, and fail on those that are stale
  quiredb copy-site DIR       write the elements and the playground as files for a site
  quiredb new-course DIR      write a small course, to be changed into one of your own
  quiredb check-course DIR    run the lessons of a course, and say what is wrong with them
  quiredb check-lab LAB       run the designs of a lab, and say what is wrong with it

quiredb check-docs --help and so on say more. The package itself is imported, not started: see its README.`;

const write = (text: string): void => void process.stdout.write(text);

interface Verb<Options> {
  readonly usage: string;
  /** The options; a text instead says why the words are wrong. */
  read(words: readonly string[]): Options | string;
  /** Gives the exit code. */
  run(options: Options): Promise<number>;
}

/** A verb whose options are its own affair. */
const verb =
  <Options extends object>(given: Verb<Options>): ((name: string, words: readonly string[]) => Promise<number>) =>
  async (name, words) => {
    if (words.some(asksForHelp)) {
      write(`${given.usage}\n`);
      return 0;
    }
    const options = given.read(words);
    if (typeof options !== "string") return given.run(options);
    process.stderr.write(`quiredb ${name}: ${options}\n\n${given.usage}\n`);
    return 2;
  };

/** The folder of the package's files. */
const FILES = path.dirname(fileURLToPath(import.meta.url));

const tell = (text: string): void => void process.stderr.write(text);

/** A verb over a deployment, which is opened before it and closed behind it. */
const at =
  <Options extends { readonly where: Where }>(
    work: (place: Place, options: Options, told: transfer.Tell) => Promise<number>,
    writes: boolean,
  ) =>
  async (options: Options): Promise<number> => {
    const around = { folder: process.cwd(), beside: import.meta.url };
    const place = await openPlace(options.where, around, writes ? WRITING : READING);
    try {
      return await work(place, options, tell);
    } finally {
      await place.close();
    }
  };

/** The means of `push` and `pull`: how far they are is told beside the data. */
const means = (): Means => ({
  around: { folder: process.cwd(), beside: import.meta.url },
  screen: {
    write: tell,
    // Some terminals say that they have no columns.
    columns: process.stderr.isTTY ? process.stderr.columns || 80 : undefined,
    now: () => performance.now(),
  },
  write,
  ended,
});

const VERBS = new Map([
  ["push", verb({ usage: PUSH_USAGE, read: readPushOptions, run: (options) => push(options, means()) })],
  ["pull", verb({ usage: PULL_USAGE, read: readPullOptions, run: (options) => pull(options, means()) })],
  [
    "run",
    verb({
      usage: RUN_USAGE,
      read: readRunOptions,
      run: (options) => run(options, new URL(import.meta.url), write, tell),
    }),
  ],
  ["dump", verb({ usage: transfer.DUMP_USAGE, read: transfer.readDumpOptions, run: at(transfer.dump, false) })],
  [
    "restore",
    verb({ usage: transfer.RESTORE_USAGE, read: transfer.readRestoreOptions, run: at(transfer.restore, true) }),
  ],
  [
    "export",
    verb({ usage: transfer.EXPORT_USAGE, read: transfer.readExportOptions, run: at(transfer.exportCollection, false) }),
  ],
  [
    "import",
    verb({ usage: transfer.IMPORT_USAGE, read: transfer.readImportOptions, run: at(transfer.importInto, true) }),
  ],
  [
    "serve",
    verb({
      usage: SERVE_USAGE,
      read: readServeOptions,
      run: (options) => serve(options, { write, complain: tell, ended }),
    }),
  ],
  ["repair", verb({ usage: REPAIR_USAGE, read: readRepairOptions, run: (options) => repair(options, tell) })],
  [
    "copy-site",
    verb({
      usage: COPY_SITE_USAGE,
      read: readCopySiteOptions,
      run: (options) => copySite(options, FILES, write),
    }),
  ],
  [
    "check-docs",
    verb({
      usage: CHECK_DOCS_USAGE,
      read: readCheckOptions,
      run: (options) =>
        checkDocs(options, (topology) => openSandboxed(options.timeLimitMillis, undefined, topology), write),
    }),
  ],
  [
    "new-course",
    verb({
      usage: NEW_COURSE_USAGE,
      read: readNewCourseOptions,
      run: (options) => newCourse(options, FILES, write),
    }),
  ],
  [
    "check-course",
    verb({
      usage: CHECK_COURSE_USAGE,
      read: readCheckCourseOptions,
      run: (options) => checkCourse(options, () => openSandboxed(options.timeLimitMillis), write),
    }),
  ],
  [
    "check-lab",
    verb({
      usage: CHECK_LAB_USAGE,
      read: readCheckLabOptions,
      run: (options) => checkLab(options, () => openSandboxed(options.timeLimitMillis), write),
    }),
  ],
]);

/** How output that cannot be written ends the program, which otherwise ended well. */
const CUT = 1;

/**
 * Output that cannot be written does not end the verb at once: a script is at work, a file open. That nobody reads it
 * any more (`| head -1`) is told by the exit code alone.
 */
function noteLost(): void {
  let lost: Error | null = null;
  const note = (error: NodeJS.ErrnoException): void => {
    if (lost === null && error.code !== "EPIPE") tell(`quiredb: ${error.message}\n`);
    lost ??= error;
  };
  process.stdout.on("error", note);
  process.stderr.on("error", () => undefined);
  process.once("exit", (code) => {
    if (lost !== null && code === 0) process.exitCode = CUT;
  });
}

/** Resolves when somebody wants the program to end. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
}

function asksForHelp(word: string | undefined): boolean {
  return word === "--help" || word === "-h" || word === "help";
}

async function main([name, ...words]: readonly string[]): Promise<number> {
  if (name === undefined || asksForHelp(name)) {
    write(`${USAGE}\n`);
    return name === undefined ? 2 : 0;
  }
  const found = VERBS.get(name);
  if (found !== undefined) return found(name, words);
  const meant = mostSimilar(name, VERBS.keys());
  const hint = meant === null ? "" : `: is ${meant} meant?`;
  process.stderr.write(`quiredb: ${name} is nothing that it can do${hint}\n\n${USAGE}\n`);
  return 2;
}

/**
 * A file or folder that cannot be read or written, and a deployment that cannot be reached or refuses a command, are
 * told in a sentence; any other error is this program's own.
 */
function failed(error: unknown): number {
  const isTold =
    error instanceof PlaceError ||
    error instanceof Refusal ||
    typeof (error as NodeJS.ErrnoException).syscall === "string";
  if (!(error instanceof Error) || !isTold) throw error;
  if ((error as NodeJS.ErrnoException).code === "EPIPE") return CUT;
  process.stderr.write(`quiredb: ${error.message}\n`);
  return 2;
}

// `quiredb run` over a deployment waits for a thread of this very program.
if (isMainThread) noteLost();
if (isMainThread) process.exitCode = await main(process.argv.slice(2)).catch(failed);
else await answer(workerData as ThreadData);
