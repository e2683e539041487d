/** Where a verb's data are: a real deployment, or one in a file of this engine. */
import { existsSync } from "node:fs";
import { encode } from "../../codec/encode.ts";
import { openDataFile } from "../server/data-file.ts";
import { findDriver, openByDriver, type Place, PlaceError } from "./driver-place.ts";

/** An address of MongoDB's, or the path of a file. */
export type Where = { readonly uri: string } | { readonly data: string };

/** From where MongoDB's driver is looked for. */
export interface Around {
  readonly folder: string;
  readonly beside: string;
}

/** What is wanted of a place in a file. */
export interface Manner {
  /** Make a file where there is none: who only reads does not, for a name that is misspelt has no data. */
  readonly make: boolean;
  /** Let no document expire while the file is open: who reads changes nothing, who fills compares what is there. */
  readonly still: boolean;
}

export const READING: Manner = { make: false, still: true };
export const WRITING: Manner = { make: true, still: false };

/** The engine's clock before it is told that nothing expires: no date in a document is that long ago. */
const LONG_AGO = -8.64e15;

/** Opens it; rejects with a `PlaceError` where it cannot be. */
export async function openPlace(where: Where, { folder, beside }: Around, manner: Manner): Promise<Place> {
  if ("uri" in where) return openByDriver(await findDriver(folder, beside), where.uri);
  if (!manner.make && !existsSync(where.data)) throw new PlaceError(`${where.data}: there is no such file`);
  let isTold = !manner.still;
  const now = (): number => (isTold ? Date.now() : LONG_AGO);
  const engine = await openDataFile(where.data, { now }).catch((error: unknown) => {
    throw new PlaceError(error instanceof Error ? error.message : String(error));
  });
  if (!isTold) await engine.command(encode({ setParameter: 1, ttlMonitorEnabled: false, $db: "admin" }));
  isTold = true;
  return { commandBytes: async (command) => engine.command(command), close: () => engine.close() };
}
