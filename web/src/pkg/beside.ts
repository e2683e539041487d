/**
 * The package's files that lie beside its modules. On a server they are read, and are found too where a bundler has put
 * the modules into a file elsewhere: beside that file, or by the package's name, from its folder and from the folder
 * that the program runs in. A bundle that is CommonJS knows no address of its own: it is taken to be the program.
 */

/** What of Node is used here. */
interface Builtins {
  (name: "node:fs"): { existsSync(path: URL): boolean; readFileSync(path: URL | string): Uint8Array };
  (name: "node:module"): { createRequire(from: string | URL): { resolve(name: string): string } };
  (name: "node:url"): { pathToFileURL(path: string): URL };
}
interface NodeProcess {
  readonly argv: readonly string[];
  cwd(): string;
  readonly getBuiltinModule?: Builtins;
}

const ELSEWHERE = 'leave quiredb out of the bundle, or import from "quiredb/inline" (and install quiredb-inline)';

/** The address that a module names; null where a bundler left the module no address of its own. */
function named(address: () => URL): URL | null {
  try {
    return address();
  } catch {
    return null;
  }
}

/** The bytes of a file of this package where there is a disk to read it from, else its address, to be fetched. */
export function readBeside(address: () => URL, name: string): Uint8Array | URL {
  const place = named(address);
  const { process } = globalThis as { process?: NodeProcess };
  const builtin = process?.getBuiltinModule;
  // A page of Electron has a disk, and its files come by address all the same.
  const isOfPage = typeof location !== "undefined" && place !== null && place.protocol !== "file:";
  if (process === undefined || builtin === undefined || isOfPage) {
    if (place === null) throw new Error(`${name} of quiredb cannot be found from here: ${ELSEWHERE}`);
    return place;
  }
  const { existsSync, readFileSync } = builtin("node:fs");
  const { createRequire } = builtin("node:module");
  const { pathToFileURL } = builtin("node:url");
  const around = `${process.cwd()}/`;
  const own = place?.protocol === "file:" ? place : new URL(name, pathToFileURL(process.argv[1] ?? around));
  if (existsSync(own)) return readFileSync(own);
  let cause: unknown;
  for (const from of [own, around]) {
    try {
      return readFileSync(createRequire(from).resolve(`quiredb/${name}`));
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(`${name} of quiredb is not beside the program, and not below ${process.cwd()}: ${ELSEWHERE}`, {
    cause,
  });
}
