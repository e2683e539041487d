/**
 * Where the playground is by default: beside this script, in a folder that `quiredb copy-site` wrote.
 *
 * Invariant: the package's build writes `null` for `QUIRE_PLAYGROUND`, and a mark behind it; `quiredb copy-site`
 * (`pkg/site/copy-site.ts`) writes the playground's address in its place, in the copy that has one beside it.
 */
declare const QUIRE_PLAYGROUND: string | null;

const place = QUIRE_PLAYGROUND;

export const PLAYGROUND: string | null = place === null ? null : new URL(place, import.meta.url).href;
