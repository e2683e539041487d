/**
 * An archive in the place of all that a deployment has stored.
 *
 * Invariant: the caller has kept the archive elsewhere, since the stored data is deleted before the archive is stored.
 */
import { openEngine } from "../../client/open.ts";
import { gather } from "./dump-files.ts";
import { restore } from "./restoring.ts";

/**
 * Puts an archive, or nothing, in the place of all that is stored of a deployment. Rejects where it could not be
 * stored.
 */
export async function replace(deployment: string, archive: Blob | null): Promise<void> {
  await erase(deployment);
  if (archive === null) return;
  const client = await openEngine({ deployment: { name: deployment, storage: "indexeddb" } });
  try {
    const file = new File([archive], "salvaged.archive.gz");
    const { parts } = await gather([{ file, path: file.name }], "test");
    const targets = parts.map((part) => ({ part, database: part.database, collection: part.collection }));
    const outcomes = await restore(client, {
      targets,
      drop: false,
      stopAtFirst: false,
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    const [problem] = outcomes.flatMap(({ problems }) => problems);
    if (problem !== undefined) throw problem;
    const { saved, reason } = await client.stored();
    if (!saved) throw new Error(reason ?? "storage has not confirmed it");
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
