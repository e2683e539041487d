/** `--time-limit SECONDS` of the checks which run scripts that may never end. */

/** A limit in milliseconds, the default where none is given. */
export const DEFAULT_LIMIT_MILLIS = 60_000;

/** Reads the word behind `--time-limit`, in seconds, as milliseconds; a text instead says why it is wrong. */
export function readTimeLimit(word: string | undefined): number | string {
  const seconds = Number(word);
  return seconds > 0 && seconds <= 86_400 ? seconds * 1000 : "--time-limit needs a number of seconds, up to 86400";
}
