/**
 * A script's title.
 *
 * Invariant: pure; a title is one line, and no longer than a line may be.
 */
import { cutText } from "./long-text.ts";

/** Characters of a title. */
const longest = 400;

/** A script's title in a list: the comment it begins with, or the first line that does something. */
export function titleOf(source: string): string {
  const lines = source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const title = /^\/\/\s*(.+)$/.exec(lines[0] ?? "")?.[1];
  return cutText(title ?? lines.find((line) => !/^(\/\/|\/?\*|use\s)/.test(line)) ?? lines[0] ?? "", longest);
}
