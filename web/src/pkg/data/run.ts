/**
 * `quiredb run SCRIPT`: gives a script the shell, over an empty deployment in memory or over a real one.
 *
 * Invariants: what a script prints is printed at once, and the value of its last statement behind it, as the shell
 * words it; the number returned is the exit code: 0 where the script ran to its end, 1 where it failed, 2 where it
 * could not be run at all.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { EJSON, type Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { Engine } from "../engine.ts";
import { backendOf } from "../engine-backend.ts";
import { type ShellBackend, shellOver } from "../shell-over.ts";
import { databaseOf, readWords, type Read } from "./words.ts";
import { openWaiting, type WaitingPlace } from "./waiting-place.ts";

export const RUN_USAGE = `quiredb run SCRIPT [--uri mongodb://…] [--db NAME]

Runs a script of the shell, as the playground and mongosh do, and prints what it prints and the value of its last
statement. The script runs in this process, with all that it can reach: it is for your own scripts.

  --uri mongodb://…   over a real deployment, by MongoDB's own driver (npm install mongodb);
                      without it over an empty one in memory, which is gone afterwards
  --db NAME           the database that \`db\` is at first (default: the address's, or test)

Exit code: 0 it ran to its end, 1 it failed, 2 it could not be run.`;

export interface RunOptions {
  readonly script: string;
  readonly uri: string | undefined;
  readonly database: string;
}

/** Reads the words behind `run`; a text instead says why they are wrong. */
export function readRunOptions(words: readonly string[]): Read<RunOptions> {
  return readWords(words, { uri: "text", db: "text" }, ([script, ...others], { uri, db }) => {
    if (script === undefined) return "a script is missing";
    if (others.length > 0) return `one script is run at a time, and ${others[0]} is a second`;
    return { script, uri, database: db ?? databaseOf(uri) ?? "test" };
  });
}

const typed = (text: string): Document => EJSON.parse(text, { relaxed: false }) as Document;

/** A place that is behind a thread, as the deployment of a shell. */
function backendAt(place: WaitingPlace): ShellBackend {
  return {
    runBytes: (command) => place.runBytes(command),
    runJson: (text) =>
      EJSON.stringify(decode(place.runBytes(encode(typed(text))), { numbers: "typed", bsonRegExp: true }), {
        relaxed: false,
      }),
    now: Date.now,
    clockOffsetMillis: () => undefined,
    // Functions inside commands print on the server.
    printing: () => undefined,
  };
}

/** Runs the script. `program` is the file of this program, which the thread runs. */
export async function run(
  { script, uri, database }: RunOptions,
  program: URL,
  write: (text: string) => void,
  tell: (text: string) => void,
): Promise<0 | 1> {
  const source = await readFile(script, "utf8");
  const folder = path.resolve(".");
  const place = uri === undefined ? null : openWaiting(program, { uri, folder, beside: program.href });
  const engine = place === null ? await Engine.create({ functions: "sandbox" }) : null;
  try {
    const backend = place === null ? backendOf(engine as Engine) : backendAt(place);
    const shell = shellOver({ ...backend, print: (text) => write(`${text}\n`) }, { database });
    const { text, error } = shell.evaluate(source);
    if (error === undefined) {
      if (text !== "") write(`${text}\n`);
      return 0;
    }
    const at = error.line === null ? "" : `:${error.line}${error.column === null ? "" : `:${error.column}`}`;
    tell(`${script}${at}: ${error.text}\n`);
    return 1;
  } finally {
    engine?.close();
    place?.close();
  }
}
