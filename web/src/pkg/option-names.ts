/** Options by names that an entry point of the package does not have: refused, since ignoring one may lose data. */
import { unsupported } from "../driver/unsupported.ts";
import { mostSimilar } from "../state/similar.ts";

/**
 * Why options are refused that have none of the names, for a person, in the words of `MongoClient`, with the name that
 * is probably meant; null where all names are known. `names` has every name of the type, so that none is forgotten.
 */
export function optionNamesFault<Options extends object>(
  given: Options,
  names: Readonly<Record<keyof Options, true>>,
): string | null {
  const strange = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(names, name) ? [] : [name],
  );
  const [first, ...others] = strange;
  if (first === undefined) return null;
  const meant = others.length === 0 ? mostSimilar(first, Object.keys(names)) : null;
  return meant === null ? unsupported(strange) : `${unsupported(strange)}: is ${meant} meant?`;
}
