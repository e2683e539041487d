/**
 * Lays a script out with Prettier. Its 110 KB are fetched with the first formatting, so that other readers do without.
 *
 * Invariants: the script does the same afterwards: the shell's own lines (`use x`, `show x`) go through as they are,
 * and a script that is one object stays one. Semicolons stay in a script that has them, and are not added to another.
 */
import * as acorn from "prettier/plugins/acorn";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import { readScript } from "../../shell/shell-line.ts";

const KEPT_LINE = /^[ \t]*\/\/@shell@(.*)$/gm;

/** The script, laid out; rejects with a `SyntaxError` of one line where it cannot be read. */
export async function formatScript(source: string): Promise<string> {
  const object = /^\s*\{/.test(source) && !/^\s*\{\s*\}/.test(source);
  const semi = (source.match(/;[ \t]*$/gm) ?? []).length * 2 > (source.match(/[)\]}\w"'`][ \t]*$/gm) ?? []).length;
  const kept = object ? `(${source}\n)` : readScript(source, ({ text }) => `//@shell@${text.trim()}`).source;
  let text: string;
  try {
    text = await format(kept, {
      parser: "acorn",
      plugins: [acorn, estree],
      printWidth: 100,
      semi,
      quoteProps: "preserve",
    });
  } catch (error) {
    throw new SyntaxError((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "", {
      cause: error,
    });
  }
  return object ? text.replace(/^;?\(/, "").replace(/\);?\n$/, "\n") : text.replace(KEPT_LINE, "$1");
}
