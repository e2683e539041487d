/**
 * Stands for `place.ts` in the modules for bundlers: they leave the playground behind, so only an address that the page
 * gives leads to one.
 */
export const PLAYGROUND: string | null = null;
