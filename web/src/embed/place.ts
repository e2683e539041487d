/**
 * Where the playground is by default: beside this script.
 *
 * Invariant: the package's build puts `place-unknown.ts` in this module's place where tools move the script and leave
 * the playground behind.
 */
export const PLAYGROUND: string | null = new URL("./playground/index.html", import.meta.url).href;
