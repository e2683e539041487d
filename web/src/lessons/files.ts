/**
 * Files of courses and labs, which lie beside one another at an address.
 *
 * Invariant: a file that cannot be had is told by its name; the browser's reason is only added to it.
 */

/** A file that is not there, or cannot be reached. */
export class MissingFile extends Error {
  override readonly name = "MissingFile";
  readonly file: string;
  readonly why: string;

  constructor(file: string, why: string) {
    super(`${file}: ${why}`);
    this.file = file;
    this.why = why;
  }
}

/** The text of a file; `file` is how it is called, `address` where it is. */
export async function fetchFile(file: string, address: string | URL): Promise<string> {
  try {
    const response = await fetch(address);
    if (response.ok) return await response.text();
    throw new MissingFile(file, `${response.status} ${response.statusText}`.trim());
  } catch (error) {
    if (error instanceof MissingFile) throw error;
    throw new MissingFile(file, error instanceof Error ? error.message : String(error));
  }
}
