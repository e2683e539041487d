/**
 * `quiredb serve`: a server until somebody ends it.
 *
 * Invariants: nothing is printed but through `means`; the number returned is the program's exit code: 0 where it was
 * ended, 1 where the server could not be had or not everything is stored.
 */
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { gather } from "../../state/data/dump-files.ts";
import { restore } from "../../state/data/restoring.ts";
import { readWords, type Read } from "../data/words.ts";
import { unfit } from "../data/files.ts";
import { serverFault, startServer, type Prepare, type QuireServer } from "./server.ts";

export const SERVE_USAGE = `quiredb serve [--port N] [--memory | --data FILE] [--import ARCHIVE]
              [--host ADDRESS --user NAME --password TEXT]

Serves MongoDB's wire protocol: mongosh, Compass and every driver of MongoDB's connect to it. It ends with Ctrl+C.

  --port N            the port (default 27017); 0 takes one that is free
  --memory            keep the data in memory (the default): they are gone when the server ends
  --data FILE         keep the data in this file, which is made where there is none
  --import ARCHIVE    begin with the data of an archive of mongodump's or the playground's, or of a .bson or .json file;
                      may be given again
  --host ADDRESS      listen on this address (default 127.0.0.1, which no other machine reaches)
  --user NAME         clients have to authenticate, with SCRAM-SHA-256 over the database admin
  --password TEXT     the password of that user

An address that other machines reach needs a user and a password. What is sent is not encrypted.

Exit code: 0 it was ended, 1 it could not start or store all, 2 the words are wrong.`;

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The file that keeps the data; undefined for memory. */
  readonly data: string | undefined;
  readonly imports: readonly string[];
}

/** The means of the program that runs it. */
export interface ServeMeans {
  write(text: string): void;
  complain(text: string): void;
  /** Resolves when somebody wants the server to end. */
  ended(): Promise<void>;
}

const WORDS = {
  data: "text",
  host: "text",
  import: "texts",
  memory: "flag",
  password: "text",
  port: "text",
  user: "text",
} as const;
/** The database of an imported file that names none. */
const DATABASE = "test";

/** Reads the words behind `serve`; a text instead says why they are wrong. */
export function readServeOptions(words: readonly string[]): Read<ServeOptions> {
  return readWords(words, WORDS, ([word], { memory, data, port = "27017", host = "127.0.0.1", ...given }) => {
    if (word !== undefined) return `${word} is a word too many`;
    if (memory === true && data !== undefined) return "--memory and --data exclude one another";
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return "--port needs a number from 0 to 65535";
    const { user, password, import: imports = [] } = given;
    const options: ServeOptions = { port: Number(port), host, user, password, data, imports };
    return serverFault(serverOptions(options)) ?? options;
  });
}

const serverOptions = ({ port, host, user, password, data }: ServeOptions): Parameters<typeof startServer>[0] => ({
  port,
  host,
  ...(user === undefined ? {} : { user }),
  ...(password === undefined ? {} : { password }),
  ...(data === undefined ? {} : { data }),
});

/** A file that cannot be imported, for a person. */
class Unreadable extends Error {}

/** Imports files before the server listens; tells how many documents each gave. */
function importing(files: readonly string[], tell: (text: string) => void): Prepare {
  return async (run) => {
    for (const name of files) {
      if (!(await stat(name)).isFile()) throw new Unreadable(`${name} is no file`);
      const file = new File([await openAsBlob(name)], path.basename(name));
      const { parts, faults } = await gather([{ file, path: path.basename(name) }], DATABASE);
      const [fault] = faults;
      if (fault !== undefined) throw new Unreadable(`${name}: ${wordOf(fault.error)}`);
      if (parts.length === 0) throw new Unreadable(`${name}: there are no documents in it`);
      const words = unfit(parts);
      if (words !== null) throw new Unreadable(words);
      const outcomes = await restore(
        { commandBytes: run },
        {
          targets: parts.map((part) => ({ part, database: part.database, collection: part.collection })),
          drop: false,
          stopAtFirst: false,
          signal: new AbortController().signal,
          progress: () => undefined,
        },
      );
      for (const { target, inserted, failed, failures, problems, complete } of outcomes) {
        const place = `${target.database}.${target.collection}`;
        const [problem] = [...problems, ...failures.map(({ message }) => message)];
        if (!complete || failed > 0 || problem !== undefined)
          throw new Unreadable(`${name}: ${place} could not be imported whole: ${wordOf(problem)}`);
        tell(`imported ${place}: ${inserted} documents\n`);
      }
    }
  };
}

const wordOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why a server could not be had, for a person; null for an error of this program. */
function refusal(error: unknown, { host, port, data }: ServeOptions): string | null {
  if (error instanceof Unreadable) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A file to import, which cannot be read.
  if (syscall !== undefined && syscall !== "listen" && syscall !== "getaddrinfo") return wordOf(error);
  // The file's own errors name it, and come from the engine's thread without the call that failed.
  if (data !== undefined && syscall === undefined && code !== undefined) {
    const advice = ". `quiredb repair FILE OUT` reads what can be read of it into a new file";
    return wordOf(error) + (code === "DataCorruptionDetected" ? advice : "");
  }
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} is taken: another server listens there. --port 0 takes one that is free`;
    case "EACCES":
      return `port ${port} may not be listened on by this user`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine`;
    default:
      return null;
  }
}

/** Serves until it is ended. */
export async function serve(options: ServeOptions, means: ServeMeans): Promise<0 | 1> {
  const ended = means.ended();
  let server: QuireServer;
  try {
    server = await startServer(serverOptions(options), importing(options.imports, means.write), (text) =>
      means.complain(`quiredb serve: ${text}\n`),
    );
  } catch (error) {
    const words = refusal(error, options);
    if (words === null) throw error;
    means.complain(`quiredb serve: ${words}\n`);
    return 1;
  }
  const shown = options.user === undefined ? server.uri : server.uri.replace(/:[^:@/]*@/, ":<password>@");
  const where =
    options.data === undefined ? "in memory: they are gone when it ends" : `kept in ${path.resolve(options.data)}`;
  means.write(`quiredb listens on ${shown}\nThe data are ${where}. Ctrl+C ends it.\n`);
  await ended;
  try {
    await server.close();
  } catch (error) {
    means.complain(`quiredb serve: ${wordOf(error)}\n`);
    return 1;
  }
  return 0;
}
