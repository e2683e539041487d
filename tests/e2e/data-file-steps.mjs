/** What the killed writers of `data-file-kills.mjs` write. */

export const CLIENTS = 4;
/** So many of a client's last documents are kept, those before are removed. */
export const KEPT = 30;
/** What a document holds beside its number: of some pages, now and then. */
export const padding = (step) => `${step} `.repeat(step % 17 === 0 ? 9000 : 40);

/** Numbers below a limit, the same for a seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
