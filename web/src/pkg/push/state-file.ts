/**
 * How far a push or a pull came, in a file beside the data that are here: who is killed goes on where it stopped.
 *
 * The file says which collections of the other place this work began, by their UUIDs, so that it adds to no others; and
 * up to which `_id` all documents are acknowledged, with the hash of them, so that these need not be asked for again.
 * Invariants: what it says is so when it is written, for it is written behind the acknowledgement; what the places hold
 * beyond it is found by its `_id` and compared. A file is whole: it is written beside its place and then put there.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

export interface Progressed {
  /** The collection's UUID where it is written; null while it is being made. */
  uuid: string | null;
  /** Documents acknowledged without a gap, in the order of `_id`. */
  documents: number;
  digest: string;
  /** The last of them: `{ _id }` as BSON, in base64; null for none. */
  last: string | null;
  done: boolean;
}

export interface Kept {
  /** What the file is about, as a person gave it. */
  readonly work: string;
  readonly begun: string;
  readonly collections: Record<string, Progressed>;
  /** Where a follower goes on: a resume token as BSON, in base64. */
  token?: string;
  /** All was copied, and changes are followed. */
  follows?: boolean;
}

/** The file for an address beside the data. */
export function statePath(data: string, verb: string, uri: string, database: string | null): string {
  const { hosts, path } = partsOf(uri);
  const about = createHash("sha256")
    .update(`${hosts}/${path}?${database ?? ""}`)
    .digest("hex")
    .slice(0, 8);
  return `${data}.${verb}-${about}`;
}

function partsOf(uri: string): { hosts: string; path: string } {
  const bare = uri.replace(/\/\/.*@/s, "//").replace(/\?.*$/s, "");
  const [, hosts = bare, path = ""] = /^[^:]+:\/\/([^/]*)\/?(.*)$/s.exec(bare) ?? [];
  return { hosts, path };
}

export class StateFile {
  readonly path: string | null;
  readonly kept: Kept;
  /** The file was there: this goes on with what was begun. */
  readonly resumes: boolean;

  /** `path`: null where nothing can go on, as from the standard input. */
  constructor(path: string | null, work: string, now: Date) {
    this.path = path;
    const found = path === null ? null : read(path);
    this.resumes = found !== null;
    this.kept = found ?? { work, begun: now.toISOString(), collections: {} };
  }

  save(): void {
    if (this.path === null) return;
    writeFileSync(`${this.path}.part`, `${JSON.stringify(this.kept, null, 1)}\n`, { mode: 0o600 });
    renameSync(`${this.path}.part`, this.path);
  }

  remove(): void {
    if (this.path !== null) rmSync(this.path, { force: true });
  }
}

function read(path: string): Kept | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const kept = JSON.parse(text) as Kept;
    if (typeof kept.collections === "object" && kept.collections !== null) return kept;
  } catch {
    // Told below.
  }
  throw Object.assign(new Error(`${path} is not what quiredb wrote there: delete it to begin anew`), {
    syscall: "read",
  });
}
