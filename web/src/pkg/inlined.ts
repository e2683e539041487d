/**
 * The files of the package that `quiredb-inline` holds, for tools that carry no files along. That package is one
 * script, the same for modules and for CommonJS, which leaves the files as a global of this realm.
 *
 * Invariants: each file is base64 of what gzip made of it, and is unpacked once; the files are of this very version of
 * the package. A realm may hold several versions, each with or without its files: none sees those of another.
 */

/** What `quiredb-inline` leaves, by its version. */
export interface Inlined {
  readonly engine: string;
  readonly sandbox: string;
  readonly languages: string;
  /** The worker's script with all of its parts in it. */
  readonly worker: string;
}

/** This package's version, which its build puts in. */
declare const QUIRE_VERSION: string;

/** The files, where the page or the program has imported them before this package. */
export function inlined(): Inlined | undefined {
  const versions = (globalThis as Record<symbol, unknown>)[Symbol.for("quiredb-inline")] as
    | Readonly<Record<string, Inlined>>
    | undefined;
  return versions?.[QUIRE_VERSION];
}

/** A file's bytes. */
async function unpacked(packed: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const unpacking = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** The bytes of one of the files. */
export function inlinedBytes(files: Inlined, name: keyof Inlined): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = unpacking.get(name);
  if (bytes === undefined) unpacking.set(name, (bytes = unpacked(files[name])));
  return bytes;
}

const addresses = new Map<string, string>();

/** An address that holds the whole file. */
function wholeAddress(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("the file cannot be read")));
    reader.readAsDataURL(file);
  });
}

/**
 * The address of a file in this page's memory, which stays there as long as the page. The worker of a page on a disk
 * may ask for nothing that the page holds, so an address of WebAssembly has it in itself there.
 */
export async function inlinedAddress(files: Inlined, name: keyof Inlined, type: string): Promise<string> {
  const bytes = await inlinedBytes(files, name);
  let address = addresses.get(name);
  if (address === undefined) {
    const file = new Blob([bytes], { type });
    const isOnDisk = location.protocol === "file:" && type === "application/wasm";
    address = isOnDisk ? await wholeAddress(file) : URL.createObjectURL(file);
    addresses.set(name, address);
  }
  return address;
}
