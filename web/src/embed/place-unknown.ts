/**
 * Stands for `place.ts` in the pages of the site itself, where only an address that the page gives leads to a
 * playground.
 */
export const PLAYGROUND: string | null = null;
