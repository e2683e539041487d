/**
 * The lock of a data file against other processes: a file beside it, which names its holder.
 *
 * Node has no lock that the system takes back when a process ends, so a lock can outlive its holder. It is taken over
 * where the holder is certainly gone: the machine was started again, no process has its number, or the process of that
 * number began at another time. Invariants: a lock file appears with all its content, or not at all; a lock of a holder
 * that cannot be judged (of another machine) is respected; of all that find one dead holder one alone takes its place,
 * because the right to do so is a lock of its own, named after that holder.
 */
import { closeSync, linkSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

/** What a lock file says of its holder. */
interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** Which start of the machine it runs in; null where the system does not tell. */
  readonly boot: string | null;
  /** When the process began, in the system's own words; null where it does not tell. */
  readonly began: string | null;
}

export interface FileLock {
  release(): void;
}

/** The lock is held. `code` is the name of the server's code for it. */
export class DataFileInUse extends Error {
  readonly code = "DBPathInUse";
  constructor(lock: string, held: Holder | null) {
    const who = held === null ? "somebody who left no name" : `process ${held.pid} on ${held.host}`;
    super(`the data file is in use by ${who}; where no such process is at work any more, delete ${lock}`);
    this.name = "DBPathInUse";
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** A file of the system, or null where it has none. */
function told(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

const bootOfNow = (): string | null => told("/proc/sys/kernel/random/boot_id")?.trim() ?? null;

/**
 * State and beginning of a process, where the system has `/proc`. Its name, in brackets, may hold anything; behind it
 * the fields are state, and as the twentieth the beginning.
 */
function processFacts(pid: number): { readonly state: string; readonly began: string } | null {
  const text = told(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, began] = [fields?.[0], fields?.[19]];
  return state === undefined || began === undefined ? null : { state, began };
}

/** Whether the holder may still be at work. */
export function mayLive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  const boot = bootOfNow();
  if (boot !== null && holder.boot !== null && boot !== holder.boot) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // Another user's process lives too.
    if (codeOf(error) === "ESRCH") return false;
  }
  const facts = processFacts(holder.pid);
  if (facts === null) return true;
  // A process that was ended and not yet waited for writes nothing any more.
  if (facts.state === "Z" || facts.state === "X") return false;
  return holder.began === null || holder.began === facts.began;
}

function readHolder(path: string): Holder | "none" | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "none";
    throw error;
  }
  try {
    const { token, pid, host, boot, began } = JSON.parse(text) as Partial<Holder>;
    if (typeof token !== "string" || !/^[\w-]+$/.test(token) || typeof pid !== "number" || typeof host !== "string")
      return null;
    return { token, pid, host, boot: boot ?? null, began: began ?? null };
  } catch {
    return null;
  }
}

/** Makes a file with this content where there is none; false where there is one. */
function make(path: string, content: string): boolean {
  const draft = `${path}.${randomUUID()}`;
  write(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(String(codeOf(error)))) throw error;
  } finally {
    unlinkSync(draft);
  }
  // A file system without links: a lock that is made and still empty is respected.
  try {
    write(path, content);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function write(path: string, content: string): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    writeSync(descriptor, content);
  } catch (error) {
    // Without its content it is no lock; on a full disk each attempt would leave one.
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Takes the lock file, or throws `DataFileInUse`. */
function take(path: string, mine: Holder): void {
  const content = `${JSON.stringify(mine)}\n`;
  for (;;) {
    if (make(path, content)) return;
    const held = readHolder(path);
    if (held === "none") continue;
    if (held === null || mayLive(held)) throw new DataFileInUse(path, held);
    if (takeOver(path, held, mine, content)) return;
  }
}

/** Puts this process in the place of a dead holder; false where another one did so in between. */
function takeOver(path: string, dead: Holder, mine: Holder, content: string): boolean {
  const right = `${path}.${dead.token}`;
  take(right, mine);
  try {
    const held = readHolder(path);
    if (held === "none" || held?.token !== dead.token) return false;
    const draft = `${path}.${mine.token}`;
    write(draft, content);
    renameSync(draft, path);
    return true;
  } finally {
    unlinkSync(right);
  }
}

/** Locks a data file: throws `DataFileInUse` where another process, or this one, has it open. */
export function lockDataFile(path: string): FileLock {
  const lock = `${path}.lock`;
  const mine: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    boot: bootOfNow(),
    began: processFacts(process.pid)?.began ?? null,
  };
  take(lock, mine);
  return {
    release() {
      const held = readHolder(lock);
      if (held !== "none" && held?.token === mine.token) unlinkSync(lock);
    },
  };
}
