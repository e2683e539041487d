/**
 * Which known name was meant by one that is not known.
 *
 * Invariant: pure; a name is similar when few letters differ for its length, a swap of two neighbours counting as one
 * and case as none, so that nothing far-fetched is offered.
 */

/** How many letters are added, left out, changed or swapped; case counts for nothing. */
export function distance(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}

/** Names longer than this are compared with nothing. */
const longest = 100;

/** The most similar of the names, the first of equals; null when none is similar. The name itself is none of them. */
export function mostSimilar(name: string, names: Iterable<string>): string | null {
  // `$` and the like are no letters that could be mistyped.
  const letters = name.replace(/^\$/, "");
  if (letters.length < 2 || letters.length > longest) return null;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(letters.length / 3)) + 1;
  for (const known of names) {
    if (known === name || Math.abs(known.length - name.length) >= least) continue;
    const differs = distance(name, known);
    if (differs < least) [best, least] = [known, differs];
  }
  return best;
}
