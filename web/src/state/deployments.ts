/**
 * The deployments a reader has made: their list, their names, and how one is deleted.
 *
 * Invariants: an id never changes, so that a link and another tab find the same data after a rename; the main
 * deployment is always there; the stored list is checked field by field. A deployment that a tab has open is not
 * deleted: each page holds a shared lock while it is there, and a deletion needs the same lock alone.
 */
import { mainDeployment, storedName } from "../start/deployment.ts";

export interface NamedDeployment {
  readonly id: string;
  /** The reader's name for it; empty for the main one until it is renamed. */
  readonly name: string;
}

type Kept = Pick<Storage, "getItem" | "setItem">;

/** The storage key of the list; other tabs hear of changes by it. */
export const deploymentsKey = "quire.deployments";
/** Characters of a deployment's name; longer names are cut. */
export const longestDeploymentName = 60;

/** The deployments in the order in which they were made, the main one first. */
export function listDeployments(kept: Kept | null): readonly NamedDeployment[] {
  let raw: unknown;
  try {
    raw = JSON.parse(kept?.getItem(deploymentsKey) ?? "[]");
  } catch {
    raw = [];
  }
  const found: NamedDeployment[] = [];
  for (const entry of Array.isArray(raw) ? (raw as unknown[]) : []) {
    const { id, name } = (typeof entry === "object" && entry !== null ? entry : {}) as { id?: unknown; name?: unknown };
    if (typeof id !== "string" || typeof name !== "string" || found.some((other) => other.id === id)) continue;
    found.push({ id, name: name.slice(0, longestDeploymentName) });
  }
  const main = found.find(({ id }) => id === mainDeployment) ?? { id: mainDeployment, name: "" };
  return [main, ...found.filter(({ id }) => id !== mainDeployment)];
}

/** Writes the list; throws where the browser keeps nothing. */
function write(kept: Kept | null, list: readonly NamedDeployment[]): void {
  if (kept === null) throw new Error("the browser keeps nothing for this page");
  kept.setItem(deploymentsKey, JSON.stringify(list));
}

/** A deployment's name; its id where the list does not know it. */
export function deploymentName(kept: Kept | null, id: string): string {
  return listDeployments(kept).find((one) => one.id === id)?.name ?? id;
}

/** Whether another deployment is called so. */
export function isNameTaken(kept: Kept | null, name: string, besides: string | null = null): boolean {
  const wanted = name.trim().toLowerCase();
  return listDeployments(kept).some((one) => one.id !== besides && one.name.toLowerCase() === wanted);
}

/** Notes a deployment which an address names and the list does not know. */
export function noteDeployment(kept: Kept | null, id: string): void {
  const list = listDeployments(kept);
  if (list.some((one) => one.id === id)) return;
  try {
    write(kept, [...list, { id, name: id }]);
  } catch {
    // The deployment is open all the same, and goes by its id.
  }
}

/** Adds a deployment and gives its id, made from the name. The data begins with its first visit. */
export function makeDeployment(kept: Kept | null, name: string): string {
  const list = listDeployments(kept);
  const stem =
    name
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 32)
      .replace(/^-+|-+$/g, "") || "deployment";
  let id = stem;
  for (let number = 2; list.some((one) => one.id === id); number += 1) id = `${stem}-${number}`;
  write(kept, [...list, { id, name: name.trim().slice(0, longestDeploymentName) }]);
  return id;
}

/** Calls a deployment otherwise; its id and its data stay. */
export function renameDeployment(kept: Kept | null, id: string, name: string): void {
  const list = listDeployments(kept);
  const named = { id, name: name.trim().slice(0, longestDeploymentName) };
  write(kept, list.some((one) => one.id === id) ? list.map((one) => (one.id === id ? named : one)) : [...list, named]);
}

const openLock = (id: string): string => `quire.open:${storedName(id)}`;

/** Says to other tabs that this one has a deployment open, for as long as the page is there. */
export function holdOpen(locks: LockManager | null, id: string): void {
  void locks
    ?.request(openLock(id), { mode: "shared" }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);
}

/** Why a deployment was not deleted: another tab has it open. */
export class StillOpen extends Error {
  constructor(id: string) {
    super(`${id} is open in another tab`);
    this.name = "StillOpen";
  }
}

/** Deletes a deployment with all that is in it. Rejects with `StillOpen` while a tab has it open. */
export async function deleteDeployment(
  kept: Kept | null,
  id: string,
  { locks, databases }: { readonly locks: LockManager | null; readonly databases: IDBFactory },
): Promise<void> {
  const erase = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = databases.deleteDatabase(`quire:${storedName(id)}`);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error ?? new Error("it could not be deleted"));
      request.onblocked = () => reject(new StillOpen(id));
    });
  if (locks === null) await erase();
  else
    await locks.request(openLock(id), { ifAvailable: true }, (lock) => {
      if (lock === null) throw new StillOpen(id);
      return erase();
    });
  write(
    kept,
    listDeployments(kept).filter((one) => one.id !== id),
  );
}
