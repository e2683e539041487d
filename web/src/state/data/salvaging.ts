/**
 * What can still be read of a damaged deployment, as an archive, and that archive in the place of the damaged deployment.
 *
 * Invariants: `salvage` only reads what is stored, by an engine of its own over a copy in memory; `replace` alone deletes it.
 */
import { openClient } from "../../client/open.ts";
import { ask } from "./ask.ts";
import { gather } from "./dump-files.ts";
import { dump } from "./dumping.ts";
import { restore } from "./restoring.ts";

export interface Salvaged {
  /** An archive of mongodump, gzipped. Null when nothing could be read. */
  readonly archive: Blob | null;
  readonly documents: number;
  /** What could not be read, for a person. */
  readonly lost: readonly string[];
}

interface Report {
  readonly lost: readonly string[];
  readonly collections: readonly { readonly ns: string; readonly documents: unknown; readonly lost: readonly string[]; readonly lostIndexes: readonly string[] }[];
}

/** Reads all that can be read of a stored deployment; `progress` hears how many documents were written. */
export async function salvage(deployment: string, progress: (documents: number) => void): Promise<Salvaged> {
  const client = await openClient({ deployment: { name: deployment, storage: "indexeddb", salvage: true } });
  try {
    const { lost, collections } = (await ask(client, "admin", { quireSalvage: 1 })) as unknown as Report;
    const documents = collections.reduce((total, collection) => total + Number(collection.documents), 0);
    const archive = documents === 0 ? null : await dump(client, { database: null, gzip: true, signal: new AbortController().signal, progress: (now) => progress(now.documents) });
    const all = collections.flatMap(({ ns, lost, lostIndexes }) => [...lost, ...lostIndexes].map((one) => `${ns}: ${one}`));
    return { archive, documents, lost: [...lost, ...all] };
  } finally {
    await client.close();
  }
}

/** Puts an archive, or nothing, in the place of all that is stored of a deployment. Rejects where it could not be stored. */
export async function replace(deployment: string, archive: Blob | null): Promise<void> {
  await erase(deployment);
  if (archive === null) return;
  const client = await openClient({ deployment: { name: deployment, storage: "indexeddb" } });
  try {
    const file = new File([archive], "salvaged.archive.gz");
    const { parts } = await gather([{ file, path: file.name }], "test");
    const targets = parts.map((part) => ({ part, database: part.database, collection: part.collection }));
    const outcomes = await restore(client, { targets, drop: false, stopAtFirst: false, signal: new AbortController().signal, progress: () => undefined });
    const [problem] = outcomes.flatMap(({ problems }) => problems);
    if (problem !== undefined) throw problem;
    // Waits until all of it is stored.
    await client.command("admin", { ping: 1 });
    if (!client.state.saved) throw new Error(client.state.reason ?? "storage has not confirmed it");
  } finally {
    await client.close();
  }
}

function erase(deployment: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(`quire:${deployment}`);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error ?? new Error("it could not be deleted"));
    request.onblocked = () => reject(new Error("another tab has it open"));
  });
}
