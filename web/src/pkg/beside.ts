/**
 * The package's files that lie beside its modules.
 */

interface NodeProcess {
  getBuiltinModule?(name: "node:fs"): { readFileSync(path: URL): Uint8Array };
}

/** The bytes at an address where it is a file that Node can read, else the address, to be fetched. */
export function readBeside(address: URL): Uint8Array | URL {
  const { process } = globalThis as { process?: NodeProcess };
  const files = address.protocol === "file:" ? process?.getBuiltinModule?.("node:fs") : undefined;
  return files === undefined ? address : files.readFileSync(address);
}
