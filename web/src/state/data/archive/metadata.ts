/**
 * The metadata of a collection in a dump: options, indexes, kind. The text is the same in `x.metadata.json` and in an
 * archive.
 *
 * Invariants: read with every number's type, since index options are typed; fields that a newer mongodump adds are
 * left alone.
 */
import { EJSON, type Document } from "bson";

export interface DumpMetadata {
  readonly options: Document;
  readonly indexes: readonly Document[];
  /** `collection`, `view`, `timeseries`. */
  readonly type: string;
  /** The name that a file's name may have cut or escaped. */
  readonly collectionName: string | null;
}

export const noMetadata: DumpMetadata = { options: {}, indexes: [], type: "collection", collectionName: null };

/** Reads the text; throws its mistake. */
export function readMetadata(text: string): DumpMetadata {
  const read = EJSON.parse(text, { relaxed: false }) as unknown;
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Error("metadata is an object");
  const { options, indexes, type, collectionName } = read as Document;
  return {
    options: (options ?? {}) as Document,
    indexes: Array.isArray(indexes) ? (indexes as Document[]) : [],
    type:
      typeof type === "string"
        ? type
        : (options as Document | undefined)?.["viewOn"] === undefined
          ? "collection"
          : "view",
    collectionName: typeof collectionName === "string" ? collectionName : null,
  };
}

/** The text as mongodump writes it: canonical Extended JSON. */
export function writeMetadata(
  collection: string,
  type: string,
  options: Document,
  indexes: readonly Document[],
  uuid: string | null,
): string {
  return EJSON.stringify(
    {
      ...(Object.keys(options).length === 0 ? {} : { options }),
      indexes,
      ...(uuid === null ? {} : { uuid }),
      collectionName: collection,
      type,
    },
    { relaxed: false },
  );
}
