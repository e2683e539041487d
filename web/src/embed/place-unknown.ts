/**
 * Stands for `place.ts` in what bundlers take: they leave the playground behind, so only an address that the page gives
 * leads to one.
 */
export const PLAYGROUND: string | null = null;
