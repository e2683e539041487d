/** What the killed writers of `data-file-kills.mjs` write. */

export const CLIENTS = 4;
/** So many of a client's last documents are kept, those before are removed. */
export const KEPT = 30;
/** What a document holds beside its number: of some pages, now and then. */
export const padding = (step) => `${step} `.repeat(step % 17 === 0 ? 9000 : 40);
