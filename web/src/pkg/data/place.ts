/** Where a verb's data are: a real deployment, or one in a file of this engine. */
import { existsSync } from "node:fs";
import { openDataFile } from "../server/data-file.ts";
import { findDriver, openByDriver, type Place, PlaceError } from "./driver-place.ts";

/** An address of MongoDB's, or the path of a file. */
export type Where = { readonly uri: string } | { readonly data: string };

/** From where MongoDB's driver is looked for. */
export interface Around {
  readonly folder: string;
  readonly beside: string;
}

/**
 * Opens it; rejects with a `PlaceError` where it cannot be. `make`: a file is made where there is none; who only reads
 * does not want that, for a name that is misspelt has no data.
 */
export async function openPlace(where: Where, { folder, beside }: Around, make = true): Promise<Place> {
  if ("uri" in where) return openByDriver(await findDriver(folder, beside), where.uri);
  if (!make && !existsSync(where.data)) throw new PlaceError(`${where.data}: there is no such file`);
  const engine = await openDataFile(where.data).catch((error: unknown) => {
    throw new PlaceError(error instanceof Error ? error.message : String(error));
  });
  return { commandBytes: async (command) => engine.command(command), close: () => engine.close() };
}
