/**
 * The readable documents of a damaged deployment, as an archive; for the page and the npm package.
 *
 * Invariant: the stored pages are only read, by an engine of its own over a copy in memory.
 */
import { ask, type Commander } from "./ask.ts";
import { dump } from "./dumping.ts";

export interface Salvaged {
  /** An archive of mongodump, gzipped. Null when nothing could be read. */
  readonly archive: Blob | null;
  readonly documents: number;
  /** The losses, for a person. */
  readonly lost: readonly string[];
}

interface Report {
  readonly lost: readonly string[];
  readonly collections: readonly {
    readonly ns: string;
    readonly documents: unknown;
    readonly lost: readonly string[];
    readonly lostIndexes: readonly string[];
  }[];
}

/** An engine over a copy in memory of all readable documents. */
export interface SalvageSource extends Commander {
  close(): Promise<void>;
}

/** Reads all that can be read of a stored deployment; `progress` hears how many documents were written. */
export async function salvage(
  client: SalvageSource,
  progress: (documents: number) => void = () => undefined,
): Promise<Salvaged> {
  try {
    const { lost, collections } = (await ask(client, "admin", { quireSalvage: 1 })) as unknown as Report;
    const documents = collections.reduce((total, collection) => total + Number(collection.documents), 0);
    const archive =
      documents === 0
        ? null
        : await dump(client, {
            database: null,
            gzip: true,
            signal: new AbortController().signal,
            progress: (now) => progress(now.documents),
          });
    const all = collections.flatMap(({ ns, lost, lostIndexes }) =>
      [...lost, ...lostIndexes].map((one) => `${ns}: ${one}`),
    );
    return { archive, documents, lost: [...lost, ...all] };
  } finally {
    await client.close();
  }
}
