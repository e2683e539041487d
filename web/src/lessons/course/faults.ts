/** The faults of a course's files, each with its place. */

export interface Fault {
  /** The file's path inside the course. */
  readonly file: string;
  /** Counted from 1; null where the whole file is meant. */
  readonly line: number | null;
  readonly message: string;
}

/** `documents/en.md:12: …`, which editors and terminals lead to. */
export function wordFault({ file, line, message }: Fault): string {
  return `${file}${line === null ? "" : `:${line}`}: ${message}`;
}

/** Gathers the faults of one file. */
export class Faults {
  readonly found: Fault[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number | null, message: string): void {
    this.found.push({ file: this.#file, line, message });
  }
}
