/** Options by names that an entry point of the package does not have: refused, since ignoring one may lose data. */
import { unsupported } from "../driver/unsupported.ts";

/**
 * Why options are refused that have none of the names, for a person, in the words of `MongoClient`; null where all
 * names are known. `names` has every name of the type, so that none is forgotten.
 */
export function optionNamesFault<Options extends object>(
  given: Options,
  names: Readonly<Record<keyof Options, true>>,
): string | null {
  const strange = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(names, name) ? [] : [name],
  );
  return strange.length === 0 ? null : unsupported(strange);
}
