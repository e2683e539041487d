/**
 * A place in a script that is typed in.
 *
 * Invariant: alone in its file, because the page's state needs it before anything of a pipeline is opened.
 */

/**
 * The offset at which a place of a script is after a change of the script: a place before the change stays, one behind
 * it moves with its text, and one inside it stays where it was, but within the new text.
 */
export function follow(at: number, before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (at <= start) return at;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return at >= before.length - end ? at + after.length - before.length : Math.min(at, after.length - end);
}
