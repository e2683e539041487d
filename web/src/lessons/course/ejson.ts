/** Values as canonical Extended JSON, to be read again by a script's own `EJSON.parse`. */
import { EJSON } from "bson";

/** The text of a value; what has no value in BSON (`undefined`) is left out. */
export function stringifyEjson(value: unknown): string {
  return EJSON.stringify(value ?? null, { relaxed: true });
}
