/**
 * Builds a script that the site's own build knows nothing of: the service worker, and what runs before the page's
 * modules.
 *
 * Invariant: it is a classic script, whole in itself; `define` puts what only the finished build tells in the place of
 * names.
 */
import { build } from "esbuild";

/**
 * The minified bytes of a source with all that it imports; `values` become JSON in the place of the names they have.
 */
export async function classicScript(source: string, values: Readonly<Record<string, unknown>>): Promise<Uint8Array> {
  const define = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    define,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${source} gave no script`);
  return file.contents;
}
